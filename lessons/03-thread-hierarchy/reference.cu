// expect: failed plan-1d launch-failed
// SPDX-License-Identifier: MIT
//
// Lesson 03, reference: a whole program. Every thread of a small grid says where it stands.
//
//     nvcc -arch=sm_90 -cudart shared -lineinfo lessons/03-thread-hierarchy/reference.cu -o where
//     ./warpbook exec ./where
//
// The plan is made as a first try would: 16 x 2 threads, and as many blocks as the lengths need.
// It is right for this problem. Taller ones need a taller block; the chapter says why.

#include <cstdio>
#include <cuda_runtime.h>

extern "C" __global__ void where(int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        printf("block (%u, %u) begins at column %d, row %d\n", blockIdx.x, blockIdx.y, x, y);
    }
}

int main()
{
    int width = 40, height = 5;
    dim3 block(16, 2);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);

    printf("%u x %u blocks of %u x %u threads for %d x %d elements\n", grid.x, grid.y, block.x,
           block.y, width, height);
    where<<<grid, block>>>(width, height);
    cudaError_t error = cudaGetLastError(); // was it launched?
    if (error == cudaSuccess) {
        error = cudaDeviceSynchronize(); // did it end well?
    }
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
