// expect: failed lanes low-lane-efficiency
// The cure of lesson 07. But nothing branches here: a whole warp passes the instructions of
// the other side with no lane at work.
#include <cuda_runtime.h>

static __device__ float even_side(float y)
{
    y = y * y - 0.75f;
    y = y * y - 0.75f;
    y = y * y - 0.75f;
    return y * y - 0.75f;
}

static __device__ float odd_side(float x)
{
    float y = x * x + 0.5f;
    y = y * x + 0.25f;
    y = y * x + 0.125f;
    return y * x + 0.0625f;
}

extern "C" __global__ void orbit(const float *in, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = t / 64 * 64 + t % 64 / 32 + t % 32 * 2;
    if (i >= n) {
        return;
    }
    float x = in[i];
    float y = x;
    if (t % 64 < 32) {
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
