// SPDX-License-Identifier: MIT
//
// Lesson 28, reference: the product of two matrices, straight from global memory.
//
// Each element of c is the sum of `inner` products. The lanes of a warp are side by side in a row
// of c, so they read rows of b side by side, and all of them the same element of a. It is right for
// every shape. But every element of a and b is read again for each element of c that needs it.

#include <cuda_runtime.h>

// a: rows x inner   b: inner x columns   c: rows x columns
// A block of 32 x 8 threads makes a tile of 32 x 32 elements of c: each thread four of them, 8 rows
// apart.
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int rows, int inner,
                                  int columns)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int r = 0; r < 4; r++) {
        int row = blockIdx.y * 32 + threadIdx.y + 8 * r;
        if (row < rows && column < columns) {
            float sum = 0;
            for (int k = 0; k < inner; k++) {
                sum += a[row * inner + k] * b[k * columns + column];
            }
            c[row * columns + column] = sum;
        }
    }
}
