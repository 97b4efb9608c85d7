// SPDX-License-Identifier: MIT
//
// Lesson 01: Your first kernel
//
// Task: out[i] = factor * in[i] for all 0 <= i < n, computed by a kernel. `in` and `out` are arrays
//     on the host. Return 0, or the error of the first CUDA call that failed; whatever happens,
//     free what was allocated. n may be 0: then there is nothing to do.
// Target: right for every n, one thread an element, nothing leaked, every failure returned.

#include <cuda_runtime.h>

__global__ void scale(const float *in, float *out, int n, float factor)
{
    // TODO 1: which element does this thread handle? Is there one for it?
    (void)in, (void)out, (void)n, (void)factor; // no warning about them; delete this line
}

extern "C" int scale_on_device(const float *in, float *out, int n, float factor)
{
    // TODO 2: allocate two arrays on the device (cudaMalloc).

    // TODO 3: copy `in` to the device (cudaMemcpy, cudaMemcpyHostToDevice).

    // TODO 4: launch enough blocks of 256 threads. A launch returns nothing: cudaGetLastError tells
    // whether it could be started.

    // TODO 5: copy the result to `out` (cudaMemcpyDeviceToHost); this waits for the kernel.

    // TODO 6: free both arrays (cudaFree), and return the first error, or 0.
    (void)in, (void)out, (void)n, (void)factor; // no warning about them; delete this line
    return cudaSuccess;
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 7
__constant__ int answer_blocks = -1;       // question 1
__constant__ int answer_idle_threads = -1; // question 2
__constant__ int answer_launch_error = -1; // question 3
__constant__ int answer_kernel_error = -1; // question 4
