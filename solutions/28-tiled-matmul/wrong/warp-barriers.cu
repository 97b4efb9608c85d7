// expect: failed correct race
// Waits for its own warp only: the tiles are filled by eight.
#include <cuda_runtime.h>

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int rows, int inner,
                                  int columns)
{
    __shared__ float a_tile[32][32];
    __shared__ float b_tile[32][32];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int column = blockIdx.x * 32 + x;
    int first_row = blockIdx.y * 32;
    float sum[4] = {0, 0, 0, 0};

    for (int first_k = 0; first_k < inner; first_k += 32) {
        for (int r = 0; r < 4; r++) {
            int t = y + 8 * r;
            int row = first_row + t;
            int k = first_k + x;
            a_tile[t][x] = row < rows && k < inner ? a[row * inner + k] : 0;
            k = first_k + t;
            b_tile[t][x] = k < inner && column < columns ? b[k * columns + column] : 0;
        }
        __syncwarp();
        for (int k = 0; k < 32; k++) {
            for (int r = 0; r < 4; r++) {
                sum[r] += a_tile[y + 8 * r][k] * b_tile[k][x];
            }
        }
        __syncwarp();
    }
    for (int r = 0; r < 4; r++) {
        int row = first_row + y + 8 * r;
        if (row < rows && column < columns) {
            c[row * columns + column] = sum[r];
        }
    }
}

__constant__ int answer_reads = 104;
__constant__ int answer_blocks = 4;
__constant__ int answer_bytes = 8192;
__constant__ int answer_loads = 64;
