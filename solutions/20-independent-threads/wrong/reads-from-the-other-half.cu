// expect: failed ranks inactive-lane-read
// The consumers shuffle among themselves, and take from lanes that are not there.
#include <climits>
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

    for (int round = 0; round < 8; round++) {
        int i = first + 16 * round + lane % 16;
        int value = INT_MAX;
        if (lane < 16) {
            value = i < n ? in[i] : INT_MAX;
        } else {
            int mine = __shfl_sync(0xffff0000, value, lane - 16);
            int smaller = 0;
            for (int k = 0; k < 16; k++) {
                smaller += __shfl_sync(0xffff0000, value, k) < mine;
            }
            if (i < n) {
                out[i] = smaller;
            }
        }
    }
}
