// expect: failed correct timeout
// Sorts until nothing is swapped, and never asks whether anything was.
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

    bool sorted = false;
    while (!sorted) {
#pragma unroll
        for (int k = 0; k + 1 < WINDOW; k++) {
            float low = fminf(v[k], v[k + 1]);
            float high = fmaxf(v[k], v[k + 1]);
            v[k] = low;
            v[k + 1] = high;
        }
        sorted = v[0] > v[WINDOW - 1];
    }
    out[i] = v[WINDOW / 2];
}
