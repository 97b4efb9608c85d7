// SPDX-License-Identifier: MIT
//
// Lesson 19, solution.
//
//   bins[k] += number of elements of in that are k      for 0 <= k < 64, all 0 <= i < n
//
// Why this is good: one instruction tells every lane which lanes hold its key. The lowest of them
// adds for all, so a warp makes as many additions as it has different keys, and with skewed keys
// those are few. A lane without an element holds the key -1, which matches only its like, and adds
// nothing. Nobody leaves before the match, for it asks all 32 lanes.

#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;

    int key = i < n ? in[i] : -1;
    unsigned same = __match_any_sync(0xffffffff, key);
    int leader = __ffs(same) - 1; // the lowest lane that has my key
    if (key >= 0 && lane == leader) {
        atomicAdd(&bins[key], __popc(same));
    }
}

// The answers to the chapter's questions.
__constant__ int answer_mask = 116;    // lanes 2, 4, 5 and 6: 4 + 16 + 32 + 64
__constant__ int answer_leaders = 3;   // the keys 3, 5 and 7
__constant__ int answer_worst = 32;    // nobody to share with
__constant__ int answer_blocks = 4096; // 64 blocks, 64 bins each
