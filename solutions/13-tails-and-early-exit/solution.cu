// SPDX-License-Identifier: MIT
//
// Lesson 13, solution.
//
//   out[i] = peak of the block - in[i]        for all 0 <= i < n
//
// Why this is good: every thread of the block takes part to the end, so that each shuffle finds all
// 32 lanes and the barrier all 8 warps. A thread without an element puts in INT_MIN, the neutral
// value of the maximum: it changes no peak. The guard stands where memory is touched, at the load
// and at the store, and nowhere else; both become predicates, not branches.

#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    __shared__ int peaks[8]; // one array for the whole block: the peak of each warp

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    int x = i < n ? in[i] : INT_MIN;

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

    if (i < n) {
        out[i] = peak - x;
    }
}

// The answers to the chapter's questions.
__constant__ int answer_idle_threads = 24;  // 4 blocks have 1024 threads
__constant__ int answer_empty_warps = 3;    // 132 elements: 4 warps, 4 lanes of the fifth
__constant__ int answer_guard_branches = 0; // a predicate on EXIT, no branch
__constant__ int answer_neutral = 1;        // 1 * p is p
