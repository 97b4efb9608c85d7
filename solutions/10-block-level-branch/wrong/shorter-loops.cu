// expect: failed divergence divergent-branches
// Loops over what exists: no question inside, but the lanes of a warp leave them at different
// times.
#include <cuda_runtime.h>

extern "C" __global__ void smooth(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) {
        return;
    }
    int u0 = max(x - 2, 0), u1 = min(x + 2, w - 1);
    int v0 = max(y - 2, 0), v1 = min(y + 2, h - 1);
    float sum = 0;
    for (int v = v0; v <= v1; v++) {
        for (int u = u0; u <= u1; u++) {
            sum += in[v * w + u];
        }
    }
    out[y * w + x] = sum / ((u1 - u0 + 1) * (v1 - v0 + 1));
}

__constant__ int answer_interior = 10;
__constant__ int answer_split_by_thread = 92;
__constant__ int answer_split_by_block = 0;
__constant__ float answer_average = 150.5f;
