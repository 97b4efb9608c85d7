// expect: failed correct race
// Writes into the bin instead of adding to it.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;

    int key = i < n ? in[i] : -1;
    unsigned same = __match_any_sync(0xffffffff, key);
    int leader = __ffs(same) - 1;
    if (key >= 0 && lane == leader) {
        bins[key] = __popc(same);
    }
}
