// expect: failed instructions over-budget
// Moves the array to global memory. That is where local memory is, too.
#include <cuda_runtime.h>

enum { WINDOW = 25 };

__device__ float scratch[WINDOW][16384 + 256];

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    for (int k = 0; k < WINDOW; k++) {
        float sample = in[i + k];
        int place = k;
        while (place > 0 && scratch[place - 1][i] > sample) {
            scratch[place][i] = scratch[place - 1][i];
            place--;
        }
        scratch[place][i] = sample;
    }
    out[i] = scratch[WINDOW / 2][i];
}
