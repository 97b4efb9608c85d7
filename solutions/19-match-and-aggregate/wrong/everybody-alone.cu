// expect: failed atomics over-budget
// The reference: one addition for each element.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    int key = in[i];
    atomicAdd(&bins[key], 1);
}
