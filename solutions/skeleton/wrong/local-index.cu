// expect: failed correct not-written
// Only the first block's elements, by every block.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    i = threadIdx.x;
    if (i < n) {
        out[i] = in[i] + 1;
    }
}
