// expect: failed correct wrong-answer
// The maximum sees an element that has just been overwritten.
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
#pragma unroll
    for (int round = 0; round < WINDOW; round++) {
#pragma unroll
        for (int k = round % 2; k + 1 < WINDOW; k += 2) {
            v[k] = fminf(v[k], v[k + 1]);
            v[k + 1] = fmaxf(v[k], v[k + 1]);
        }
    }
    out[i] = v[WINDOW / 2];
}
