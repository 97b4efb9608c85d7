// expect: failed correct wrong-answer
// Writes zeros.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 0;
    }
}
