// expect: failed one out-of-bounds
// Looks at the limit after the first element.
#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    do {
        y[i] = a * x[i] + y[i];
        i += gridDim.x * blockDim.x;
    } while (i < n);
}

__constant__ int answer_stride = 1792;
__constant__ int answer_elements_of_0 = 6;
__constant__ int answer_elements_of_last = 5;
__constant__ int answer_idle = 254976;
