// expect: failed atomics over-budget
// Right for any grid, and every element goes to global memory by itself.
#include <cuda_runtime.h>

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(sum, in[i]);
    }
}

__constant__ int answer_partials = 32;
__constant__ int answer_atomics = 1056;
__constant__ int answer_barriers = 1;
__constant__ float answer_order = 0;
