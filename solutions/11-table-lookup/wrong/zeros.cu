// expect: failed correct wrong-answer
// Writes zeros.
#include <cuda_runtime.h>

extern "C" __global__ void convert(const int *kind, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = 0;
}

__constant__ int answer_ways = 8;
__constant__ int answer_issues = 48;
__constant__ float answer_lanes = 4;
__constant__ int answer_bytes = 160;
