// expect: failed correct out-of-bounds
// Knows the measured size by heart and forgets n.
extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    const unsigned everybody = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned present = __ballot_sync(everybody, i < 16384);
    unsigned above = __ballot_sync(everybody, i < 16384 && in[i] > limit);

    if (threadIdx.x % 32 == 0 && i < 16384) {
        int group = i / 32;
        over[group] = __popc(above);
        first[group] = __ffs(above) - 1;
        state[group] = above == 0 ? 0 : (above == present ? 2 : 1);
    }
}
