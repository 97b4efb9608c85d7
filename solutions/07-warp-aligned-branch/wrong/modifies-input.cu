// expect: failed correct input-modified
// Computes in place and copies the result out.
extern "C" __global__ void explog(float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = thread / 32 % 2;
    int i = thread / 64 * 64 + 2 * (thread % 32) + odd;
    if (i >= n) {
        return;
    }
    if (odd == 0) {
        in[i] = expf(in[i]);
    } else {
        in[i] = logf(in[i]);
    }
    out[i] = in[i];
}
