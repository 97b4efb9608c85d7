// expect: failed flatten out-of-bounds
// Takes the width of the grid for the width of the box: right for multiples of 8 only.
extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
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
    out[x + gridDim.x * blockDim.x * (y + height * z)] = x + 1000 * y + 1000000 * z;
}
