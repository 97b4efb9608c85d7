// expect: failed budget over-budget
// An even and an odd element a thread, as it should be. But a thread without an element does not
// return: it passes both guards.
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
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        out[i] = even_side(in[i]);
    }
    if (i + 1 < n) {
        out[i + 1] = odd_side(in[i + 1]);
    }
}

__constant__ int answer_a = 0;
__constant__ int answer_b = 0;
__constant__ int answer_c = 1;
__constant__ int answer_d = 1;
__constant__ float answer_lanes = 20;
__constant__ int answer_off = 4;
