// expect: failed votes over-budget
// Adds up the answers in five steps, as in lesson 15, and never votes.
extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    bool above = i < n && in[i] > limit;
    int count = above, place = above ? lane : 32;
    for (int d = 16; d > 0; d /= 2) {
        count += __shfl_down_sync(0xffffffffu, count, d);
        place = min(place, __shfl_down_sync(0xffffffffu, place, d));
    }
    if (lane == 0 && i < n) {
        over[i / 32] = count;
        first[i / 32] = count == 0 ? -1 : place;
        state[i / 32] = count == 0 ? 0 : (count == min(32, n - i) ? 2 : 1);
    }
}
