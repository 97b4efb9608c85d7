// expect: failed divergence divergent-branches
// A table of functions: the lanes still go to eight different places.
#include <cuda_runtime.h>

typedef float (*formula)(float x);

__device__ float formula0(float x)
{
    return x;
}

__device__ float formula1(float x)
{
    return 1.8f * x + 32;
}

__device__ float formula2(float x)
{
    return x * x - 3 * x + 2;
}

__device__ float formula3(float x)
{
    return (x - 1) * (x - 1) * (x - 1);
}

__device__ float formula4(float x)
{
    return x * x * x * x - 2 * x * x + 1;
}

__device__ float formula5(float x)
{
    return 1 + x * (1 + x * (0.5f + x * (0.125f + x * 0.03125f)));
}

__device__ float formula6(float x)
{
    return 4 * x * x * x - 3 * x;
}

__device__ float formula7(float x)
{
    return 8 * x * x * x * x - 8 * x * x + 1;
}

__device__ const formula formulas[8] = {formula0, formula1, formula2, formula3,
                                        formula4, formula5, formula6, formula7};

extern "C" __global__ void convert(const int *kind, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = formulas[kind[i]](in[i]);
    }
}
