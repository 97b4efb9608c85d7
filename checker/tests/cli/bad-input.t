## needs nvcc
## What a learner may do to a file, and what the check says. Nothing of it harms the checker.
$ real_check; mkdir -p exercises
## No compiler.
$ warpbook lay >/dev/null; WARPBOOK_NVCC=/nowhere/nvcc warpbook check 1
Lesson 01: Copy
exercises/01-copy.cu

  ERROR
  WARPBOOK_NVCC names /nowhere/nvcc, which is not a program. Correct or unset it.

  Next: Run `./warpbook doctor`; your file is not to blame.
[3]
## A syntax error.
$ printf '%s\n' 'extern "C" __global__ void copy(const int *in, int *out, int n)' '{' '    int i = threadIdx.x' '    out[i] = in[i];' '}' >a.cu; warpbook check 1 --attempt a.cu
Lesson 01: Copy
a.cu

  FAILED   0 of 10 points

  ✗ Every element is copied                                0 / 6
      line 3: a semicolon (;) is missing
  – At least 30 of 32 lanes are at work                    0 / 4
      Not reached: the file does not compile.

  embedded sm_90 device

  a.cu:3: compile-error
    A semicolon (;) is missing.
         1 │ extern "C" __global__ void copy(const int *in, int *out, int n)
         2 │ {
    ▶    3 │     int i = threadIdx.x
         4 │     out[i] = in[i];

  The compiler says
    a.cu:4: error: expected a ";"
    a.cu:3: warning: variable "i" was declared but never referenced

  Next: End the statement with a semicolon. The three parts of a for loop are separated by semicolons, too.

  seed 20260101 · T s
[1]
## The kernel has another name, or a C++ one.
$ sed 's/copy(/kopy(/' solutions/01-copy/solution.cu >a.cu; warpbook check 1 --attempt a.cu
Lesson 01: Copy
a.cu

  FAILED   0 of 10 points

  ✗ Every element is copied                                0 / 6
      The file has no kernel `copy`. It has `kopy`: give the kernel the name that the lesson asks for.
  – At least 30 of 32 lanes are at work                    0 / 4
      Not graded: the result is not right yet.

                           reference        target         yours
  branch efficiency         100.00 %                not measured
  divergent branches               0                not measured
  busy lanes of 32              20.4        ≥ 30.0  not measured

  The kernel does not run to its end.
  embedded sm_90 device

  a.cu: launch-failed
    The file has no kernel `copy`. It has `kopy`: give the kernel the name that the lesson asks for.

  Next: The lesson launches `extern "C" __global__ void copy(const int *in, int *out, int n)` in blocks of 128 threads.

  seed 20260101 · T s
[1]
$ sed 's/extern "C" //' solutions/01-copy/solution.cu >a.cu; warpbook check 1 --attempt a.cu | grep -A4 ' ✗ Every'
  ✗ Every element is copied                                0 / 6
      The file has no kernel `copy`. It has `_Z4copyPKiPii`, which is its C++ name: put extern "C" before __global__.
  – At least 30 of 32 lanes are at work                    0 / 4
      Not graded: the result is not right yet.

## It promises smaller blocks than the lesson launches.
$ sed 's/__global__ void/__global__ void __launch_bounds__(64)/' solutions/01-copy/solution.cu >a.cu; warpbook check 1 --attempt a.cu | grep -A4 ' ✗ Every'
  ✗ Every element is copied                                0 / 6
      The block has 128 threads, but __launch_bounds__ of `copy` promises at most 64. Correct the promise or the block.
  – At least 30 of 32 lanes are at work                    0 / 4
      Not graded: the result is not right yet.

## It never ends.
$ printf '%s\n' 'extern "C" __global__ void copy(const int *in, int *out, int n)' '{' '    volatile int *p = out;' '    while (p[0] != 7) {' '        p[0] = 1;' '    }' '}' >a.cu; warpbook check 1 --attempt a.cu | grep -v idle
Lesson 01: Copy
a.cu

  FAILED   0 of 10 points

  ✗ Every element is copied                                0 / 6
      At n = 1 `copy` was stopped: the kernel did not end in time (at or near line 4).
  – At least 30 of 32 lanes are at work                    0 / 4
      Not graded: the result is not right yet.

                           reference        target         yours
  branch efficiency         100.00 %                not measured
  divergent branches               0                not measured
  busy lanes of 32              20.4        ≥ 30.0  not measured

  The kernel does not run to its end.
  embedded sm_90 device

  a.cu:4: timeout
    At n = 1, at or near this line: the kernel did not end within its 16777216 warp instructions: thread (0,0,0) of block (0,0,0) and 31 more of its warp are still in the loop of lines 4-5.
    - 128 threads run in the loop at a.cu:4-5: block (0,0,0), warp 0, all lanes, and 3 more warps
         2 │ {
         3 │     volatile int *p = out;
    ▶    4 │     while (p[0] != 7) {
         5 │         p[0] = 1;

  a.cu:4: uninitialised-read
    At n = 1: thread (0,0,0) of block (0,0,0) reads element 0 of `out`, which nobody has written; line 4 goes one way or the other because of it (32 times in this launch).
         2 │ {
         3 │     volatile int *p = out;
    ▶    4 │     while (p[0] != 7) {
         5 │         p[0] = 1;
    Write the place before it is read; if another thread writes it, put a barrier between.

  Next: Check the loop's exit condition, and its step.

  seed 20260101 · T s
## It writes out of bounds.
$ printf '%s\n' 'extern "C" __global__ void copy(const int *in, int *out, int n)' '{' '    int i = blockIdx.x * blockDim.x + threadIdx.x;' '    if (i <= n)' '        out[i] = 1;' '}' >a.cu; warpbook check 1 --attempt a.cu
Lesson 01: Copy
a.cu

  FAILED   0 of 10 points

  ✗ Every element is copied                                0 / 6
      At n = 1 `copy` was stopped: the kernel touched memory outside of an array (at or near line 5).
  – At least 30 of 32 lanes are at work                    0 / 4
      Not graded: the result is not right yet.

                           reference        target         yours
  branch efficiency         100.00 %                not measured
  divergent branches               0                not measured
  busy lanes of 32              20.4        ≥ 30.0  not measured

  The kernel does not run to its end.
  embedded sm_90 device

  a.cu:5: out-of-bounds
    At n = 1, at or near this line: thread (1,0,0) of block (0,0,0) writes 4 bytes just past the end of `out` (4 bytes, 1 element of 4).
         3 │     int i = blockIdx.x * blockDim.x + threadIdx.x;
         4 │     if (i <= n)
    ▶    5 │         out[i] = 1;
         6 │ }

  Next: No guard covers this access: compare the very index that the access uses with the array's length.

  seed 20260101 · T s
[1]
## It prints without end, or very much.
$ printf '%s\n' '#include <cstdio>' 'extern "C" __global__ void copy(const int *in, int *out, int n)' '{' '    for (;;) {' '        printf("for ever and ever\n");' '    }' '}' >a.cu; warpbook check 1 --attempt a.cu | grep -o -e 'FAILED.*' -e timeout -e '│ for ever.*' | sort | uniq -c | sed 's/^ *//'
1 FAILED   0 of 10 points
1 timeout
20 │ for ever and ever
$ printf '%s\n' '#include <cstdio>' 'extern "C" __global__ void copy(const int *in, int *out, int n)' '{' '    int i = blockIdx.x * blockDim.x + threadIdx.x;' '    if (i < n) {' '        out[i] = in[i];' '        printf("\033[31m%d\n", i);' '    }' '}' >a.cu; warpbook check 1 --attempt a.cu >a.txt; grep PASSED a.txt; wc -l <a.txt; grep -c "$(printf '\033')" a.txt
  PASSED   10 of 10 points
43
0
[1]
## It deletes its exercise file: host code of an attempt never runs. A file that is gone is named.
$ printf '%s\n' '#include <cstdio>' 'static int gone = remove("exercises/01-copy.cu");' >exercises/01-copy.cu; cat solutions/01-copy/solution.cu >>exercises/01-copy.cu; warpbook check 1 | grep PASSED; ls exercises
  PASSED   10 of 10 points
01-copy.cu
02-halves.cu
$ rm exercises/01-copy.cu; warpbook check 1
Lesson 01: Copy
exercises/01-copy.cu

  NOT STARTED
  exercises/01-copy.cu is missing. `./warpbook reset 1` lays a fresh one.
[77]
## A cubin in the cache is cut short, or is not one.
$ warpbook lay >/dev/null; cp solutions/01-copy/solution.cu exercises/01-copy.cu; for f in .cache/cubin/*; do head -c 700 "$f" >t; cp t "$f"; done; warpbook check 1 | grep PASSED
  PASSED   10 of 10 points
$ for f in .cache/cubin/*; do echo garbage >"$f"; done; warpbook check 1 | grep PASSED
  PASSED   10 of 10 points
## No text, no file, too much.
$ printf 'int a;\000' >a.cu; warpbook check 1 --attempt a.cu | grep -A3 ' ✗ Every'
  ✗ Every element is copied                                0 / 6
      line 1: there is a zero byte, so a.cu is not plain text
  – At least 30 of 32 lanes are at work                    0 / 4
      Not reached: the file does not compile.
$ : >a.cu; warpbook check 1 --attempt a.cu | grep -A3 ' ✗ Every'
  ✗ Every element is copied                                0 / 6
      The file has no kernel `copy`, and no other. Does it begin with extern "C" __global__ void copy(?
  – At least 30 of 32 lanes are at work                    0 / 4
      Not graded: the result is not right yet.
$ head -c 2000000 /dev/zero | tr '\000' ' ' >a.cu; warpbook check 1 --attempt a.cu | grep -A3 ' ✗ Every'
  ✗ Every element is copied                                0 / 6
      a.cu: the file has 2000000 bytes; at most 1048576 are compiled
  – At least 30 of 32 lanes are at work                    0 / 4
      Not reached: the file does not compile.
$ printf '#include "no-such-file.h"\n' >a.cu; warpbook check 1 --attempt a.cu | grep -A3 ' ✗ Every'
  ✗ Every element is copied                                0 / 6
      line 1: the file no-such-file.h that is to be included was not found
  – At least 30 of 32 lanes are at work                    0 / 4
      Not reached: the file does not compile.
$ printf '#include "a.cu"\n' >a.cu; warpbook check 1 --attempt a.cu | grep -A3 ' ✗ Every'
  ✗ Every element is copied                                0 / 6
      line 1: the file includes itself again and again
  – At least 30 of 32 lanes are at work                    0 / 4
      Not reached: the file does not compile.
