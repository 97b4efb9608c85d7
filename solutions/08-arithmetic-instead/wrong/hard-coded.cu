// expect: failed correct out-of-bounds
// Knows the measured size by heart and forgets n.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 16384) {
        return;
    }
    const float third = 1.0f / 3.0f;
    float factor = third + i % 2 * (3.0f - third);
    out[i] = in[i] * factor;
}
