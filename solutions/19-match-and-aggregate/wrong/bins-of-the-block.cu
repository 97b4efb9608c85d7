// expect: failed atomics over-budget
// Counts in shared memory first. The additions are cheaper there, but not fewer.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    __shared__ int mine[64];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 64) {
        mine[threadIdx.x] = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&mine[in[i]], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
    }
}
