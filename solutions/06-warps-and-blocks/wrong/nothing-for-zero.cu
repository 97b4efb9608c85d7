// expect: failed plan wrong-answer
// No block for n = 0: a launch that is an error.
#include <cuda_runtime.h>

#define TERMS 64

extern "C" __global__ void series(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = in[i], sum = 1;
    for (int k = 0; k < TERMS; k++) {
        sum = sum * x + 1;
    }
    out[i] = sum;
}

extern "C" void plan_launch(int n, dim3 *grid, dim3 *block)
{
    *block = dim3(256);
    *grid = dim3(((unsigned)n + 255) / 256);
}
