// expect: failed plan-1d wrong-answer
// Right for a million elements, and for nothing else.
#include <cuda_runtime.h>

static unsigned blocks_for(int length, unsigned block)
{
    return (length - 1) / block + 1; // rounded up; length is at least 1
}

extern "C" void plan_1d(int n, dim3 *grid, dim3 *block)
{
    *block = dim3(256);
    *grid = dim3(4096);
}

extern "C" void plan_2d(int width, int height, dim3 *grid, dim3 *block)
{
    *block = dim3(16, 64);
    *grid = dim3(blocks_for(width, block->x), blocks_for(height, block->y));
}

extern "C" void plan_3d(int width, int height, int depth, dim3 *grid, dim3 *block)
{
    *block = dim3(8, 64, 2);
    *grid = dim3(blocks_for(width, block->x), blocks_for(height, block->y),
                 blocks_for(depth, block->z));
}

__constant__ int answer_blocks = 2772;           // 63 x 44
__constant__ int answer_idle_threads = 9632;     // 1008 x 704 - 1000 x 700
__constant__ int answer_block_height = 46;       // 3,000,000 / 65,535 = 45.8
__constant__ int answer_resident_threads = 1024; // 32 blocks of 32
