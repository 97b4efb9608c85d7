// expect: failed lanes low-lane-efficiency
// Right, with the reference's idle lanes.
#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (n + 1) / 2 * 2 && i % 2 == 0) {
        for (int k = i; k < i + 2 && k < n; k++) {
            out[k] = in[k] + 1;
        }
    }
}
