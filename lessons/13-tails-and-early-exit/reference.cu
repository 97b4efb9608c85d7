// SPDX-License-Identifier: MIT
//
// Lesson 13, reference: every thread works alone.
//
//   out[i] = peak of the block - in[i]        for all 0 <= i < n
//
// The block's peak is the largest of its 256 elements; the last block may have fewer. Here each
// thread reads them all. Nobody waits for anybody, so a thread without an element may simply
// return. That is right, and 256 threads do the same work 256 times.

#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    int first = blockIdx.x * blockDim.x;
    int end = min(n, first + (int)blockDim.x);
    int peak = in[first];
    for (int k = first + 1; k < end; k++) {
        peak = max(peak, in[k]);
    }
    out[i] = peak - in[i];
}
