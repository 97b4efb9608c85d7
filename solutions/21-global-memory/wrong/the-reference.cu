// expect: failed structures-sectors uncoalesced
// Right, and each sector is moved several times.
#include <cuda_runtime.h>

extern "C" __global__ void drift_structures(const float *in, float *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[2 * i] = in[4 * i] + dt * in[4 * i + 2];
    out[2 * i + 1] = in[4 * i + 1] + dt * in[4 * i + 3];
}

extern "C" __global__ void drift_arrays(const float *in, float *out, float dt, int n)
{
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 4 && i < n; i++) {
        out[i] = in[i] + dt * in[2 * n + i];
        out[n + i] = in[n + i] + dt * in[3 * n + i];
    }
}

__constant__ int answer_neighbours = 4;
__constant__ int answer_stride_of_4 = 16;
__constant__ int answer_stride_of_64 = 32;
__constant__ float answer_used = 12.5f;
