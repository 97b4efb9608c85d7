// expect: failed errors unchecked-error
// Looks at no return code, as the reference.
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
        return 0;
    }
    size_t bytes = n * sizeof(float);
    float *device_in, *device_out;
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(device_in, device_out, n, factor);
    cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(device_in);
    cudaFree(device_out);
    return 0;
}
