// expect: failed answers wrong-answer
// The function is right; the answers believe that a launch waits and returns an error.
static __global__ void scale(const float *in, float *out, int n, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = factor * in[i];
    }
}

// Runs the kernel between two copies. The arrays are on the device.
static cudaError_t copy_and_scale(const float *in, float *out, int n, float factor,
                                  float *device_in, float *device_out)
{
    size_t bytes = n * sizeof(float);
    cudaError_t error = cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
        return error;
    }
    scale<<<(n + 255) / 256, 256>>>(device_in, device_out, n, factor);
    error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }
    return cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
}

extern "C" int scale_on_device(const float *in, float *out, int n, float factor)
{
    if (n == 0) {
        return cudaSuccess;
    }
    float *device_in = nullptr, *device_out = nullptr;
    cudaError_t error = cudaMalloc(&device_in, n * sizeof(float));
    if (error == cudaSuccess) {
        error = cudaMalloc(&device_out, n * sizeof(float));
    }
    if (error == cudaSuccess) {
        error = copy_and_scale(in, out, n, factor, device_in, device_out);
    }
    cudaFree(device_in); // of a null pointer: does nothing
    cudaFree(device_out);
    return error;
}

__constant__ int answer_blocks = 3; // rounded down
__constant__ int answer_idle_threads = -24;
__constant__ int answer_launch_error = 1;
__constant__ int answer_kernel_error = 1;
