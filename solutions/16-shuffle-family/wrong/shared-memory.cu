// expect: failed scan-loads over-budget
// Keeps the group in shared memory: nothing is shuffled, and everything is loaded again.
extern "C" __global__ void running_sum(const float *in, float *out, int n)
{
    __shared__ float group[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    group[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i >= n) {
        return;
    }
    float sum = 0.0f;
    for (int j = threadIdx.x / 32 * 32; j <= threadIdx.x; j++) {
        sum += group[j];
    }
    out[i] = sum;
}

static const unsigned everybody = 0xffffffffu;

extern "C" __global__ void others(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? in[i] : 0.0f;
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
