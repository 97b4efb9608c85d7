// expect: failed correct bad-shuffle-mask
// All 32 lanes come, but the mask names only those whose sum is used.
#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0;

    sum += __shfl_down_sync(0x0000ffff, sum, 16);
    sum += __shfl_down_sync(0x000000ff, sum, 8);
    sum += __shfl_down_sync(0x0000000f, sum, 4);
    sum += __shfl_down_sync(0x00000003, sum, 2);
    sum += __shfl_down_sync(0x00000001, sum, 1);
    if (threadIdx.x % 32 == 0 && i < n) {
        sums[i / 32] = sum;
    }
}

__constant__ int answer_steps = 5;
__constant__ int answer_lane_3 = 3;
__constant__ int answer_sum_lane_0 = 496;
__constant__ int answer_sum_lane_31 = 992;
