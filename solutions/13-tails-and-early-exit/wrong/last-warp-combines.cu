// expect: failed correct race
// The last warp combines the peaks without waiting for the others. It is right as long as the warps
// run one after the other, first to last, and nothing promises that.
#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    __shared__ int peaks[8];
    __shared__ int peak_of_block;

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
    if (warp == 7) {
        peak = lane < 7 ? max(peak, peaks[lane]) : peak;
        for (int step = 4; step > 0; step /= 2) {
            peak = max(peak, __shfl_xor_sync(0xffffffff, peak, step));
        }
        if (lane == 0) {
            peak_of_block = peak;
        }
    }
    __syncthreads();

    if (i < n) {
        out[i] = peak_of_block - x;
    }
}
