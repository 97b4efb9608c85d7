// expect: failed correct timeout
// A loop over the elements that never takes a step.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        out[i] = in[i] * (i % 2 == 0 ? 1.0f / 3.0f : 3.0f);
    }
}
