// expect: failed correct wrong-answer
// Stops after the shuffles: every warp has a peak of its own.
#include <climits>
#include <cuda_runtime.h>

extern "C" __global__ void below_peak(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    int x = i < n ? in[i] : INT_MIN;

    int peak = x;
    for (int step = 16; step > 0; step /= 2) {
        peak = max(peak, __shfl_xor_sync(0xffffffff, peak, step));
    }

    if (i < n) {
        out[i] = peak - x;
    }
}
