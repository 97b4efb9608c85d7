// expect: failed registers over-budget
// Sorts four windows at once: 100 samples in registers.
#include <cuda_runtime.h>

enum { WINDOW = 25 };

enum { EACH = 4 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * EACH;
    if (first >= n) {
        return;
    }

    float v[EACH][WINDOW];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
#pragma unroll
        for (int k = 0; k < WINDOW; k++) {
            v[e][k] = first + e < n ? in[first + e + k] : 0;
        }
    }
    for (int twice = 0; twice < (WINDOW + 1) / 2; twice++) {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
#pragma unroll
            for (int start = 0; start < 2; start++) {
#pragma unroll
                for (int k = start; k + 1 < WINDOW; k += 2) {
                    float low = fminf(v[e][k], v[e][k + 1]);
                    v[e][k + 1] = fmaxf(v[e][k], v[e][k + 1]);
                    v[e][k] = low;
                }
            }
        }
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        if (first + e < n) {
            out[first + e] = v[e][WINDOW / 2];
        }
    }
}
