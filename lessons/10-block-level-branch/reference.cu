// SPDX-License-Identifier: MIT
//
// Lesson 10, reference: a picture made smoother, with care everywhere.
//
// out[y][x] is the mean of the 5 x 5 values around in[y][x]. At the edges of the picture fewer than
// 25 of them exist, and the mean is of those. in and out are w wide and h high, row after row.
//
// Every thread asks of every neighbour whether it exists, also where no neighbour can be missing.

#include <cuda_runtime.h>

extern "C" __global__ void smooth(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) {
        return;
    }

    float sum = 0;
    int count = 0;
    for (int v = y - 2; v <= y + 2; v++) {
        for (int u = x - 2; u <= x + 2; u++) {
            if (0 <= u && u < w && 0 <= v && v < h) {
                sum += in[v * w + u];
                count++;
            }
        }
    }
    out[y * w + x] = sum / count;
}
