// expect: failed ranks-loads over-budget
// Needs no barrier: each consumer loads the whole run from global memory.
#include <cuda_runtime.h>

extern "C" __global__ void warp_scan(const int *in, int *out, int n)
{
    __shared__ int sums[256];
    int t = threadIdx.x;
    int lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    int sum = i < n ? in[i] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
        sums[t] = sum;
        __syncwarp(); // all have written before anybody reads
        if (lane >= distance) {
            sum += sums[t - distance];
        }
        __syncwarp(); // all have read before anybody writes again
    }
    if (i < n) {
        out[i] = sum;
    }
}

extern "C" __global__ void ranks(const int *in, int *out, int n)
{
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int first = (blockIdx.x * 4 + warp) * 8 * 16;

    for (int run = first + 16 * (lane / 16); run < first + 8 * 16; run += 32) {
        int i = run + lane % 16;
        if (i < n) {
            int smaller = 0;
            for (int k = 0; k < 16; k++) {
                smaller += run + k < n && in[run + k] < in[i];
            }
            out[i] = smaller;
        }
    }
}
