// expect: failed series wrong-answer
// Stops after four terms.
#include <cuda_runtime.h>

#define TERMS 64

extern "C" __global__ void series(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = in[i], sum = 1;
    for (int k = 0; k < TERMS - 60; k++) {
        sum = sum * x + 1;
    }
    out[i] = sum;
}

extern "C" void plan_launch(int n, dim3 *grid, dim3 *block)
{
    const int threads = 256;
    *block = dim3(threads);
    *grid = dim3(n == 0 ? 1 : (n - 1) / threads + 1);
}
