// expect: failed correct wrong-answer
// Every lane adds for all lanes with its key.
#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    int key = i < n ? in[i] : -1;
    unsigned same = __match_any_sync(0xffffffff, key);
    if (key >= 0) {
        atomicAdd(&bins[key], __popc(same));
    }
}
