// expect: failed budget over-budget
// Halves the block in shared memory, a barrier for each round: no conflict, much to execute.
#include <cuda_runtime.h>

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    __shared__ float values[1024];
    int t = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    values[t] = mine;
    __syncthreads();
    for (int count = blockDim.x; count > 1;) {
        int half = (count + 1) / 2;
        if (t + half < count) {
            values[t] += values[t + half];
        }
        count = half;
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(sum, values[0]);
    }
}

__constant__ int answer_partials = 32;
__constant__ int answer_atomics = 1056;
__constant__ int answer_barriers = 1;
__constant__ float answer_order = 0;
