// expect: failed budget over-budget
// Every lane adds up all 32 elements by itself.
#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 32; k++) {
        int j = i / 32 * 32 + k;
        sum += j < n ? in[j] : 0;
    }
    if (threadIdx.x % 32 == 0 && i < n) {
        sums[i / 32] = sum;
    }
}

__constant__ int answer_steps = 5;
__constant__ int answer_lane_3 = 3;
__constant__ int answer_sum_lane_0 = 496;
__constant__ int answer_sum_lane_31 = 992;
