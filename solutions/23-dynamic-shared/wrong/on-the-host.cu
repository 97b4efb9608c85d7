// expect: failed device no-launch
// The right numbers, by loops on the host.
#include <cuda_runtime.h>

extern "C" __global__ void gather_rows(const int *order, const float *value, const int *weight, float *out,
                                       int width)
{
    extern __shared__ float pool[];
    float *value_s = pool;                        // width floats
    int *weight_s = (int *)(value_s + width);     // width ints
    short *order_s = (short *)(weight_s + width); // width shorts

    size_t row = (size_t)blockIdx.x * width;

    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        order_s[x] = (short)order[row + x];
        value_s[x] = value[row + x];
        weight_s[x] = weight[row + x];
    }
    __syncthreads();

    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        int from = order_s[width - 1 - x];
        out[row + x] = value_s[from] * weight_s[from];
    }
}

extern "C" int shared_bytes(int width)
{
    return width * (sizeof(float) + sizeof(int) + sizeof(short));
}

extern "C" int gather_on_device(const int *order, const float *value, const int *weight, float *out,
                                int width, int height)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int from = order[y * width + width - 1 - x];
            out[y * width + x] = value[y * width + from] * weight[y * width + from];
        }
    }
    return 0;
}
