// expect: failed correct nan
// Makes a mask by dividing odd by odd: for even elements that is 0 / 0.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float odd = i % 2;
    float mask = odd / odd;
    out[i] = in[i] * (1.0f / 3.0f + mask * (3.0f - 1.0f / 3.0f));
}
