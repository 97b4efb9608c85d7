// SPDX-License-Identifier: MIT
//
// Lesson 26: Distributed shared memory
//
// Task: divide each element by the sum of its row. Four blocks work on a row, and each of them adds
//     up all of it. Make them a cluster: each adds up its own part, and reads the sums of the
//     others out of their shared memory.
// Launch: 256 threads a block; the grid has 4 blocks in x and a row for each y. It is launched as
//     always, so the kernel itself has to say that it wants clusters.
// Target: at most 28,000 sectors of global memory for 16 rows of 4096, and nothing stored there but
//     the quotients.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

enum { THREADS = 256, BLOCKS = 4 };

// The sum of `value` over all threads of the block, in every thread. Nothing to do here.
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
// TODO 1: the four blocks of a row are a cluster
extern "C" __global__ void normalise(const float *in, float *out, int width)
{
    const float *from = in + (size_t)blockIdx.y * width;
    float *to = out + (size_t)blockIdx.y * width;

    // TODO 2: each block adds up its own part only, the one that it writes below
    float mine = 0;
    for (int x = threadIdx.x; x < width; x += THREADS) {
        mine += from[x];
    }
    float sum = block_sum(mine);

    // TODO 3: leave the sum where the others can read it, wait for them, and add up all four

    int first = blockIdx.x * THREADS + threadIdx.x;
    for (int x = first; x < width; x += BLOCKS * THREADS) {
        to[x] = from[x] / sum;
    }

    // TODO 4: may this block end now?
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 5
__constant__ int answer_clusters = -1; // question 1
__constant__ int answer_sectors = -1;  // question 2
__constant__ int answer_pull = -1;     // question 3
__constant__ int answer_push = -1;     // question 4
