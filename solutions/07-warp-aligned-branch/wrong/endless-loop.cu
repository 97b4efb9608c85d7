// expect: failed correct timeout
// A loop over the elements that never takes a step.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        out[i] = i % 2 == 0 ? expf(in[i]) : logf(in[i]);
    }
}
