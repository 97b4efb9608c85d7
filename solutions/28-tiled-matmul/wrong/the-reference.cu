// expect: failed sectors over-budget
// Right, and every factor comes from global memory.
#include <cuda_runtime.h>

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int rows, int inner,
                                  int columns)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int r = 0; r < 4; r++) {
        int row = blockIdx.y * 32 + threadIdx.y + 8 * r;
        if (row < rows && column < columns) {
            float sum = 0;
            for (int k = 0; k < inner; k++) {
                sum += a[row * inner + k] * b[k * columns + column];
            }
            c[row * columns + column] = sum;
        }
    }
}

__constant__ int answer_reads = 104;
__constant__ int answer_blocks = 4;
__constant__ int answer_bytes = 8192;
__constant__ int answer_loads = 64;
