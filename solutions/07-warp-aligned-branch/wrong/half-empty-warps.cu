// expect: failed lanes low-lane-efficiency
// No branch splits a warp: half of the lanes leave before the first one.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = thread / 32 % 2;
    if (thread % 32 >= 16) {
        return;
    }
    int first = thread / 64 * 64 + 4 * (thread % 32) + odd;
    for (int i = first; i <= first + 2; i += 2) {
        float x = i < n ? in[i] : 1.0f;
        float y;
        if (odd == 0) {
            y = expf(x);
        } else {
            y = logf(x);
        }
        if (i < n) {
            out[i] = y;
        }
    }
}
