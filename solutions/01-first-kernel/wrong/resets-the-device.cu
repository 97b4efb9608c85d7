// expect: failed leak leak
// Frees nothing by itself: the device is reset, and with it everything that the caller has there.
static __global__ void scale(const float *in, float *out, int n, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = factor * in[i];
    }
}

extern "C" int scale_on_device(const float *in, float *out, int n, float factor)
{
    if (n == 0) {
        return cudaSuccess;
    }
    size_t bytes = n * sizeof(float);
    float *device_in = nullptr, *device_out = nullptr;
    cudaError_t error = cudaMalloc(&device_in, bytes);
    if (error == cudaSuccess) {
        error = cudaMalloc(&device_out, bytes);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess) {
        scale<<<(n + 255) / 256, 256>>>(device_in, device_out, n, factor);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
    }
    cudaDeviceReset();
    return error;
}
