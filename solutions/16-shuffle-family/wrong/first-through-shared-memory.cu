// expect: failed relative race
// The first lane of a row leaves its value in shared memory, and the others read it at once: they
// count on all lanes being in step.
#include <cuda_runtime.h>

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
    __shared__ volatile float firsts[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? in[i] : 0.0f;
    if (threadIdx.x % 8 == 0) {
        firsts[threadIdx.x / 8] = mine;
    }
    if (i < n) {
        out[i] = mine - firsts[threadIdx.x / 8];
    }
}

// The answers to the chapter's questions.
__constant__ int answer_up = 2;    // there is no lane -1: lane 2 keeps its own
__constant__ int answer_xor = 12;  // 01001 and 00101 differ in 01100
__constant__ int answer_row = 19;  // lane 3 of the row that begins at 16
__constant__ int answer_steps = 3; // distances 1, 2 and 4
