// expect: failed one wrong-answer
// Cuts into pieces, and rounds down.
#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int threads = gridDim.x * blockDim.x;
    int piece = n / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;

    for (int i = first; i < first + piece; i++) {
        y[i] = a * x[i] + y[i];
    }
}

__constant__ int answer_stride = 1792;
__constant__ int answer_elements_of_0 = 6;
__constant__ int answer_elements_of_last = 5;
__constant__ int answer_idle = 254976;
