// expect: failed correct nan
// Takes the logarithm of the negative value.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = thread / 32 % 2;
    int i = thread / 64 * 64 + 2 * (thread % 32) + odd;
    if (i >= n) {
        return;
    }
    float y;
    if (odd == 0) {
        y = expf(in[i]);
    } else {
        y = logf(-in[i]);
    }
    out[i] = y;
}
