// expect: failed correct out-of-bounds
// The last block's threads go past the end.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}
