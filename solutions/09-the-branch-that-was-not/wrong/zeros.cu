// expect: failed correct wrong-answer
// Writes zeros.
#include <cuda_runtime.h>

extern "C" __global__ void orbit(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = 0;
}

__constant__ int answer_a = 0;
__constant__ int answer_b = 0;
__constant__ int answer_c = 1;
__constant__ int answer_d = 1;
__constant__ float answer_lanes = 20;
__constant__ int answer_off = 4;
