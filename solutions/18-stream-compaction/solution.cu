// SPDX-License-Identifier: MIT
//
// Lesson 18, solution.
//
//   kept[0 .. count[0] - 1]   the elements of in that are not negative    (count[0] begins at 0)
//
// Why this is good: the votes come first. Four masks tell every lane how many elements the warp
// keeps, and which of them come before its own, so one addition for 128 elements is enough, and
// their order is kept. The loops have four rounds, known to the compiler, which unrolls them: `x`
// and `stays` are registers, not memory. A thread without an element votes with -1, which goes.

#include <cuda_runtime.h>

extern "C" __global__ void keep(const int *in, int *kept, int *count, int n)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;

    int x[4];
    unsigned stays[4];
    int total = 0;
    for (int round = 0; round < 4; round++) {
        int i = 128 * warp + 32 * round + lane;
        x[round] = i < n ? in[i] : -1;
        stays[round] = __ballot_sync(0xffffffff, x[round] >= 0);
        total += __popc(stays[round]);
    }

    int first = 0;
    if (lane == 0) {
        first = atomicAdd(&count[0], total);
    }
    first = __shfl_sync(0xffffffff, first, 0);

    unsigned lower_lanes = (1u << lane) - 1;
    for (int round = 0; round < 4; round++) {
        if (x[round] >= 0) {
            kept[first + __popc(stays[round] & lower_lanes)] = x[round];
        }
        first += __popc(stays[round]);
    }
}

// The answers to the chapter's questions.
__constant__ int answer_rank = 3;         // 0xf0f0: lanes 4, 5 and 6 are set and lower than 7
__constant__ int answer_lower_lanes = 31; // binary 11111
__constant__ int answer_additions = 784;  // 98 blocks of 8 warps
__constant__ int answer_whole_order = 0;  // whichever warp comes first, draws first
