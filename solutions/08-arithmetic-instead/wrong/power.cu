// expect: failed budget over-budget
// The factor as a power of 3: no branch, and a small program instead of a multiply-add.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    out[i] = in[i] * powf(3, 2 * (i % 2) - 1);
}

__constant__ int answer_extra_splits = 1;
__constant__ float answer_step = 2.66667f;
__constant__ int answer_issues = 15;
__constant__ float answer_guard_lanes = 30.6087f;
