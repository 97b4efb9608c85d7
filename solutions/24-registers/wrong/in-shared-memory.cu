// expect: failed instructions over-budget
// Moves the array to shared memory, and every access with it.
#include <cuda_runtime.h>

enum { WINDOW = 25 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    __shared__ float all[WINDOW][256];
    for (int k = 0; k < WINDOW; k++) {
        float sample = in[i + k];
        int place = k;
        while (place > 0 && all[place - 1][threadIdx.x] > sample) {
            all[place][threadIdx.x] = all[place - 1][threadIdx.x];
            place--;
        }
        all[place][threadIdx.x] = sample;
    }
    out[i] = all[WINDOW / 2][threadIdx.x];
}
