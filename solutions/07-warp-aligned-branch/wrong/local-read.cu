// expect: failed correct wrong-answer
// Reads the element of the thread's place in its block, writes that of its place in the grid.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = thread / 32 % 2;
    int i = thread / 64 * 64 + 2 * (thread % 32) + odd;
    if (i >= n) {
        return;
    }
    float x = in[i % 256];
    float y;
    if (odd == 0) {
        y = expf(x);
    } else {
        y = logf(x);
    }
    out[i] = y;
}
