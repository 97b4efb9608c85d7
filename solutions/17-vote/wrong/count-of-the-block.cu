// expect: failed correct wrong-answer
// Counts what a whole block has to say.
extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    const unsigned everybody = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned present = __ballot_sync(everybody, i < n);
    int count = __syncthreads_count(i < n && in[i] > limit);
    unsigned above = __ballot_sync(everybody, i < n && in[i] > limit);

    if (threadIdx.x % 32 == 0 && i < n) {
        int group = i / 32;
        over[group] = count;
        first[group] = __ffs(above) - 1;
        state[group] = above == 0 ? 0 : (above == present ? 2 : 1);
    }
}
