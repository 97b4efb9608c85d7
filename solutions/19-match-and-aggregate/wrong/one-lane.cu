// expect: failed lanes low-lane-efficiency
// One thread of the grid counts everything.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) {
        return;
    }
    for (int i = 0; i < n; i++) {
        bins[in[i]]++;
    }
}
