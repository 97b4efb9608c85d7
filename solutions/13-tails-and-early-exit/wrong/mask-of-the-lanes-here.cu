// expect: failed correct inactive-lane-read
// The mask names only lanes that have an element, but lanes read from the others all the same.
#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    __shared__ int peaks[8];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    if (threadIdx.x < 8) {
        peaks[threadIdx.x] = INT_MIN;
    }
    __syncthreads();

    unsigned here = __ballot_sync(0xffffffff, i < n);
    int x = i < n ? in[i] : INT_MIN;
    int peak = x;
    if (i < n) {
        for (int step = 16; step > 0; step /= 2) {
            peak = max(peak, __shfl_xor_sync(here, peak, step));
        }
        if (lane == 0) {
            peaks[warp] = peak;
        }
    }
    __syncthreads();
    for (int w = 0; w < 8; w++) {
        peak = max(peak, peaks[w]);
    }

    if (i < n) {
        out[i] = peak - x;
    }
}

__constant__ int answer_idle_threads = 24;
__constant__ int answer_empty_warps = 3;
__constant__ int answer_guard_branches = 0;
__constant__ int answer_neutral = 1;
