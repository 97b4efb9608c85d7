// SPDX-License-Identifier: MIT
//
// Lesson 05, solution.
//
//   y[i] = a * x[i] + y[i]     for all 0 <= i < n
//
// Why this is good: the loop makes the kernel right for any n with any grid, so that the grid can
// be chosen for speed. In every step the threads of a warp stand at 32 neighbouring elements,
// exactly as in the kernel without a loop. And the loop's condition is the guard: a thread without
// an element does not enter.

#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = a * x[i] + y[i];
    }
}

// The answers to the chapter's questions.
__constant__ int answer_stride = 1792;        // 7 * 256
__constant__ int answer_elements_of_0 = 6;    // 0, 1792, 3584, 5376, 7168, 8960
__constant__ int answer_elements_of_last = 5; // 1791, 3583, 5375, 7167, 8959
__constant__ int answer_idle = 254976;        // 256000 - 1024
