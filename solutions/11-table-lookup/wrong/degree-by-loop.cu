// expect: failed divergence divergent-branches
// Stops at each kind's own degree: lanes loop differently often.
#include <cuda_runtime.h>

static __device__ const float table[8][5] = {
    {0, 1, 0, 0, 0},     // x
    {32, 1.8f, 0, 0, 0}, // 1.8 x + 32
    {2, -3, 1, 0, 0},    // x^2 - 3 x + 2
    {-1, 3, -3, 1, 0},   // (x - 1)^3
    {1, 0, -2, 0, 1},    // (x^2 - 1)^2
    {1, 1, 0.5f, 0.125f, 0.03125f},
    {0, -3, 0, 4, 0}, // 4 x^3 - 3 x
    {1, 0, -8, 0, 8}, // 8 x^4 - 8 x^2 + 1
};

static __device__ const int degree[8] = {1, 1, 2, 3, 4, 4, 3, 4};

extern "C" __global__ void convert(const int *kind, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float *c = table[kind[i]];
    float x = in[i];
    float y = 0;
    for (int d = degree[kind[i]]; d >= 0; d--) {
        y = y * x + c[d];
    }
    out[i] = y;
}

__constant__ int answer_ways = 8;
__constant__ int answer_issues = 48;
__constant__ float answer_lanes = 4;
__constant__ int answer_bytes = 160;
