// expect: failed correct cluster-exit
// A block may end while a peer still reads its sum.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

enum { THREADS = 256, BLOCKS = 4 };

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
extern "C" __global__ void __cluster_dims__(BLOCKS, 1, 1)
    normalise(const float *in, float *out, int width)
{
    __shared__ float part; // what this block adds up, for its peers to read

    cg::cluster_group cluster = cg::this_cluster();
    const float *from = in + (size_t)blockIdx.y * width;
    float *to = out + (size_t)blockIdx.y * width;

    float mine = 0;
    int first = blockIdx.x * THREADS + threadIdx.x;
    for (int x = first; x < width; x += BLOCKS * THREADS) {
        mine += from[x];
    }
    float sum = block_sum(mine);
    if (threadIdx.x == 0) {
        part = sum;
    }
    cluster.sync(); // every block's part is written

    float total = 0;
    for (int rank = 0; rank < BLOCKS; rank++) {
        total += *cluster.map_shared_rank(&part, rank);
    }
    for (int x = first; x < width; x += BLOCKS * THREADS) {
        to[x] = from[x] / total;
    }
}
