// SPDX-License-Identifier: MIT
//
// Lesson 20: Independent threads
//
// Task: repair two kernels that count on lanes moving in step.
//     warp_scan: out[i] = the running sum within each 32 elements.
//     ranks: out[i] = how many of the 16 elements of its run are smaller than in[i]. Lanes 0 to 15
//     load a run into shared memory, lanes 16 to 31 rank it; each warp does that for 8 runs.
// Launch: warp_scan in blocks of 256 threads, the grid covers n; ranks in blocks of 128 threads,
//     each warp has 128 elements. Some threads may have no element.
// Target: no race, in no order of lanes; by __syncwarp() alone: no __syncthreads(), no shuffle, no
//     vote. At most 40,000 warp instructions in warp_scan at n = 16384; in ranks one load from
//     global memory a round.

#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void warp_scan(const int *in, int *out, int n)
{
    __shared__ volatile int sums[256];
    int t = threadIdx.x;
    int lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    sums[t] = i < n ? in[i] : 0;
    // TODO 1: in each round a lane reads what another one has written, and writes what another one
    // reads. Which two moments must be kept apart?
    for (int distance = 1; distance < 32; distance *= 2) {
        if (lane >= distance) {
            sums[t] += sums[t - distance];
        }
    }
    if (i < n) {
        out[i] = sums[t];
    }
}

extern "C" __global__ void ranks(const int *in, int *out, int n)
{
    __shared__ volatile int slots[4][16]; // for each warp, a run
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int first = (blockIdx.x * 4 + warp) * 8 * 16; // of the first of 8 runs

    // TODO 2: a run must be complete before anybody ranks it, and ranked before the next one takes
    // its place. Where do the two halves of the warp meet?
    for (int round = 0; round < 8; round++) {
        int i = first + 16 * round + lane % 16;
        if (lane < 16) {
            slots[warp][lane] = i < n ? in[i] : INT_MAX;
        }
        if (lane >= 16 && i < n) {
            int mine = slots[warp][lane - 16];
            int smaller = 0;
            for (int k = 0; k < 16; k++) {
                smaller += slots[warp][k] < mine;
            }
            out[i] = smaller;
        }
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 3
__constant__ int answer_alone = -1; // question 1
__constant__ int answer_tree = -1;  // question 2
__constant__ int answer_sets = -1;  // question 3
__constant__ int answer_locks = -1; // question 4
__constant__ int answer_mask = -1;  // question 5
