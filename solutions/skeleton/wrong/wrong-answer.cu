// expect: failed answers wrong-answer
// The kernel is right; the answer counts all lanes.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] + 1;
    }
}

__constant__ int answer_lanes = 32;
