// SPDX-License-Identifier: MIT
//
// Lesson 26, reference: each element divided by the sum of its row.
//
//   out[row][x] = in[row][x] / (in[row][0] + in[row][1] + ... )      for 0 <= x < width
//
// A row is worked on by four blocks. It is right: each block adds up the whole row, for it has no
// way to ask the three others. So the row is read four times, and once more for the quotients.

#include <cuda_runtime.h>

enum { THREADS = 256 };

// The sum of `value` over all threads of the block, in every thread.
__device__ float block_sum(float value)
{
    __shared__ float of_warp[THREADS / 32];

    for (int d = 16; d > 0; d /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, d);
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = value;
    }
    __syncthreads();

    float sum = 0;
    for (int w = 0; w < THREADS / 32; w++) {
        sum += of_warp[w];
    }
    return sum;
}

// in, out: rows of width floats. Grid: 4 blocks a row in x, the rows in y.
extern "C" __global__ void normalise(const float *in, float *out, int width)
{
    const float *from = in + (size_t)blockIdx.y * width;
    float *to = out + (size_t)blockIdx.y * width;

    float mine = 0;
    for (int x = threadIdx.x; x < width; x += THREADS) { // all of the row
        mine += from[x];
    }
    float sum = block_sum(mine);

    int first = blockIdx.x * THREADS + threadIdx.x;
    for (int x = first; x < width; x += gridDim.x * THREADS) { // every fourth part of it
        to[x] = from[x] / sum;
    }
}
