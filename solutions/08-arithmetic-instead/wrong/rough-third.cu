// expect: failed correct wrong-answer
// 0.3333 is not a third.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float third = 0.3333f;
    float factor = third + i % 2 * (3.0f - third);
    out[i] = in[i] * factor;
}
