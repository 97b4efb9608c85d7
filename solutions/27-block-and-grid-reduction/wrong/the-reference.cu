// expect: failed conflicts bank-conflicts
// The textbook: right, with a barrier for each round and strides that meet in banks.
#include <cuda_runtime.h>

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    __shared__ float values[1024];
    int t = threadIdx.x;
    int threads = blockDim.x;
    float mine = 0;

    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        mine += in[i];
    }
    values[t] = mine;
    __syncthreads();
    for (int distance = 1; distance < threads; distance *= 2) {
        int left = 2 * distance * t; // the first threads do the work, so that warps stay whole
        if (left + distance < threads) {
            values[left] += values[left + distance];
        }
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
