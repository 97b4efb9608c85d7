// expect: failed answers wrong-answer
// The kernel is right; the answers are not.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const float third = 1.0f / 3.0f;
    float factor = third + i % 2 * (3.0f - third);
    out[i] = in[i] * factor;
}

__constant__ int answer_extra_splits = 513;
__constant__ float answer_step = 3;
__constant__ int answer_issues = 12;
__constant__ float answer_guard_lanes = 31;
