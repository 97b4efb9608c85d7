// SPDX-License-Identifier: MIT
//
// Lesson 04, reference: from one running number back to columns and rows.
//
//   transpose: in  is an array of height rows and width columns,
//              out is an array of width rows and height columns, out[x][y] = in[y][x]
//   flatten:   out is a box of width x height x depth cells, x fastest; every cell gets a tag that
//              tells where it lies: x + 1000 y + 1000000 z
//
// This is how a C programmer might begin: give every thread of the grid one running number, and
// recover column, row and layer from it by division. It is right, and it works hard for it. The
// exercise asks for the short way.

#include <cuda_runtime.h>

// The running number of this thread in the whole grid: 0, 1, 2, ...
__device__ int thread_in_grid()
{
    int threads_per_block = blockDim.x * blockDim.y * blockDim.z;
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * threads_per_block + thread;
}

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    int i = thread_in_grid();
    if (i >= width * height) {
        return;
    }
    int x = i % width; // column of in
    int y = i / width; // row of in
    out[x * height + y] = in[i];
}

extern "C" __global__ void flatten(int *out, int width, int height, int depth)
{
    int i = thread_in_grid();
    if (i >= width * height * depth) {
        return;
    }
    int x = i % width;
    int y = i / width % height;
    int z = i / (width * height);
    out[i] = x + 1000 * y + 1000000 * z;
}
