// SPDX-License-Identifier: MIT
//
// Lesson 17: Votes
//
// Task: group g holds the elements 32 g to 32 g + 31 of in; the last group may be shorter. For each
//     group, write
//       over[g]  = how many of its elements are above the limit (in[i] > limit)
//       first[g] = place in the group (0 to 31) of the first of them, -1 if there is none
//       state[g] = 2: all elements of the group are above it, 1: some are, 0: none is
//     This kernel does that already, with one lane of each warp. Let all 32 look, and vote.
// Launch: blocks of 256 threads; the grid covers n, so the last block may have warps with few
//     elements, and warps with none. Warp g of the grid belongs to group g.
// Target: at least one vote a warp, and at most 36,000 warp instructions for n = 16384.

#include <cuda_runtime.h>

extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO 1: let each lane look at its own element i, and collect the 32 answers by votes. Then
    // one lane of each group writes what follows from them.
    if (i >= n || threadIdx.x % 32 != 0) {
        return;
    }

    int count = 0, place = -1, present = 0;
    for (int lane = 0; lane < 32 && i + lane < n; lane++) {
        if (in[i + lane] > limit) {
            count++;
            if (place < 0) {
                place = lane;
            }
        }
        present++;
    }
    int group = i / 32;
    over[group] = count;
    first[group] = place;
    state[group] = count == 0 ? 0 : (count == present ? 2 : 1);
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_ballot = -1;  // question 1
__constant__ int answer_first = -1;   // question 2
__constant__ int answer_missing = -1; // question 3
__constant__ int answer_rank = -1;    // question 4
