// expect: failed answers wrong-answer
// The kernel is right; the answers take warps for lanes.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = thread / 32 % 2;
    int i = thread / 64 * 64 + 2 * (thread % 32) + odd;
    if (i >= n) {
        return;
    }
    float y;
    if (odd == 0) {
        y = expf(in[i]);
    } else {
        y = logf(in[i]);
    }
    out[i] = y;
}

__constant__ int answer_idle_lanes = 32;
__constant__ int answer_runs_of_16 = 256;
__constant__ int answer_runs_of_64 = 512;
__constant__ float answer_efficiency = 14.29f;
