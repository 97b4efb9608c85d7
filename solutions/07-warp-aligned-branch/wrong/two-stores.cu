// expect: failed divergence divergent-branches
// The reference with a store on each side: 0 % branch efficiency for the same work.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (i % 2 == 0) {
        out[i] = expf(in[i]);
    } else {
        out[i] = logf(in[i]);
    }
}
