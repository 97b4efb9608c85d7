// expect: failed lanes low-lane-efficiency
// No branch, and no work for half of the lanes: the other half handles two elements each.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread % 32 >= 16) {
        return;
    }
    int i = thread / 32 * 32 + 2 * (thread % 32);
    if (i < n) {
        out[i] = in[i] * (1.0f / 3.0f);
    }
    if (i + 1 < n) {
        out[i + 1] = in[i + 1] * 3.0f;
    }
}
