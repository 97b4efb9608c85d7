// SPDX-License-Identifier: MIT
//
// Lesson 12, reference: the sum of each row, one thread a row.
//
// The rows lie one behind the other in `values`; row r begins at start[r] and ends before
// start[r + 1]. They have different lengths, so the lanes of a warp loop differently often.

#include <cuda_runtime.h>

extern "C" __global__ void row_sums(const int *start, const float *values, float *sums, int rows)
{
    int threads = gridDim.x * blockDim.x;

    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += threads) {
        float sum = 0;
        for (int i = start[row]; i < start[row + 1]; i++) {
            sum += values[i];
        }
        sums[row] = sum;
    }
}
