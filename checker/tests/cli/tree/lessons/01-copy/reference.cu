// Copies with every second thread of a warp.
extern "C" __global__ void copy(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0) {
        for (int k = i; k < i + 2 && k < n; k++) {
            out[k] = in[k];
        }
    }
}
