// expect: failed correct launch-failed
// Promises blocks of at most 128 threads; the lesson launches 256.
extern "C" __global__ void __launch_bounds__(128) explog(const float *in, float *out, int n)
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
        y = logf(in[i]);
    }
    out[i] = y;
}
