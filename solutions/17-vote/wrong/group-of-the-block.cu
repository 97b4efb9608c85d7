// expect: failed correct race
// Numbers the groups of each block from 0.
extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    const unsigned everybody = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned present = __ballot_sync(everybody, i < n);
    unsigned above = __ballot_sync(everybody, i < n && in[i] > limit);

    if (threadIdx.x % 32 == 0 && i < n) {
        int group = threadIdx.x / 32;
        over[group] = __popc(above);
        first[group] = __ffs(above) - 1;
        state[group] = above == 0 ? 0 : (above == present ? 2 : 1);
    }
}
