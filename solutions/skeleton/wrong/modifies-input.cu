// expect: failed correct input-modified
// Adds in place as well.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        in[i] += 1;
        out[i] = in[i];
    }
}
