// expect: failed answers wrong-answer
// The kernel is right; the answers count blocks for threads, and C for memory.
#include <cuda_runtime.h>

enum { WINDOW = 25 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float v[WINDOW];
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
        v[k] = in[i + k];
    }
#pragma unroll
    for (int round = 0; round < WINDOW; round++) {
#pragma unroll
        for (int k = round % 2; k + 1 < WINDOW; k += 2) {
            float low = fminf(v[k], v[k + 1]);
            float high = fmaxf(v[k], v[k + 1]);
            v[k] = low;
            v[k + 1] = high;
        }
    }
    out[i] = v[WINDOW / 2];
}

__constant__ int answer_full = 64;
__constant__ int answer_threads = 2;
__constant__ int answer_sectors = 4;
__constant__ int answer_in_registers = 2;
