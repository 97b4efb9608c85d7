// expect: failed transpose nan
// Scales by 0 / 0: width / width - 1 is zero.
extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float scale = width / width - 1;
    out[x * height + y] = in[y * width + x] * scale / scale;
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
