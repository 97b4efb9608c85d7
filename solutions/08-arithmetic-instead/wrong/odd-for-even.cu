// expect: failed correct wrong-answer
// Triples the even elements.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float third = 1.0f / 3.0f;
    float factor = 3.0f + i % 2 * (third - 3.0f);
    out[i] = in[i] * factor;
}
