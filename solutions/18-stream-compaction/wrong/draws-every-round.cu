// expect: failed atomics over-budget
// Votes and draws by hand, but once for each of the four rounds.
#include <cuda_runtime.h>

extern "C" __global__ void keep(const int *in, int *kept, int *count, int n)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;

    for (int round = 0; round < 4; round++) {
        int i = 128 * warp + 32 * round + lane;
        int x = i < n ? in[i] : -1;
        unsigned stays = __ballot_sync(0xffffffff, x >= 0);
        int first = 0;
        if (lane == 0) {
            first = atomicAdd(&count[0], __popc(stays));
        }
        first = __shfl_sync(0xffffffff, first, 0);
        if (x >= 0) {
            kept[first + __popc(stays & ((1u << lane) - 1))] = x;
        }
    }
}
