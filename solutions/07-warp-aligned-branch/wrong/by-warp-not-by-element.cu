// expect: failed correct wrong-answer
// Lets whole warps agree, but on the wrong function: the element decides, not the warp.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int odd = i / 32 % 2;
    float y;
    if (odd == 0) {
        y = expf(in[i]);
    } else {
        y = logf(in[i]);
    }
    out[i] = y;
}
