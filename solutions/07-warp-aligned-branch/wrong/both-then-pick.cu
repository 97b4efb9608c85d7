// expect: failed work over-budget
// Every lane computes both functions and picks one: all are at work, half of it for nothing.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float e = expf(in[i]);
    float l = logf(in[i]);
    out[i] = i % 2 == 0 ? e : l;
}
