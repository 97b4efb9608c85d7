// expect: failed budget over-budget
// The reference: right, and 25 questions for every element.
#include <cuda_runtime.h>

extern "C" __global__ void smooth(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) {
        return;
    }
    float sum = 0;
    int count = 0;
    for (int v = y - 2; v <= y + 2; v++) {
        for (int u = x - 2; u <= x + 2; u++) {
            if (0 <= u && u < w && 0 <= v && v < h) {
                sum += in[v * w + u];
                count++;
            }
        }
    }
    out[y * w + x] = sum / count;
}

__constant__ int answer_interior = 10;
__constant__ int answer_split_by_thread = 92;
__constant__ int answer_split_by_block = 0;
__constant__ float answer_average = 150.5f;
