// expect: failed correct wrong-answer
// A mean is not a median.
#include <cuda_runtime.h>

enum { WINDOW = 25 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float v[WINDOW];
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
        v[k] = in[i + k];
    }

    float sum = 0;
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
        sum += v[k];
    }
    out[i] = sum / WINDOW;
}
