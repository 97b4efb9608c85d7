// expect: failed lanes low-lane-efficiency
// Thread 0 adds up what all threads of the block have.
#include <cuda_runtime.h>

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    __shared__ float values[1024];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    values[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int t = 0; t < blockDim.x; t++) {
            total += values[t];
        }
        atomicAdd(sum, total);
    }
}

__constant__ int answer_partials = 32;
__constant__ int answer_atomics = 1056;
__constant__ int answer_barriers = 1;
__constant__ float answer_order = 0;
