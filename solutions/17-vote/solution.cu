// SPDX-License-Identifier: MIT
//
// Lesson 17, solution.
//
//   over[g]  = how many elements of group g are above the limit
//   first[g] = place in the group (0 to 31) of the first of them, -1 if there is none
//   state[g] = 2: all elements of the group are above it, 1: some are, 0: none is
//
// Why this is good: each lane answers for one element, and one ballot hands all 32 answers to
// everybody. The count, the first place and "all or some" are then arithmetic on two numbers, the
// answers and the lanes that have an element at all. Nobody leaves before the votes, so the mask is
// full and right; lanes without an element say no.

#include <cuda_runtime.h>

extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    const unsigned everybody = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned present = __ballot_sync(everybody, i < n);
    unsigned above = __ballot_sync(everybody, i < n && in[i] > limit);

    if (threadIdx.x % 32 == 0 && i < n) {
        int group = i / 32;
        over[group] = __popc(above);
        first[group] = __ffs(above) - 1;
        state[group] = above == 0 ? 0 : (above == present ? 2 : 1);
    }
}

// The answers to the chapter's questions.
__constant__ int answer_ballot = 25;  // 2^0 + 2^3 + 2^4
__constant__ int answer_first = 6;    // 0xa40: bits 6, 9 and 11
__constant__ int answer_missing = 24; // 1000 = 31 * 32 + 8
__constant__ int answer_rank = 1;     // only lane 6 stands below lane 9
