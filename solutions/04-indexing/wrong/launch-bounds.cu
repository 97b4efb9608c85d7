// expect: failed transpose launch-failed
// Promises blocks of at most 64 threads; the lesson launches 256.
extern "C" __global__ void __launch_bounds__(64)
    transpose(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    out[x * height + y] = in[y * width + x];
}

extern "C" __global__ void flatten(int *out, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= width || y >= height || z >= depth) {
        return;
    }
    out[x + width * (y + height * z)] = x + 1000 * y + 1000000 * z;
}
