// expect: failed budget over-budget
// Counts the warps within the block: every block adds up every row, and the results are right.
#include <cuda_runtime.h>

extern "C" __global__ void row_sums(const int *start, const float *values, float *sums, int rows)
{
    int lane = threadIdx.x % 32;

    for (int row = threadIdx.x / 32; row < rows; row += blockDim.x / 32) {
        int first = start[row], end = start[row + 1];
        float sum = 0;
        for (int base = first; base < end; base += 32) {
            int i = base + lane;
            sum += i < end ? values[i] : 0;
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        }
        if (lane == 0) {
            sums[row] = sum;
        }
    }
}

__constant__ int answer_longest = 192;
__constant__ float answer_lanes = 16.5f;
__constant__ int answer_steps = 4;
__constant__ int answer_last = 4;
