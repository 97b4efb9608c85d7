// expect: failed lanes low-lane-efficiency
// Right, with half of the lanes idle in both sides.
#include <cuda_runtime.h>

extern "C" __global__ void orbit(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = in[i];
    float y = x;
    if (i % 2 == 0) {
        y = y * y - 0.75f;
        y = y * y - 0.75f;
        y = y * y - 0.75f;
        y = y * y - 0.75f;
    } else {
        y = y * x + 0.5f;
        y = y * x + 0.25f;
        y = y * x + 0.125f;
        y = y * x + 0.0625f;
    }
    out[i] = y;
}

__constant__ int answer_a = 0;
__constant__ int answer_b = 0;
__constant__ int answer_c = 1;
__constant__ int answer_d = 1;
__constant__ float answer_lanes = 20;
__constant__ int answer_off = 4;
