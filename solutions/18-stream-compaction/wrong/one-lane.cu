// expect: failed lanes low-lane-efficiency
// Lane 0 does the work of the whole warp.
#include <cuda_runtime.h>

extern "C" __global__ void keep(const int *in, int *kept, int *count, int n)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (threadIdx.x % 32 != 0) {
        return;
    }

    int begin = 128 * warp;
    int end = min(n, begin + 128);
    int total = 0;
    for (int i = begin; i < end; i++) {
        total += in[i] >= 0;
    }
    int slot = atomicAdd(&count[0], total);
    for (int i = begin; i < end; i++) {
        if (in[i] >= 0) {
            kept[slot] = in[i];
            slot++;
        }
    }
}
