// SPDX-License-Identifier: MIT
//
// Lesson 28, solution.
//
// Why this is good: a block reads each element of its part of a and b once, by rows, and keeps it
// for 32 uses. What hangs over an edge is filled with zeros, which change no sum, so nobody has to
// sit out. A thread has four sums: an element of b serves all four, and the compiler fetches four
// neighbours of a at once. No bank is asked twice: lanes read a row of b, or all one element of a.

#include <cuda_runtime.h>

// a: rows x inner   b: inner x columns   c: rows x columns
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int rows, int inner,
                                  int columns)
{
    __shared__ float a_tile[32][32];
    __shared__ float b_tile[32][32];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int column = blockIdx.x * 32 + x;
    int first_row = blockIdx.y * 32;
    float sum[4] = {0, 0, 0, 0};

    for (int first_k = 0; first_k < inner; first_k += 32) {
        for (int r = 0; r < 4; r++) {
            int t = y + 8 * r;
            int row = first_row + t;
            int k = first_k + x;
            a_tile[t][x] = row < rows && k < inner ? a[row * inner + k] : 0;
            k = first_k + t;
            b_tile[t][x] = k < inner && column < columns ? b[k * columns + column] : 0;
        }
        __syncthreads(); // both tiles are complete
        for (int k = 0; k < 32; k++) {
            for (int r = 0; r < 4; r++) {
                sum[r] += a_tile[y + 8 * r][k] * b_tile[k][x];
            }
        }
        __syncthreads(); // nobody needs them any more
    }
    for (int r = 0; r < 4; r++) {
        int row = first_row + y + 8 * r;
        if (row < rows && column < columns) {
            c[row * columns + column] = sum[r];
        }
    }
}

// The answers to the chapter's questions.
__constant__ int answer_reads = 104;  // once for each element in its row of c
__constant__ int answer_blocks = 4;   // 104 columns are 4 tiles, the last one ragged
__constant__ int answer_bytes = 8192; // 2 * 32 * 32 * 4
__constant__ int answer_loads = 64;   // 32 of b, and 4 * 32 / 4 of a
