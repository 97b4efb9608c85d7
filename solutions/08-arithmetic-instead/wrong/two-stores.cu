// expect: failed lanes low-lane-efficiency
// A store on each side: hardly a branch diverges now, and half of the lanes are as idle as before.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (i % 2 == 0) {
        out[i] = in[i] / 3.0f;
    } else {
        out[i] = in[i] * 3.0f;
    }
}
