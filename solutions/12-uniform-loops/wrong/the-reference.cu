// expect: failed lanes low-lane-efficiency
// Right, one thread a row.
#include <cuda_runtime.h>

extern "C" __global__ void row_sums(const int *start, const float *values, float *sums, int rows)
{
    int threads = gridDim.x * blockDim.x;

    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += threads) {
        float sum = 0;
        for (int i = start[row]; i < start[row + 1]; i++) {
            sum += values[i];
        }
        sums[row] = sum;
    }
}

__constant__ int answer_longest = 192;
__constant__ float answer_lanes = 16.5f;
__constant__ int answer_steps = 4;
__constant__ int answer_last = 4;
