// expect: failed seven race
// Steps by the threads of a block: blocks do each other's elements again. With a single block
// that is right.
#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) {
        y[i] = a * x[i] + y[i];
    }
}

__constant__ int answer_stride = 1792;
__constant__ int answer_elements_of_0 = 6;
__constant__ int answer_elements_of_last = 5;
__constant__ int answer_idle = 254976;
