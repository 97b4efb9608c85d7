// SPDX-License-Identifier: MIT
//
// Lesson 02, reference: the same function on both sides, and how far the results are apart.
//
//     nvcc -arch=sm_90 -cudart shared -lineinfo lessons/02-function-qualifiers/reference.cu -o both
//     ./warpbook exec ./both
//
// It adds up powers of x. The exercise asks for Horner's rule, which needs half the work.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__host__ __device__ float polynomial(float x, const float *c, int terms)
{
    float sum = 0, power = 1;
    for (int k = 0; k < terms; k++) {
        sum += c[k] * power;
        power *= x;
    }
    return sum;
}

extern "C" __global__ void evaluate(const float *x, const float *c, float *y, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = polynomial(x[i], c, terms);
    }
}

extern "C" void evaluate_on_host(const float *x, const float *c, float *y, int n, int terms)
{
    for (int i = 0; i < n; i++) {
        y[i] = polynomial(x[i], c, terms);
    }
}

int main()
{
    const int n = 1000, terms = 8;
    float *x, *c, *y;
    static float on_host[n];
    if (cudaMallocManaged(&x, n * sizeof *x) != cudaSuccess ||
        cudaMallocManaged(&c, terms * sizeof *c) != cudaSuccess ||
        cudaMallocManaged(&y, n * sizeof *y) != cudaSuccess) {
        printf("There is not enough memory.\n");
        return 1;
    }
    for (int i = 0; i < n; i++) {
        x[i] = -1 + 2.0f * i / n;
    }
    for (int k = 0; k < terms; k++) {
        c[k] = 1.0f / (k + 1);
    }

    evaluate<<<(n + 255) / 256, 256>>>(x, c, y, n, terms);
    cudaError_t error = cudaGetLastError(); // was it launched?
    if (error == cudaSuccess) {
        error = cudaDeviceSynchronize(); // did it end well?
    }
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    evaluate_on_host(x, c, on_host, n, terms);

    int different = 0;
    float worst = 0;
    for (int i = 0; i < n; i++) {
        different += y[i] != on_host[i];
        worst = fmaxf(worst, fabsf(y[i] - on_host[i]));
    }
    printf("%d of %d values differ, by at most %g\n", different, n, worst);
    cudaFree(x);
    cudaFree(c);
    cudaFree(y);
    return 0;
}
