// SPDX-License-Identifier: MIT
//
// Lesson 17, reference: one report for each group of 32 elements, written by one lane.
//
//   over[g]  = how many elements of group g are above the limit
//   first[g] = place in the group (0 to 31) of the first of them, -1 if there is none
//   state[g] = 2: all elements of the group are above it, 1: some are, 0: none is
//
// Group g holds the elements 32 g to 32 g + 31; the last one may be shorter. Lane 0 of warp g reads
// the whole group, one element after the other, while 31 lanes have nothing to do.

#include <cuda_runtime.h>

extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
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
