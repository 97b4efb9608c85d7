// SPDX-License-Identifier: MIT
//
// Lesson 07, reference: every warp takes both sides of the branch.
//
//   out[i] = expf(in[i])  for even i
//   out[i] = logf(in[i])  for odd i        for all 0 <= i < n
//
// Thread i handles element i. Neighbouring threads lie in the same warp and want different
// functions, so each warp runs both, one after the other, with half of its lanes idle.

#include <cuda_runtime.h>

extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float y;
    if (i % 2 == 0) {
        y = expf(in[i]);
    } else {
        y = logf(in[i]);
    }
    out[i] = y;
}
