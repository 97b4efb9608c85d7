// expect: failed divergence divergent-branches
// Right, with the switch.
#include <cuda_runtime.h>

extern "C" __global__ void convert(const int *kind, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = in[i];
    float y;
    switch (kind[i]) {
    case 0:
        y = x;
        break;
    case 1:
        y = 1.8f * x + 32;
        break;
    case 2:
        y = x * x - 3 * x + 2;
        break;
    case 3:
        y = (x - 1) * (x - 1) * (x - 1);
        break;
    case 4:
        y = x * x * x * x - 2 * x * x + 1;
        break;
    case 5:
        y = 1 + x * (1 + x * (0.5f + x * (0.125f + x * 0.03125f)));
        break;
    case 6:
        y = 4 * x * x * x - 3 * x;
        break;
    default:
        y = 8 * x * x * x * x - 8 * x * x + 1;
        break;
    }
    out[i] = y;
}

__constant__ int answer_ways = 8;
__constant__ int answer_issues = 48;
__constant__ float answer_lanes = 4;
__constant__ int answer_bytes = 160;
