// expect: failed flatten-budget over-budget
// One thread of the grid writes the whole box; the others have nothing to do.
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
    if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z > 0) {
        return;
    }
    for (int z = 0; z < depth; z++) {
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                out[x + width * (y + height * z)] = x + 1000 * y + 1000000 * z;
            }
        }
    }
}
