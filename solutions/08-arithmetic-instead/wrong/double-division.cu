// expect: failed branches divergent-branches
// 3.0 without the f is a double: this divides doubles, by a function that branches.
extern "C" __global__ void triple_or_third(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    int odd = i % 2;
    out[i] = in[i] * (odd * 3.0 + (1 - odd) / 3.0);
}

__constant__ int answer_extra_splits = 1;
__constant__ float answer_step = 2.66667f;
__constant__ int answer_issues = 15;
__constant__ float answer_guard_lanes = 30.6087f;
