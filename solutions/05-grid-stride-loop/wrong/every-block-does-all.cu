// expect: failed seven race
// Forgets which block it is in.
#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[i] = a * x[i] + y[i];
    }
}

__constant__ int answer_stride = 1792;
__constant__ int answer_elements_of_0 = 6;
__constant__ int answer_elements_of_last = 5;
__constant__ int answer_idle = 254976;
