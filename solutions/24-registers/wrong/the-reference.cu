// expect: failed local spills
// Pushes each sample down to a place that only the run knows.
#include <cuda_runtime.h>
enum { WINDOW = 25 };
extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float v[WINDOW]; // the samples so far, the smallest first
    for (int k = 0; k < WINDOW; k++) {
        float x = in[i + k];
        int place = k;
        while (place > 0 && v[place - 1] > x) {
            v[place] = v[place - 1];
            place--;
        }
        v[place] = x;
    }
    out[i] = v[WINDOW / 2];
}
