// expect: failed branches divergent-branches
// Writes the branch as an expression. The division keeps it a branch.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = i % 2 == 0 ? in[i] / 3.0f : in[i] * 3.0f;
}
