// expect: failed correct wrong-answer
// Reads at the thread's place in its block instead of its place in the grid.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float third = 1.0f / 3.0f;
    float factor = third + i % 2 * (3.0f - third);
    out[i] = in[threadIdx.x] * factor;
}
