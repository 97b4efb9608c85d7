// expect: failed votes over-budget
// The reference: one lane reads the whole group, and 31 wait.
extern "C" __global__ void survey(const float *in, int n, float limit, int *over, int *first,
                                  int *state)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || threadIdx.x % 32 != 0) {
        return;
    }

    int count = 0, place = -1, present = 0;
    for (int lane = 0; lane < 32 && i + lane < n; lane++) {
        if (in[i + lane] > limit) {
            count++;
            if (place < 0) {
                place = lane;
            }
        }
        present++;
    }
    int group = i / 32;
    over[group] = count;
    first[group] = place;
    state[group] = count == 0 ? 0 : (count == present ? 2 : 1);
}
