// expect: failed work over-budget
// Asks 32 times, once about each lane, where one ballot has all the answers.
extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    const unsigned everybody = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned present = __ballot_sync(everybody, i < n);
    bool mine = i < n && in[i] > limit;
    unsigned above = 0;
    for (int lane = 0; lane < 32; lane++) {
        if (__any_sync(everybody, mine && threadIdx.x % 32 == lane)) {
            above |= 1u << lane;
        }
    }

    if (threadIdx.x % 32 == 0 && i < n) {
        int group = i / 32;
        over[group] = __popc(above);
        first[group] = __ffs(above) - 1;
        state[group] = above == 0 ? 0 : (above == present ? 2 : 1);
    }
}
