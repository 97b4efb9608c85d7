// SPDX-License-Identifier: MIT
//
// Lesson 24, reference: a running median of 25 samples, which takes clicks out of a recording.
//
//   out[i] = median of in[i], in[i + 1], ... in[i + 24]      for 0 <= i < n
//
// Each thread sorts its samples as one sorts cards: take the next one and push it down until the
// one below is not larger. It is right. But where a sample ends up is known only when the kernel
// runs, and registers have no address that could be computed: the array lies in memory.

#include <cuda_runtime.h>

enum { WINDOW = 25 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float v[WINDOW]; // the samples so far, the smallest first
    for (int k = 0; k < WINDOW; k++) {
        float sample = in[i + k];
        int place = k;
        while (place > 0 && v[place - 1] > sample) {
            v[place] = v[place - 1];
            place--;
        }
        v[place] = sample;
    }
    out[i] = v[WINDOW / 2];
}
