// SPDX-License-Identifier: MIT
//
// Lesson 13: Tails and early exit
//
// Task: out[i] = peak of the block - in[i], for all 0 <= i < n, where the block's peak is the
//     largest of its 256 elements. The last block may have fewer, and all values may be negative.
//     The threads find the peak together: first the 32 of a warp, then the 8 warps of the block.
//     That works wherever every thread has an element. Make it right for every n.
// Launch: blocks of 256 threads; the grid covers n, so some threads of the last block may have no
//     element. For n = 0 there is one block, and no element at all.
// Target: no divergent branch, and at most 48,000 warp instructions at n = 16001.

#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    __shared__ int peaks[8]; // one array for the whole block: the peak of each warp

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    // TODO 1: nobody may leave here, because the others count on all 256 threads. What can a
    // thread without an element put in, so that the peak stays what it is?
    if (i >= n) {
        return;
    }
    int x = in[i];

    // The 32 lanes of a warp compare in five steps. Then each lane knows the warp's peak.
    int peak = x;
    for (int step = 16; step > 0; step /= 2) {
        peak = max(peak, __shfl_xor_sync(0xffffffff, peak, step));
    }

    // The 8 warps of the block write theirs down, wait for each other, and read all of them.
    if (lane == 0) {
        peaks[warp] = peak;
    }
    __syncthreads();
    for (int w = 0; w < 8; w++) {
        peak = max(peak, peaks[w]);
    }

    // TODO 2: who stores a result?
    out[i] = peak - x;
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 3
__constant__ int answer_idle_threads = -1;   // question 1
__constant__ int answer_empty_warps = -1;    // question 2
__constant__ int answer_guard_branches = -1; // question 3
__constant__ int answer_neutral = -1;        // question 4
