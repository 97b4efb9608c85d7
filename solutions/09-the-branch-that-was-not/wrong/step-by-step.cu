// expect: failed budget over-budget
// Each step computes both kinds and picks one: the lanes are busy, half of the work is for nothing.
#include <cuda_runtime.h>

extern "C" __global__ void orbit(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    bool even = i % 2 == 0;
    float x = in[i];
    float y = x;
    y = even ? y * y - 0.75f : y * x + 0.5f;
    y = even ? y * y - 0.75f : y * x + 0.25f;
    y = even ? y * y - 0.75f : y * x + 0.125f;
    y = even ? y * y - 0.75f : y * x + 0.0625f;
    out[i] = y;
}

__constant__ int answer_a = 0;
__constant__ int answer_b = 0;
__constant__ int answer_c = 1;
__constant__ int answer_d = 1;
__constant__ float answer_lanes = 20;
__constant__ int answer_off = 4;
