// expect: failed correct race
// Lane 0 keeps the queue in shared memory, and the others read it at once: without __syncwarp()
// they may be ahead of lane 0.
#include <cuda_runtime.h>

static const unsigned everybody = 0xffffffffu;

extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    __shared__ volatile int queue[32];
    int lane = threadIdx.x % 32;
    int mine = threadIdx.x / 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int warps = gridDim.x * blockDim.x / 32;
    int share = (n + warps - 1) / warps;
    int next = warp * share;
    int end = min(n, next + share);
    int i = end;
    unsigned x = 1;
    int steps = 0;

    for (;;) {
        unsigned idle = __ballot_sync(everybody, x == 1);
        if (x == 1) {
            if (i < end) {
                out[i] = steps;
            }
            i = next + __popc(idle & ((1u << lane) - 1));
            x = i < end ? in[i] : 1;
            steps = 0;
        }
        if (lane == 0) {
            queue[mine] = next + __popc(idle);
        }
        next = queue[mine];
        if (__all_sync(everybody, i >= end)) {
            return;
        }
#pragma unroll
        for (int k = 0; k < 8; k++) {
            if (x != 1) {
                x = x % 2 == 0 ? x / 2 : 3 * x + 1;
                steps++;
            }
        }
    }
}
