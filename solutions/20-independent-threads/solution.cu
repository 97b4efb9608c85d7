// SPDX-License-Identifier: MIT
//
// Lesson 20, solution.
//
//   warp_scan   out[i] = running sum within each 32 elements
//   ranks       out[i] = how many of the 16 elements of its run are smaller than in[i]
//
// Why this is good: wherever a lane reads what another one wrote, or writes what another one read,
// a __syncwarp() lies between, outside of every condition, so that all 32 lanes come to it. The sum
// stays in a register, so a round has one read and one write, each with a barrier behind it. No
// other warp is waited for, and `volatile` is gone: the barrier orders memory, too.

#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void warp_scan(const int *in, int *out, int n)
{
    __shared__ int sums[256];
    int t = threadIdx.x;
    int lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    int sum = i < n ? in[i] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
        sums[t] = sum;
        __syncwarp(); // all have written before anybody reads
        if (lane >= distance) {
            sum += sums[t - distance];
        }
        __syncwarp(); // all have read before anybody writes again
    }
    if (i < n) {
        out[i] = sum;
    }
}

extern "C" __global__ void ranks(const int *in, int *out, int n)
{
    __shared__ int slots[4][16]; // for each warp, a run
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int first = (blockIdx.x * 4 + warp) * 8 * 16; // of the first of 8 runs

    for (int round = 0; round < 8; round++) {
        int i = first + 16 * round + lane % 16;
        if (lane < 16) {
            slots[warp][lane] = i < n ? in[i] : INT_MAX;
        }
        __syncwarp(); // the run is complete
        if (lane >= 16 && i < n) {
            int mine = slots[warp][lane - 16];
            int smaller = 0;
            for (int k = 0; k < 16; k++) {
                smaller += slots[warp][k] < mine;
            }
            out[i] = smaller;
        }
        __syncwarp(); // and ranked: its place is free
    }
}

// The answers to the chapter's questions.
__constant__ int answer_alone = 6;     // its own 1, and five others that nobody has added to yet
__constant__ int answer_tree = 1;      // who reads or writes what another one wrote, does so a round later
__constant__ int answer_sets = 1;      // the barrier of the round between keeps the two apart
__constant__ int answer_locks = 5;     // A and C; in B the owner waits for those who want the lock
__constant__ int answer_mask = 0xffff; // lanes 0 to 15
