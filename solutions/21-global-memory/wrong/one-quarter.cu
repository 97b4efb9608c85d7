// expect: failed arrays not-written
// One particle a thread, and a grid for four.
#include <cuda_runtime.h>

extern "C" __global__ void drift_structures(const float *in, float *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float4 body = reinterpret_cast<const float4 *>(in)[i];
    float2 place = {body.x + dt * body.z, body.y + dt * body.w};
    reinterpret_cast<float2 *>(out)[i] = place;
}

extern "C" __global__ void drift_arrays(const float *in, float *out, float dt, int n)
{
    int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && stride > 0) {
        out[i] = in[i] + dt * in[2 * n + i];
        out[n + i] = in[n + i] + dt * in[3 * n + i];
    }
}

__constant__ int answer_neighbours = 4;
__constant__ int answer_stride_of_4 = 16;
__constant__ int answer_stride_of_64 = 32;
__constant__ float answer_used = 12.5f;
