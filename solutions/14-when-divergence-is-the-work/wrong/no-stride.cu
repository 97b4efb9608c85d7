// expect: failed correct not-written
// One element for each thread, and the grid is smaller than n.
extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int steps = 0;
    for (unsigned x = in[i]; x != 1; steps++) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    }
    out[i] = steps;
}
