// expect: failed answers wrong-answer
// The kernel is right; the answers count lanes from 1, and bins for additions.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;

    int key = i < n ? in[i] : -1;
    unsigned same = __match_any_sync(0xffffffff, key);
    int leader = __ffs(same) - 1;
    if (key >= 0 && lane == leader) {
        atomicAdd(&bins[key], __popc(same));
    }
}

__constant__ int answer_mask = 232;
__constant__ int answer_leaders = 8;
__constant__ int answer_worst = 1;
__constant__ int answer_blocks = 64;
