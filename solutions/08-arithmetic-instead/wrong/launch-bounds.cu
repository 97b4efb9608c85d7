// expect: failed correct launch-failed
// Promises blocks of at most 128 threads; the lesson launches 256.
extern "C" __global__ void __launch_bounds__(128)
    triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float third = 1.0f / 3.0f;
    float factor = third + i % 2 * (3.0f - third);
    out[i] = in[i] * factor;
}
