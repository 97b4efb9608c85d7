// expect: failed transpose-budget over-budget
// One thread of the grid loops over everything; the others have nothing to do.
extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y > 0) {
        return;
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            out[x * height + y] = in[y * width + x];
        }
    }
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
