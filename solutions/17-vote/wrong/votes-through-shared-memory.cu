// expect: failed correct race
// Lane 0 leaves the votes in shared memory for three lanes that report, without __syncwarp() between
// the two.
#include <cuda_runtime.h>

extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    __shared__ volatile unsigned votes[8], voters[8];
    const unsigned everybody = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int group = i / 32;
    unsigned present = __ballot_sync(everybody, i < n);
    unsigned above = __ballot_sync(everybody, i < n && in[i] > limit);

    if (lane == 0) {
        votes[warp] = above;
        voters[warp] = present;
    }
    unsigned said = votes[warp];
    unsigned asked = voters[warp];
    if (group * 32 < n) {
        if (lane == 0) {
            over[group] = __popc(said);
        }
        if (lane == 1) {
            first[group] = __ffs(said) - 1;
        }
        if (lane == 2) {
            state[group] = said == 0 ? 0 : (said == asked ? 2 : 1);
        }
    }
}
