// expect: failed transpose-budget over-budget
// The reference: right, with divisions and remainders that the built-in variables make needless.
#include <cuda_runtime.h>

// The running number of this thread in the whole grid: 0, 1, 2, ...
__device__ int thread_in_grid()
{
    int threads_per_block = blockDim.x * blockDim.y * blockDim.z;
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * threads_per_block + thread;
}

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    int i = thread_in_grid();
    if (i >= width * height) {
        return;
    }
    int x = i % width; // column of in
    int y = i / width; // row of in
    out[x * height + y] = in[i];
}

extern "C" __global__ void flatten(int *out, int width, int height, int depth)
{
    int i = thread_in_grid();
    if (i >= width * height * depth) {
        return;
    }
    int x = i % width;
    int y = i / width % height;
    int z = i / (width * height);
    out[i] = x + 1000 * y + 1000000 * z;
}
