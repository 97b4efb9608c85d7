// expect: failed atomics over-budget
// The reference: one addition for 32 elements, because the compiler gathers them.
#include <cuda_runtime.h>

extern "C" __global__ void keep(const int *in, int *kept, int *count, int n)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;

    for (int round = 0; round < 4; round++) {
        int i = 128 * warp + 32 * round + lane;
        if (i < n && in[i] >= 0) {
            int slot = atomicAdd(&count[0], 1);
            kept[slot] = in[i];
        }
    }
}
