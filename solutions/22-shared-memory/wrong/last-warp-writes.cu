// expect: failed correct race
// The last warp writes the whole tile and does not wait for the others: it is right only if they
// happen to be done.
#include <cuda_runtime.h>

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][33];

    int x = blockIdx.x * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) {
        int y = blockIdx.y * 32 + row;
        if (x < width && y < height) {
            tile[row][threadIdx.x] = in[y * width + x];
        }
    }
    if (threadIdx.y < 7) {
        return;
    }
    __syncwarp();

    int y = blockIdx.y * 32 + threadIdx.x;
    for (int row = 0; row < 32; row++) {
        int column = blockIdx.x * 32 + row;
        if (y < height && column < width) {
            out[column * height + y] = tile[threadIdx.x][row];
        }
    }
}
