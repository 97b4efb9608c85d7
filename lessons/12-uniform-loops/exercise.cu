// SPDX-License-Identifier: MIT
//
// Lesson 12: Uniform loops
//
// Task: sums[r] = values[start[r]] + ... + values[start[r + 1] - 1] for all 0 <= r < rows. The rows
//     have different lengths, from 0 to 1542. This kernel gives each thread a row of its own, and
//     the warp waits for its longest. Give each *warp* a row.
// Launch: 64 blocks of 256 threads, which are 512 warps, for any number of rows.
// Target: at least 24 of 32 lanes at work, branch efficiency of at least 95 %, and at most 500,000
//     warp instructions at 1,000 rows: each row is added up once.

#include <cuda_runtime.h>

extern "C" __global__ void row_sums(const int *start, const float *values, float *sums, int rows)
{
    // TODO 1: one warp a row; all of its lanes go round the loops equally often
    int threads = gridDim.x * blockDim.x;

    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += threads) {
        float sum = 0;
        for (int i = start[row]; i < start[row + 1]; i++) {
            sum += values[i];
        }
        sums[row] = sum;
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_longest = -1; // question 1
__constant__ float answer_lanes = -1; // question 2
__constant__ int answer_steps = -1;   // question 3
__constant__ int answer_last = -1;    // question 4
