// expect: failed branches divergent-branches
// Every lane divides and multiplies, then picks. The division brings a branch of its own.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float third = in[i] / 3.0f;
    float triple = in[i] * 3.0f;
    out[i] = i % 2 == 0 ? third : triple;
}
