// expect: failed divergence divergent-branches
// In a block with a ragged end, one thread finds the peak and the others wait for it.
#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    __shared__ int peaks[8];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    int first = blockIdx.x * blockDim.x;
    if (first + (int)blockDim.x > n) {
        if (threadIdx.x == 0) {
            int tail = INT_MIN;
            for (int k = first; k < n; k++) {
                tail = max(tail, in[k]);
            }
            peaks[0] = tail;
        }
        __syncthreads();
        if (i < n) {
            out[i] = peaks[0] - in[i];
        }
        return;
    }
    int x = in[i];

    int peak = x;
    for (int step = 16; step > 0; step /= 2) {
        peak = max(peak, __shfl_xor_sync(0xffffffff, peak, step));
    }

    if (lane == 0) {
        peaks[warp] = peak;
    }
    __syncthreads();
    for (int w = 0; w < 8; w++) {
        peak = max(peak, peaks[w]);
    }

    out[i] = peak - x;
}
