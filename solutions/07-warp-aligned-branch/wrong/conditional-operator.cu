// expect: failed divergence divergent-branches
// Writes the branch as an expression. It is the same branch to the compiler.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = i % 2 == 0 ? expf(in[i]) : logf(in[i]);
}
