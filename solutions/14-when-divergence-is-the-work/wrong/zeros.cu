// expect: failed correct wrong-answer
// Writes zeros everywhere.
extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = 0;
    }
}
