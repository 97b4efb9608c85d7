// expect: failed instructions over-budget
// No array at all: loads each sample 26 times.
#include <cuda_runtime.h>

enum { WINDOW = 25 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    for (int k = 0; k < WINDOW; k++) {
        float sample = in[i + k];
        int rank = 0;
        for (int j = 0; j < WINDOW; j++) {
            float other = in[i + j];
            rank += other < sample || (other == sample && j < k);
        }
        if (rank == WINDOW / 2) {
            out[i] = sample;
        }
    }
}
