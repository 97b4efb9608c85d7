// expect: failed one race
// The first warp does not wait for the sums of the others.
#include <cuda_runtime.h>

__device__ float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(0xffffffff, value, distance);
    }
    return value;
}

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    __shared__ float partial[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;

    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    mine = warp_sum(mine);
    if (lane == 0) {
        partial[warp] = mine;
    }
    if (warp == 0) {
        mine = warp_sum(lane < warps ? partial[lane] : 0);
        if (lane == 0) {
            atomicAdd(sum, mine);
        }
    }
}

__constant__ int answer_partials = 32;
__constant__ int answer_atomics = 1056;
__constant__ int answer_barriers = 1;
__constant__ float answer_order = 0;
