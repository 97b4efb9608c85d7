// expect: failed correct race
// Every round begins at the same slot.
#include <cuda_runtime.h>

extern "C" __global__ void keep(const int *in, int *kept, int *count, int n)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;

    int x[4];
    unsigned stays[4];
    int total = 0;
    for (int round = 0; round < 4; round++) {
        int i = 128 * warp + 32 * round + lane;
        x[round] = i < n ? in[i] : -1;
        stays[round] = __ballot_sync(0xffffffff, x[round] >= 0);
        total += __popc(stays[round]);
    }

    int first = 0;
    if (lane == 0) {
        first = atomicAdd(&count[0], total);
    }
    first = __shfl_sync(0xffffffff, first, 0);

    unsigned lower_lanes = (1u << lane) - 1;
    for (int round = 0; round < 4; round++) {
        if (x[round] >= 0) {
            kept[first + __popc(stays[round] & lower_lanes)] = x[round];
        }
    }
}
