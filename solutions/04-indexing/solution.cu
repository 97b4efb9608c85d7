// SPDX-License-Identifier: MIT
//
// Lesson 04, solution.
//
//   transpose: in  is an array of height rows and width columns,
//              out is an array of width rows and height columns, out[x][y] = in[y][x]
//   flatten:   out is a box of width x height x depth cells, x fastest; every cell gets a tag that
//              tells where it lies: x + 1000 y + 1000000 z
//
// Why this is good: every coordinate is computed once, has the name it has in the text, and is
// checked against its own length. The row length in each index is that of the array that is
// indexed: width for in, height for out. There is no division and no remainder.

#include <cuda_runtime.h>

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x; // column of in, row of out
    int y = blockIdx.y * blockDim.y + threadIdx.y; // row of in, column of out
    if (x >= width || y >= height) {
        return;
    }
    out[x * height + y] = in[y * width + x];
}

extern "C" __global__ void flatten(int *out, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= width || y >= height || z >= depth) {
        return;
    }
    out[x + width * (y + height * z)] = x + 1000 * y + 1000000 * z;
}

// The answers to the chapter's questions.
__constant__ int answer_thread_number = 51; // 3 + 8 * (2 + 4 * 1)
__constant__ int answer_warp = 1;           // 51 / 32
__constant__ int answer_idle_threads = 257; // 1 x 5 blocks of 256 threads, 31 * 33 elements
__constant__ int answer_out_index = 22;     // row 5, column 2 of an array with 4 columns
