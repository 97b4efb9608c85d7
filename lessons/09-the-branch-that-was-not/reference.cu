// SPDX-License-Identifier: MIT
//
// Lesson 09, reference: two short sides.
//
// Even elements take four steps of y = y * y - 0.75, odd ones four steps of y = y * x + c. The
// compiler makes no branch of the `if`: it puts both sides under predicates.

#include <cuda_runtime.h>

extern "C" __global__ void orbit(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float x = in[i];
    float y = x;
    if (i % 2 == 0) {
        y = y * y - 0.75f;
        y = y * y - 0.75f;
        y = y * y - 0.75f;
        y = y * y - 0.75f;
    } else {
        y = y * x + 0.5f;
        y = y * x + 0.25f;
        y = y * x + 0.125f;
        y = y * x + 0.0625f;
    }
    out[i] = y;
}
