// expect: failed kernel out-of-bounds nan
// Always eight terms.
#include <cuda_runtime.h>

__host__ __device__ float horner(float x, const float *c, int terms)
{
    float sum = c[7];
    for (int k = 6; k >= 0; k--) {
        sum = sum * x + c[k];
    }
    return sum;
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
        y[i] = horner(x[i], c, terms);
    }
}

__constant__ int answer_instructions = 7;  // one FFMA for each coefficient but the last
__constant__ int answer_legal_calls = 9;   // 1 + 8
__constant__ int answer_two_roundings = 0; // 1 + 2^-11 + 2^-24 is rounded to 1 + 2^-11
__constant__ int answer_one_rounding = 1;  // the 2^-24 survives
