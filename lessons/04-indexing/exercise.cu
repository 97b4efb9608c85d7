// SPDX-License-Identifier: MIT
//
// Lesson 04: Indexing
//
// Task 1, transpose: `in` is an array of `height` rows and `width` columns, stored row by row.
//     Write its transpose to `out`, an array of `width` rows and `height` columns, stored row by
//     row: the element in row y and column x of `in` goes to row x and column y of `out`.
//     Launch: blocks of 32 x 8 x 1 threads; the grid covers `width` in x and `height` in y.
//
// Task 2, flatten: `out` is a box of `width` x `height` x `depth` cells in one array; x runs
//     fastest, then y, then z. Write to the cell at (x, y, z) the number that tells where it lies:
//     x + 1000 y + 1000000 z.
//     Launch: blocks of 8 x 4 x 4 threads; the grid covers all three lengths.
//
// Target: at most 7,000 warp instructions for transpose at 96 x 64 elements, and at most 9,000 for
//     flatten at 32 x 16 x 12 cells.
//
// The grid covers the lengths but may reach beyond them: threads that have no element must not
// touch memory. Do what each TODO says, at its place, and leave the rest as it is.

#include <cuda_runtime.h>

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    // TODO 1: these are the thread's place in its block; make them its place in the whole grid
    int x = threadIdx.x;
    int y = threadIdx.y;

    if (x >= width || y >= height) {
        return;
    }

    // TODO 2: this line copies; make it transpose
    out[y * width + x] = in[y * width + x];
}

extern "C" __global__ void flatten(int *out, int width, int height, int depth)
{
    // TODO 3: compute column x, row y and layer z of this thread in the whole grid, below this line

    // TODO 4: write the guard below this line: leave if there is no such cell

    // TODO 5: write the tag x + 1000 y + 1000000 z to the cell, below this line
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 6
__constant__ int answer_thread_number = -1; // question 1
__constant__ int answer_warp = -1;          // question 2
__constant__ int answer_idle_threads = -1;  // question 3
__constant__ int answer_out_index = -1;     // question 4
