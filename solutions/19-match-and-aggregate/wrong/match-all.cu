// expect: failed correct wrong-answer
// Asks whether all lanes have the same key: hardly ever.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;

    int key = i < n ? in[i] : -1;
    int all;
    unsigned same = __match_all_sync(0xffffffff, key, &all);
    int leader = __ffs(same) - 1;
    if (key >= 0 && lane == leader) {
        atomicAdd(&bins[key], __popc(same));
    }
}
