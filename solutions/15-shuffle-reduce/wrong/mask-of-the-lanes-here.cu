// expect: failed correct inactive-lane-read
// The mask tells the truth, but the last lanes still read from those that are not in it.
#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned here = __ballot_sync(0xffffffff, i < n);
    if (i >= n) {
        return;
    }
    float sum = in[i];

    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(here, sum, distance);
    }
    if (threadIdx.x % 32 == 0) {
        sums[i / 32] = sum;
    }
}

__constant__ int answer_steps = 5;
__constant__ int answer_lane_3 = 3;
__constant__ int answer_sum_lane_0 = 496;
__constant__ int answer_sum_lane_31 = 992;
