// SPDX-License-Identifier: MIT
//
// Lesson 03: Grid, block, thread
//
// Three functions for the host. Each is given the lengths of a problem and writes a launch for it:
// `*block`, the threads of one block, and `*grid`, the blocks. A plan must
//
//   - stay within the limits of the hardware (the table in the chapter),
//   - have blocks whose number of threads is a multiple of 32,
//   - have a thread for every element, in each dimension,
//   - have at most one block more than needed, in each dimension.
//
// All lengths are at least 1. The longest are n = 2147483647, width or height = 3000000 and
// depth = 65536. Do what each TODO says, at its place, and leave the rest as it is.

#include <cuda_runtime.h>

extern "C" void plan_1d(int n, dim3 *grid, dim3 *block)
{
    // TODO 1: one block of one thread is not enough; choose a block, then cover n
    *block = dim3(1, 1, 1);
    *grid = dim3(1, 1, 1);
}

extern "C" void plan_2d(int width, int height, dim3 *grid, dim3 *block)
{
    // TODO 2: the same in two dimensions; mind how many blocks fit in y
    *block = dim3(1, 1, 1);
    *grid = dim3(1, 1, 1);
}

extern "C" void plan_3d(int width, int height, int depth, dim3 *grid, dim3 *block)
{
    // TODO 3: the same in three dimensions
    *block = dim3(1, 1, 1);
    *grid = dim3(1, 1, 1);
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 4
__constant__ int answer_blocks = -1;           // question 1
__constant__ int answer_idle_threads = -1;     // question 2
__constant__ int answer_block_height = -1;     // question 3
__constant__ int answer_resident_threads = -1; // question 4
