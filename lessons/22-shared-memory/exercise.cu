// SPDX-License-Identifier: MIT
//
// Lesson 22: Shared memory
//
// Task: this kernel transposes already: it reads rows, and writes columns. Let it read rows and
//     write rows. What lies between is a tile in shared memory.
// Launch: blocks of 32 x 8 threads, one for each tile of 32 x 32 elements. Each thread moves four
//     elements, 8 rows apart. The last tiles hang over the edge.
// Target: at most 1.05 times the sectors of global memory that are possible, and at most 1.05 times
//     the wavefronts of shared memory.

#include <cuda_runtime.h>

// in: height rows of width floats   out: width rows of height floats
extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    // TODO 1: a tile in shared memory

    // TODO 2: put the floats into the tile, and wait until all threads have done it
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) {
        int y = blockIdx.y * 32 + row;
        if (x < width && y < height) {
            out[x * height + y] = in[y * width + x];
        }
    }

    // TODO 3: write the tile, so that the lanes of a warp are side by side in out
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 4
__constant__ int answer_row = -1;    // question 1
__constant__ int answer_column = -1; // question 2
__constant__ int answer_even = -1;   // question 3
__constant__ int answer_bytes = -1;  // question 4
