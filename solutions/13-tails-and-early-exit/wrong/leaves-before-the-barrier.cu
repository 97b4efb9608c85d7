// expect: failed correct barrier-divergence
// Leaves when its warp's peak is written down. The values are right: ended threads are not waited
// for. But the rules want all threads at the barrier.
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
    if (i >= n) {
        return;
    }
    __syncthreads();
    for (int w = 0; w < 8; w++) {
        peak = max(peak, peaks[w]);
    }

    out[i] = peak - x;
}

__constant__ int answer_idle_threads = 24;
__constant__ int answer_empty_warps = 3;
__constant__ int answer_guard_branches = 0;
__constant__ int answer_neutral = 1;
