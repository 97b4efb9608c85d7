// expect: failed ranks timeout out-of-bounds
// Takes the next run and never counts it.
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
    __shared__ int slots[4][16]; // for each warp, a run
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int first = (blockIdx.x * 4 + warp) * 8 * 16; // of the first of 8 runs

    for (int round = 0; round < 8; first += 16) {
        int i = first + 16 * round + lane % 16;
        if (lane < 16) {
            slots[warp][lane] = i < n ? in[i] : INT_MAX;
        }
        __syncwarp(); // the run is complete
        if (lane >= 16 && i < n) {
            int mine = slots[warp][lane - 16];
            int smaller = 0;
            for (int k = 0; k < 16; k++) {
                smaller += slots[warp][k] < mine;
            }
            out[i] = smaller;
        }
        __syncwarp(); // and ranked: its place is free
    }
}
