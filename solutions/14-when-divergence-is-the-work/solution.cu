// SPDX-License-Identifier: MIT
//
// Lesson 14, solution.
//
//   out[i] = steps from in[i] to 1, by: x even: x / 2, x odd: 3 x + 1    for all 0 <= i < n
//
// Why this is good: nobody waits for the slowest lane of 32. Each warp owns a run of elements and
// hands them out itself: a ballot says which lanes are idle, their ranks say who gets which of the
// next elements. No atomic is needed, because the whole warp knows where its queue stands. Eight
// steps between two ballots make the ballots cheap; a lane that arrives meanwhile waits for the
// rest of the eight.

#include <cuda_runtime.h>

static const unsigned everybody = 0xffffffffu;

extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int warps = gridDim.x * blockDim.x / 32;
    int share = (n + warps - 1) / warps;
    int next = warp * share;        // the queue: the element to hand out next, alike in all lanes
    int end = min(n, next + share); // and where it ends
    int i = end;                    // no element yet
    unsigned x = 1;
    int steps = 0;

    for (;;) {
        // Hand out the next elements to the lanes that have arrived, in the order of the lanes.
        unsigned idle = __ballot_sync(everybody, x == 1);
        if (x == 1) {
            if (i < end) {
                out[i] = steps;
            }
            i = next + __popc(idle & ((1u << lane) - 1));
            x = i < end ? in[i] : 1;
            steps = 0;
        }
        next += __popc(idle);
        if (__all_sync(everybody, i >= end)) {
            return;
        }

        // Eight steps; a lane that has arrived stays at 1.
#pragma unroll
        for (int k = 0; k < 8; k++) {
            if (x != 1) {
                x = x % 2 == 0 ? x / 2 : 3 * x + 1;
                steps++;
            }
        }
    }
}

// The answers to the chapter's questions.
__constant__ float answer_lanes = 4.1f; // (31 * 10 + 1 * 100) / 100
__constant__ int answer_steps = 8;      // 6 3 10 5 16 8 4 2 1
__constant__ int answer_divergent = 31; // at each departure but the last
__constant__ int answer_element = 203;  // three idle lanes stand below lane 15
