// expect: failed budget over-budget
// All lanes compute both sides, and `?:` picks one: the lanes are busy, half of the work is for
// nothing.
#include <cuda_runtime.h>

extern "C" __global__ void orbit(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = in[i];
    float even = x;
    even = even * even - 0.75f;
    even = even * even - 0.75f;
    even = even * even - 0.75f;
    even = even * even - 0.75f;
    float odd = x * x + 0.5f;
    odd = odd * x + 0.25f;
    odd = odd * x + 0.125f;
    odd = odd * x + 0.0625f;
    out[i] = i % 2 == 0 ? even : odd;
}

__constant__ int answer_a = 0;
__constant__ int answer_b = 0;
__constant__ int answer_c = 1;
__constant__ int answer_d = 1;
__constant__ float answer_lanes = 20;
__constant__ int answer_off = 4;
