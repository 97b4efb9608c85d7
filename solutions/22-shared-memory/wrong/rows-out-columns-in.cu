// expect: failed sectors uncoalesced
// Writes rows, but reads columns.
#include <cuda_runtime.h>

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    int y = blockIdx.y * 32 + threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) {
        int x = blockIdx.x * 32 + row;
        if (x < width && y < height) {
            out[x * height + y] = in[y * width + x];
        }
    }
}

__constant__ int answer_row = 1;
__constant__ int answer_column = 32;
__constant__ int answer_even = 2;
__constant__ int answer_bytes = 4224;
