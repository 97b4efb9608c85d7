// expect: failed divergence divergent-branches
// A chain of ifs in place of the switch.
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

extern "C" __global__ void convert(const int *kind, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = in[i];
    float y = x;
    int k = kind[i];
    if (k == 7) {
        y = 8 * x * x * x * x - 8 * x * x + 1;
    } else if (k == 6) {
        y = 4 * x * x * x - 3 * x;
    } else if (k == 5) {
        y = 1 + x * (1 + x * (0.5f + x * (0.125f + x * 0.03125f)));
    } else if (k == 4) {
        y = x * x * x * x - 2 * x * x + 1;
    } else if (k > 0) {
        const float *c = table[k];
        y = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    }
    out[i] = y;
}

__constant__ int answer_ways = 8;
__constant__ int answer_issues = 48;
__constant__ float answer_lanes = 4;
__constant__ int answer_bytes = 160;
