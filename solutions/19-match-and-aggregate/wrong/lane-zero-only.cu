// expect: failed correct wrong-answer
// Lane 0 adds for its own key; the other keys have no leader.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;

    int key = i < n ? in[i] : -1;
    unsigned same = __match_any_sync(0xffffffff, key);
    if (key >= 0 && lane == 0) {
        atomicAdd(&bins[key], __popc(same));
    }
}
