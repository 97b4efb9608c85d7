// SPDX-License-Identifier: MIT
//
// Lesson 18: Stream compaction
//
// Task: copy the elements of `in` that are not negative to kept[0 .. count[0] - 1], without gaps.
//     `kept` has room for n elements; count[0] is 0 before the launch. Warp w takes the 128
//     elements 128 w to 128 w + 127, in four rounds of 32. Those of a round that stay must stand
//     side by side in `kept`, in the order of `in`; which round comes first is free. This kernel
//     draws a slot for each element. Let each warp draw once, for all its 128.
// Launch: blocks of 256 threads; the grid covers n / 4, so some elements of the last warps may not
//     exist.
// Target: at most one atomic addition for each warp, 128 at n = 16384, and at least 16 of 32 lanes
//     at work.

#include <cuda_runtime.h>

extern "C" __global__ void keep(const int *in, int *kept, int *count, int n)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;

    // TODO 1: one vote a round, and nothing else: which lanes have an element that stays? Keep the
    // four masks. How many elements does the warp keep in all?

    // TODO 2: one lane draws slots for all of them, and tells the first one to the whole warp.

    // TODO 3: the slot of an element is the warp's first slot, plus the elements that stay before
    // it: those of earlier rounds, and those of lower lanes in its own round.
    for (int round = 0; round < 4; round++) {
        int i = 128 * warp + 32 * round + lane;
        if (i < n && in[i] >= 0) {
            int slot = atomicAdd(&count[0], 1);
            kept[slot] = in[i];
        }
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 4
__constant__ int answer_rank = -1;        // question 1
__constant__ int answer_lower_lanes = -1; // question 2
__constant__ int answer_additions = -1;   // question 3
__constant__ int answer_whole_order = -1; // question 4
