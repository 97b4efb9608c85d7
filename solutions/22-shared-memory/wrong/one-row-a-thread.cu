// expect: failed correct uninitialised-read
// Forgets that eight rows of threads serve 32 rows.
#include <cuda_runtime.h>

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 8; row += 8) {
        int y = blockIdx.y * 32 + row;
        if (x < width && y < height) {
            tile[row][threadIdx.x] = in[y * width + x];
        }
    }
    __syncthreads();
    int y = blockIdx.y * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) {
        int column = blockIdx.x * 32 + row;
        if (y < height && column < width) {
            out[column * height + y] = tile[threadIdx.x][row];
        }
    }
}

__constant__ int answer_row = 1;
__constant__ int answer_column = 32;
__constant__ int answer_even = 2;
__constant__ int answer_bytes = 4224;
