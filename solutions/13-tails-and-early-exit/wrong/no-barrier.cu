// expect: failed correct race
// Reads what the other warps have not written yet.
#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    __shared__ int peaks[8];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    int x = i < n ? in[i] : INT_MIN;

    int peak = x;
    for (int step = 16; step > 0; step /= 2) {
        peak = max(peak, __shfl_xor_sync(0xffffffff, peak, step));
    }

    if (lane == 0) {
        peaks[warp] = peak;
    }
    for (int w = 0; w < 8; w++) {
        peak = max(peak, peaks[w]);
    }

    if (i < n) {
        out[i] = peak - x;
    }
}
