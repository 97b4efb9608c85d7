// expect: failed correct race
// The old way: shared memory without barriers, and volatile in place of them. Lanes of a warp
// need not run together since Volta: this is a race, even where it gives the right values.
#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    __shared__ volatile float values[256 + 16];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    values[t] = i < n ? in[i] : 0;
    if (t % 32 < 16) {
        values[t] += values[t + 16];
        values[t] += values[t + 8];
        values[t] += values[t + 4];
        values[t] += values[t + 2];
        values[t] += values[t + 1];
    }
    if (t % 32 == 0 && i < n) {
        sums[i / 32] = values[t];
    }
}

__constant__ int answer_steps = 5;
__constant__ int answer_lane_3 = 3;
__constant__ int answer_sum_lane_0 = 496;
__constant__ int answer_sum_lane_31 = 992;
