// expect: failed lanes low-lane-efficiency
// One flat loop, but lanes leave it in the middle: the compiler makes two nested loops of it.
extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = in[i];
    int steps = 0;
    for (;;) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            bool go = x != 1;
            steps += go;
            x = go ? (x & 1 ? 3 * x + 1 : x >> 1) : 1;
        }
        if (x == 1) {
            out[i] = steps;
            steps = 0;
            i += threads;
            if (i >= n)
                return;
            x = in[i];
        }
    }
}
