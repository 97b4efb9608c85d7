// expect: failed no-shared over-budget
// Right, through shared memory.
#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    __shared__ float values[256];
    int t = threadIdx.x;
    int lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    values[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 16; distance > 0; distance /= 2) {
        if (lane < distance) {
            values[t] += values[t + distance];
        }
        __syncthreads();
    }
    if (lane == 0 && i < n) {
        sums[i / 32] = values[t];
    }
}

__constant__ int answer_steps = 5;
__constant__ int answer_lane_3 = 3;
__constant__ int answer_sum_lane_0 = 496;
__constant__ int answer_sum_lane_31 = 992;
