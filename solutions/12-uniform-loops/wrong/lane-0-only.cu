// expect: failed lanes low-lane-efficiency
// Only lane 0 of each warp works.
#include <cuda_runtime.h>

extern "C" __global__ void row_sums(const int *start, const float *values, float *sums, int rows)
{
    int warps = gridDim.x * blockDim.x / 32;
    if (threadIdx.x % 32 != 0) {
        return;
    }
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
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
