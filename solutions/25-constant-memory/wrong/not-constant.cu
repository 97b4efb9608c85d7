// expect: failed broadcast constant-divergence
// The weights lie in global memory: nothing diverges there, and nothing is broadcast.
#include <cuda_runtime.h>

#define TAPS 16

__device__ float weights[TAPS];

extern "C" __global__ void fir(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = 0;
    for (int j = 0; j < TAPS; j++) {
        sum += weights[j] * in[i + j];
    }
    out[i] = sum;
}

// Filters `in` with the 16 weights in `taps`, all in host memory. Returns 0, or the number of the
// first error.
extern "C" int filter_on_device(const float *in, float *out, int n, const float *taps)
{
    float *device_in = nullptr, *device_out = nullptr;
    cudaError_t error;

    if (n == 0) {
        return 0;
    }

    error = cudaMemcpyToSymbol(weights, taps, TAPS * sizeof *taps);
    if (error == cudaSuccess) {
        error = cudaMalloc(&device_in, (n + TAPS - 1) * sizeof *in);
    }
    if (error == cudaSuccess) {
        error = cudaMalloc(&device_out, n * sizeof *out);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(device_in, in, (n + TAPS - 1) * sizeof *in, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess) {
        fir<<<(n + 255) / 256, 256>>>(device_in, device_out, n);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(out, device_out, n * sizeof *out, cudaMemcpyDeviceToHost);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    return error;
}

__constant__ int answer_floats = 16384;         // 65536 / 4
__constant__ int answer_reference_replays = 15; // 16 addresses
__constant__ int answer_groups_of_8 = 3;        // 4 addresses
__constant__ int answer_by_block = 0;           // one address
