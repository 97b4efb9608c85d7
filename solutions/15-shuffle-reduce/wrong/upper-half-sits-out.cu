// expect: failed correct inactive-lane-read
// Only the lanes that add come to the shuffle, and not those that they read from.
#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0;

    for (int distance = 16; distance > 0; distance /= 2) {
        if (threadIdx.x % 32 < distance) {
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        }
    }
    if (threadIdx.x % 32 == 0 && i < n) {
        sums[i / 32] = sum;
    }
}

__constant__ int answer_steps = 5;
__constant__ int answer_lane_3 = 3;
__constant__ int answer_sum_lane_0 = 496;
__constant__ int answer_sum_lane_31 = 992;
