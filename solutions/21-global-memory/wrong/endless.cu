// expect: failed structures timeout
// Never leaves.
#include <cuda_runtime.h>

extern "C" __global__ void drift_structures(const float *in, float *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    while (dt > 0) {
        out[2 * i] = in[4 * i];
    }
}

extern "C" __global__ void drift_arrays(const float *in, float *out, float dt, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        out[i] = in[i] + dt * in[2 * n + i];
        out[n + i] = in[n + i] + dt * in[3 * n + i];
    }
}

__constant__ int answer_neighbours = 4;
__constant__ int answer_stride_of_4 = 16;
__constant__ int answer_stride_of_64 = 32;
__constant__ float answer_used = 12.5f;
