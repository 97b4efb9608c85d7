// expect: failed correct wrong-answer
// Writes zeros everywhere.
extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[i] = 0.0f;
}
