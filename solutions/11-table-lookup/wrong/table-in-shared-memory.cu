// expect: failed lanes low-lane-efficiency
// Right, but each block copies the table first, by 40 of its 256 threads: the rest waits.
#include <cuda_runtime.h>

static __device__ const float table[40] = {
    0, 1, 0,  0, 0, 32, 1.8f, 0,    0,      0,        2, -3, 1, 0, 0, -1, 3, -3, 1, 0,
    1, 0, -2, 0, 1, 1,  1,    0.5f, 0.125f, 0.03125f, 0, -3, 0, 4, 0, 1,  0, -8, 0, 8,
};

extern "C" __global__ void convert(const int *kind, const float *in, float *out, int n)
{
    __shared__ float copy[40];
    if (threadIdx.x < 40) {
        copy[threadIdx.x] = table[threadIdx.x];
    }
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float *c = &copy[5 * kind[i]];
    float x = in[i];
    float y = c[4];
    y = y * x + c[3];
    y = y * x + c[2];
    y = y * x + c[1];
    y = y * x + c[0];
    out[i] = y;
}

__constant__ int answer_ways = 8;
__constant__ int answer_issues = 48;
__constant__ float answer_lanes = 4;
__constant__ int answer_bytes = 160;
