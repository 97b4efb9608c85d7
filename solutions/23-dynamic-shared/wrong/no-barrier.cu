// expect: failed kernel race
// Gathers before the other warps have brought their part.
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

    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        int from = order_s[width - 1 - x];
        out[row + x] = value_s[from] * weight_s[from];
    }
}

extern "C" int shared_bytes(int width)
{
    return width * (sizeof(float) + sizeof(int) + sizeof(short));
}

// Gathers `height` rows, all in host memory. Returns 0, or the number of the first error.
extern "C" int gather_on_device(const int *order, const float *value, const int *weight, float *out,
                                int width, int height)
{
    size_t bytes = sizeof(float) * width * height; // an int has as many
    int *device_order = nullptr, *device_weight = nullptr;
    float *device_value = nullptr, *device_out = nullptr;

    cudaError_t error = cudaMalloc(&device_order, bytes);
    if (error == cudaSuccess) {
        error = cudaMalloc(&device_value, bytes);
    }
    if (error == cudaSuccess) {
        error = cudaMalloc(&device_weight, bytes);
    }
    if (error == cudaSuccess) {
        error = cudaMalloc(&device_out, bytes);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(device_order, order, bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(device_value, value, bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(device_weight, weight, bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess) {
        gather_rows<<<height, 128, shared_bytes(width)>>>(device_order, device_value,
                                                          device_weight, device_out, width);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
    }
    cudaFree(device_order);
    cudaFree(device_value);
    cudaFree(device_weight);
    cudaFree(device_out);
    return error;
}
