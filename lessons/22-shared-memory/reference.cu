// SPDX-License-Identifier: MIT
//
// Lesson 22, reference: the transpose of lesson 04, in tiles of 32 x 32.
//
// It is right, and it reads rows: 4 sectors for each load of a warp. But it writes columns: the 32
// floats of one store lie in 32 sectors.

#include <cuda_runtime.h>

// in: height rows of width floats   out: width rows of height floats
// A block of 32 x 8 threads moves one tile: each thread four elements, 8 rows apart.
extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) {
        int y = blockIdx.y * 32 + row;
        if (x < width && y < height) {
            out[x * height + y] = in[y * width + x];
        }
    }
}
