// SPDX-License-Identifier: MIT
//
// Lesson 02: Which side does a function run on?
//
// A polynomial with `terms` coefficients is c[0] + c[1] x + c[2] x^2 + ... Write one function that
// evaluates it by Horner's rule, and use it on both sides: in a kernel, where every thread takes
// one point, and in a host function, where a loop takes all of them.
//
// Do what each TODO says, at its place, and leave the rest as it is. `terms` is at least 1.

#include <cuda_runtime.h>

// TODO 1: the compiler makes this function for the GPU only; ask for both sides
// TODO 2: evaluate the polynomial by Horner's rule
__device__ float horner(float x, const float *c, int terms)
{
    return 0;
}

extern "C" __global__ void evaluate(const float *x, const float *c, float *y, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = horner(x[i], c, terms);
    }
}

extern "C" void evaluate_on_host(const float *x, const float *c, float *y, int n, int terms)
{
    for (int i = 0; i < n; i++) {
        // TODO 3: call the same function as the kernel, below this line
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 4
__constant__ int answer_instructions = -1;  // question 1
__constant__ int answer_legal_calls = -1;   // question 2
__constant__ int answer_two_roundings = -1; // question 3
__constant__ int answer_one_rounding = -1;  // question 4
