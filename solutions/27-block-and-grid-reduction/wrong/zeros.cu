// expect: failed one wrong-answer
// Writes a zero.
#include <cuda_runtime.h>

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *sum = 0;
    }
}

__constant__ int answer_partials = 32;
__constant__ int answer_atomics = 1056;
__constant__ int answer_barriers = 1;
__constant__ float answer_order = 0;
