// expect: failed correct nan
// Divides 0 by 0.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] + 1 + (in[i] - in[i]) / (in[i] - in[i]);
    }
}
