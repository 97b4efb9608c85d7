// expect: failed correct wrong-answer
// 1 / 3 divides integers: it is 0.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float third = 1 / 3;
    float factor = third + i % 2 * (3.0f - third);
    out[i] = in[i] * factor;
}
