// expect: failed correct not-written
// The guard leaves out the last element.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) {
        out[i] = in[i] + 1;
    }
}
