// expect: failed correct not-written
// Pairs whole blocks: in an odd number of blocks the last one has no partner.
#include <cuda_runtime.h>

extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int odd = blockIdx.x % 2;
    int first = blockIdx.x / 2 * 2 * blockDim.x;
    int i = first + 2 * threadIdx.x + odd;
    if (i >= n) {
        return;
    }

    float y;
    if (odd == 0) {
        y = expf(in[i]);
    } else {
        y = logf(in[i]);
    }
    out[i] = y;
}
