// expect: failed lanes low-lane-efficiency
// The same with ?: instead of if: the compiler does the same.
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = i % 2 == 0 ? even_side(in[i]) : odd_side(in[i]);
}

__constant__ int answer_a = 0;
__constant__ int answer_b = 0;
__constant__ int answer_c = 1;
__constant__ int answer_d = 1;
__constant__ float answer_lanes = 20;
__constant__ int answer_off = 4;
