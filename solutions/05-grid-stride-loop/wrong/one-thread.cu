// expect: failed lanes low-lane-efficiency
// A single thread does everything.
#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            y[i] = a * x[i] + y[i];
        }
    }
}

__constant__ int answer_stride = 1792;
__constant__ int answer_elements_of_0 = 6;
__constant__ int answer_elements_of_last = 5;
__constant__ int answer_idle = 254976;
