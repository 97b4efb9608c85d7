// expect: failed correct wrong-answer
// Writes zeros everywhere.
#include <cuda_runtime.h>

extern "C" __global__ void smooth(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) {
        return;
    }
    out[y * w + x] = 0;
}

__constant__ int answer_interior = 10;
__constant__ int answer_split_by_thread = 92;
__constant__ int answer_split_by_block = 0;
__constant__ float answer_average = 150.5f;
