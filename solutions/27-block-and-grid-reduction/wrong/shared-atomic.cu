// expect: failed divergence divergent-branches
// Gathers the sums of the warps by atomics on shared memory, which for floats are a loop.
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
    __shared__ float total;
    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    mine = warp_sum(mine);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&total, mine);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(sum, total);
    }
}

__constant__ int answer_partials = 32;
__constant__ int answer_atomics = 1056;
__constant__ int answer_barriers = 1;
__constant__ float answer_order = 0;
