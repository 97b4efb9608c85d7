// expect: failed correct not-written
// Right for multiples of 32 only: the ragged warp at the end is left out.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 32 * 32) {
        return;
    }
    const float third = 1.0f / 3.0f;
    float factor = third + i % 2 * (3.0f - third);
    out[i] = in[i] * factor;
}
