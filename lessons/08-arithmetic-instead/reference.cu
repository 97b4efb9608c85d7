// SPDX-License-Identifier: MIT
//
// Lesson 08, reference: a cheap branch with an expensive side.
//
//   out[i] = in[i] / 3  for even i
//   out[i] = in[i] * 3  for odd i          for all 0 <= i < n
//
// Thread i handles element i, so every warp takes both sides. One side is a single multiplication,
// the other a division, which is a small program of its own.

#include <cuda_runtime.h>

extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float y;
    if (i % 2 == 0) {
        y = in[i] / 3.0f;
    } else {
        y = in[i] * 3.0f;
    }
    out[i] = y;
}
