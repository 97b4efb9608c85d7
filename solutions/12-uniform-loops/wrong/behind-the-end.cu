// expect: failed correct out-of-bounds nan
// The last row reads behind the array.
#include <cuda_runtime.h>

extern "C" __global__ void row_sums(const int *start, const float *values, float *sums, int rows)
{
    int lane = threadIdx.x % 32;
    int warps = gridDim.x * blockDim.x / 32;

    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        int first = start[row], end = start[row + 1];
        float sum = 0;
        for (int base = first; base < end; base += 32) {
            int i = base + lane;
            sum += values[i];
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
