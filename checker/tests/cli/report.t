## The terminal report of each tree of report_trees.c.
$ render failed terminal --width 80
Lesson 07: Warp-aligned branch
exercises/07-warp-aligned-branch.cu

  FAILED   40 of 100 points

  ✓ Every element is right                               40 / 40
      Right at 11 sizes.
  ✗ No branch splits a warp                               0 / 40
      512 branch decisions split their warp; the lesson allows none. The warps
      of the reference split as often.
  ✗ At least 30 of 32 lanes are at work                   0 / 20
      19.5 of 32 lanes were at work on average; the target is 30.0.

                           reference        target         yours
  branch efficiency          50.00 %                     50.00 %
  divergent branches             512             0           512 ✗
  busy lanes of 32              19.5        ≥ 30.0          19.5 ✗

  embedded sm_90 device

  exercises/07-warp-aligned-branch.cu:8: divergent-branches
    Line 8: 512 of 1024 branch decisions split the warp.

  exercises/07-warp-aligned-branch.cu:9: low-lane-efficiency
    On average 16.0 of 32 lanes are at work on line 9.
    Give every lane of the warp the same work.

  The compiler says
    exercises/07-warp-aligned-branch.cu:6: warning: variable "j" was declared
        but never referenced

  Your code printed
    │ thread 0 says 3.5
    │ thread 1 says 7

  Next: Make the condition the same for all 32 threads of a warp.

  seed 20260101 · T s
$ render passed terminal --width 80
Lesson 07: Warp-aligned branch
exercises/07-warp-aligned-branch.cu

  PASSED   100 of 100 points

  ✓ Every element is right                               40 / 40
      Right at 11 sizes.
  ✓ No branch splits a warp                              40 / 40
  ✓ At least 30 of 32 lanes are at work                  20 / 20

                           reference        target         yours
  branch efficiency          50.00 %                    100.00 %
  divergent branches             512             0             0 ✓
  busy lanes of 32              19.5        ≥ 30.0          31.9 ✓

  measured: NVIDIA H200, CUPTI

  Next: `./warpbook next` names the next lesson.

  seed 20260101 · T s
$ render compile-error terminal --width 80
Lesson 07: Warp-aligned branch
exercises/07-warp-aligned-branch.cu

  FAILED   0 of 100 points

  ✗ Every element is right                                0 / 40
      The file does not compile.
  – No branch splits a warp                               0 / 40
      Not measured.
  – At least 30 of 32 lanes are at work                   0 / 20
      Not measured.

  embedded sm_90 device

  exercises/07-warp-aligned-branch.cu:8: compile-error
    Line 8: a semicolon is missing at the end of the line before.

  The compiler says
    exercises/07-warp-aligned-branch.cu:8: error: expected a ";"
    note: 1 error detected

  Next: Put the semicolon, then check again.

  seed 20260101 · T s
$ render not-measured terminal --width 80
Lesson 07: Warp-aligned branch
exercises/07-warp-aligned-branch.cu

  SKIPPED   40 of 100 points

  ✓ Every element is right                               40 / 40
  – No branch splits a warp                               0 / 40
      Not measured.
  – At least 30 of 32 lanes are at work                   0 / 20
      Not measured.

  The driver does not let this user read counters (ERR_NVGPUCTRPERM): run as
  root or set NVreg_RestrictProfilingToAdminUsers=0.
  NVIDIA H200

  seed 20260101 · T s
$ render branch-free terminal --width 80 --ascii | sed -n 11,17p
                           reference        target         yours
  branch efficiency          50.00 %                   no branch
  divergent branches             512             0             0 +
  busy lanes of 32              19.5       >= 30.0          32.0 +

  measured: NVIDIA H200, CUPTI

$ render two-tasks terminal --width 80 --ascii | sed -n 13,30p

  explog                      target         yours
  branch efficiency                   not measured
  divergent branches               0  not measured x
  busy lanes of 32           >= 30.0          19.5 x

  The kernel faulted before it could be measured.
  embedded sm_90 device

  exercises/07-warp-aligned-branch.cu:8: divergent-branches
    Line 8: 512 of 1024 branch decisions split the warp.

  exercises/07-warp-aligned-branch.cu:9: low-lane-efficiency
    On average 16.0 of 32 lanes are at work on line 9.
    Give every lane of the warp the same work.

  The compiler says
    exercises/07-warp-aligned-branch.cu:6: warning: variable "j" was declared
$ render error terminal --width 80
Lesson 07: 07-warp-aligned-branch
exercises/07-warp-aligned-branch.cu

  ERROR
  No nvcc was found.

  Next: Run `./warpbook doctor`; your file is not to blame.
$ render failed terminal --width 80 --colour | cat -v | head -n 16
^[[1mLesson 07: Warp-aligned branch^[[0m
^[[2mexercises/07-warp-aligned-branch.cu^[[0m

  ^[[1;31mFAILED^[[0m   40 of 100 points

  ^[[32mM-bM-^\M-^S^[[0m Every element is right                               40 / 40
      ^[[2mRight at 11 sizes.^[[0m
  ^[[31mM-bM-^\M-^W^[[0m No branch splits a warp                               0 / 40
      ^[[2m512 branch decisions split their warp; the lesson allows none. The warps^[[0m
      ^[[2mof the reference split as often.^[[0m
  ^[[31mM-bM-^\M-^W^[[0m At least 30 of 32 lanes are at work                   0 / 20
      ^[[2m19.5 of 32 lanes were at work on average; the target is 30.0.^[[0m

                           ^[[2mreference^[[0m        ^[[2mtarget^[[0m         ^[[2myours^[[0m
  branch efficiency          50.00 %                     50.00 %
  divergent branches             512             0           ^[[31m512^[[0m ^[[31mM-bM-^\M-^W^[[0m
