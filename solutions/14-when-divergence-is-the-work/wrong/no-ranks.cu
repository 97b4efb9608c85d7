// expect: failed correct not-written
// All idle lanes take the same element, and the queue moves on as if they had not.
static const unsigned everybody = 0xffffffffu;

extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    int lane = threadIdx.x % 32;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int warps = gridDim.x * blockDim.x / 32;
    int share = (n + warps - 1) / warps;
    int next = warp * share;        // the queue: the element to hand out next, alike in all lanes
    int end = min(n, next + share); // and where it ends
    int i = end;                    // no element yet
    unsigned x = 1;
    int steps = 0;

    for (;;) {
        // Hand out the next elements to the lanes that have arrived, in the order of the lanes.
        unsigned idle = __ballot_sync(everybody, x == 1);
        if (x == 1) {
            if (i < end) {
                out[i] = steps;
            }
            i = next;
            x = i < end ? in[i] : 1;
            steps = 0;
        }
        next += __popc(idle);
        if (__all_sync(everybody, i >= end)) {
            return;
        }

        // Eight steps; a lane that has arrived stays at 1.
#pragma unroll
        for (int k = 0; k < 8; k++) {
            if (x != 1) {
                x = x % 2 == 0 ? x / 2 : 3 * x + 1;
                steps++;
            }
        }
    }
}
