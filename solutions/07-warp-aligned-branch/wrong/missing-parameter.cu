// expect: failed correct launch-failed
// Has no parameter for the length.
extern "C" __global__ void explog(const float *in, float *out)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = thread / 32 % 2;
    int i = thread / 64 * 64 + 2 * (thread % 32) + odd;
    if (i >= 16384) {
        return;
    }
    float y;
    if (odd == 0) {
        y = expf(in[i]);
    } else {
        y = logf(in[i]);
    }
    out[i] = y;
}
