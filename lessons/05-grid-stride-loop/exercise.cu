// SPDX-License-Identifier: MIT
//
// Lesson 05: The grid-stride loop
//
// Task: y[i] = a * x[i] + y[i] for all 0 <= i < n, each element exactly once, whatever the grid.
// Launch: blocks of 256 threads, and 1, 7 or 1000 of them, whatever n is. So there may be far more
//     elements than threads, or far more threads than elements.
// Target: right for all three grids, and neighbouring threads at neighbouring elements in every
//     step.

#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO 1: this handles one element a thread; let each thread go on until n is reached
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_stride = -1;           // question 1
__constant__ int answer_elements_of_0 = -1;    // question 2
__constant__ int answer_elements_of_last = -1; // question 3
__constant__ int answer_idle = -1;             // question 4
