// expect: failed others inactive-lane-read
// Lanes without an element have left, and the others take from them.
static const unsigned everybody = 0xffffffffu;

extern "C" __global__ void running_sum(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float sum = i < n ? in[i] : 0.0f;
    for (int distance = 1; distance < 32; distance *= 2) {
        float below = __shfl_up_sync(everybody, sum, distance);
        if (lane >= distance) {
            sum += below;
        }
    }
    if (i < n) {
        out[i] = sum;
    }
}

extern "C" __global__ void others(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float mine = in[i];
    float sum = mine;
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(everybody, sum, distance);
    }
    if (i < n) {
        out[i] = sum - mine;
    }
}

extern "C" __global__ void relative(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? in[i] : 0.0f;
    float first = __shfl_sync(everybody, mine, 0, 8);
    if (i < n) {
        out[i] = mine - first;
    }
}
