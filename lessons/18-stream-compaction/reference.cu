// SPDX-License-Identifier: MIT
//
// Lesson 18, reference: every element draws a number of its own.
//
//   kept[0 .. count[0] - 1]   the elements of in that are not negative    (count[0] begins at 0)
//
// Warp w takes the 128 elements 128 w to 128 w + 127, 32 at a time. Each element that stays adds 1
// to the counter. The compiler sees that all lanes add the same to the same place, and makes one
// addition of it for each 32 elements. Between two rounds of a warp, others may draw.

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
