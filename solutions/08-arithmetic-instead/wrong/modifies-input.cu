// expect: failed correct input-modified
// Scales in place and copies the result out.
extern "C" __global__ void triple_or_third(float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float third = 1.0f / 3.0f;
    float factor = third + i % 2 * (3.0f - third);
    in[i] = in[i] * factor;
    out[i] = in[i];
}
