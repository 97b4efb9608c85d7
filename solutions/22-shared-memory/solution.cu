// SPDX-License-Identifier: MIT
//
// Lesson 22, solution.
//
// Why this is good: both ways through global memory follow rows, 4 sectors for 32 floats. The turn
// happens in shared memory, which does not mind columns, as long as their elements lie in different
// banks. A row of 33 floats sees to that: one step down is 33 words, one bank further.

#include <cuda_runtime.h>

// in: height rows of width floats   out: width rows of height floats
extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][33]; // one column more than needed: see above

    int x = blockIdx.x * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) {
        int y = blockIdx.y * 32 + row;
        if (x < width && y < height) {
            tile[row][threadIdx.x] = in[y * width + x];
        }
    }
    __syncthreads(); // the tile is complete

    // Column `row` of the tile is a row of out: now the lanes run along y.
    int y = blockIdx.y * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) {
        int column = blockIdx.x * 32 + row;
        if (y < height && column < width) {
            out[column * height + y] = tile[threadIdx.x][row];
        }
    }
}

// The answers to the chapter's questions.
__constant__ int answer_row = 1;      // 32 neighbours: 32 banks
__constant__ int answer_column = 32;  // a row is 32 words: all in one bank
__constant__ int answer_even = 2;     // 64 words for 32 banks: two lanes in each even bank
__constant__ int answer_bytes = 4224; // 32 * 33 * 4
