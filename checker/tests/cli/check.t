## `warpbook check` becomes the check program; --all runs it for each started lesson.
$ warpbook check 1
warpbook: The check program of lesson 01-copy is not built (TMP/build/lessons/check-01-copy). Build it with `ninja -C TMP/build`; `sh setup.sh` does everything.
[3]
$ fake_check 01-copy - 5
$ warpbook check 1
check program: 
[5]
$ warpbook check 1 --attempt a.cu --device sim --seed 7 --json r.json --html r.html --junit r.xml
check program: --attempt=a.cu --device=sim --json=r.json --html=r.html --junit=r.xml --seed=7
[5]
## Without a lesson: the first that has not passed.
$ warpbook check
check program: 
[5]
$ warpbook check --all
No exercise has been started yet. `./warpbook next` says where to begin.
[77]
$ warpbook lay >/dev/null; echo '// mine' >>exercises/01-copy.cu; echo '// mine' >>exercises/02-halves.cu
$ fake_check 01-copy passed 0; fake_check 02-halves failed 1
$ warpbook check --all --device sim
  ✓ 01 Copy                                 passed, 100 of 100 points
  ✗ 02 Halves                               failed, 40 of 100 points
       512 branch decisions split their warp; the lesson allows none. The warps of the reference split as often.
[1]
$ fake_check 01-copy not-measured 77; fake_check 02-halves passed 0
$ warpbook check --all
  – 01 Copy                                 skipped, 40 of 100 points
  ✓ 02 Halves                               passed, 100 of 100 points
[77]
$ fake_check 01-copy error 3; fake_check 02-halves failed 1
$ warpbook check --all
  ✗ 01 Copy                                 error, 0 of 0 points
       No nvcc was found.
  ✗ 02 Halves                               failed, 40 of 100 points
       512 branch decisions split their warp; the lesson allows none. The warps of the reference split as often.
[3]
## A check program that gives no report, is killed, or is not there.
$ fake_check 01-copy - 1; fake_check 02-halves passed 0
$ warpbook check --all
warpbook: The check program of lesson 01-copy gave no report: check program: --json=-
  ✓ 02 Halves                               passed, 100 of 100 points
[3]
$ printf '#!/bin/sh\nkill -SEGV $$\n' >$WARPBOOK_BUILD/lessons/check-01-copy; warpbook check --all
warpbook: The check program of lesson 01-copy gave no report: it crashed (Segmentation fault).
  ✓ 02 Halves                               passed, 100 of 100 points
[3]
$ rm $WARPBOOK_BUILD/lessons/check-01-copy; warpbook check --all
warpbook: The check program of lesson 01-copy is not built (TMP/build/lessons/check-01-copy). Build it with `ninja -C TMP/build`; `sh setup.sh` does everything.
  ✓ 02 Halves                               passed, 100 of 100 points
[3]
$ fake_check 01-copy passed 0; warpbook compare 1
Lesson 01: Copy   on: NVIDIA H200
              branch efficiency   divergent branches   busy lanes of 32
  reference            100.00 %                    0               31.9    passed
  solution             100.00 %                    0               31.9    passed
$ fake_check 01-copy failed 1; warpbook compare copy --device sim
Lesson 01: Copy   on: embedded sm_90 device
              branch efficiency   divergent branches   busy lanes of 32
  reference             50.00 %                  512               19.5    failed
  solution              50.00 %                  512               19.5    failed
512 branch decisions split their warp; the lesson allows none. The warps of the reference split as often.
[1]
## Of several graded launches the counted one is compared; perhaps none is.
$ fake_check 01-copy second-counted 1; warpbook compare 1 | tail -n 3
  reference             50.00 %                  512               19.5    failed
  solution              50.00 %                  512               19.5    failed
512 branch decisions split their warp; the lesson allows none. The warps of the reference split as often.
$ fake_check 01-copy host 1; warpbook compare 1
Lesson 01: Copy   on: embedded sm_90 device
  reference   failed
  solution    failed
No kernel of this lesson was counted, so there are no counters to compare: its results are graded.
512 branch decisions split their warp; the lesson allows none. The warps of the reference split as often.
[1]
$ fake_check 01-copy - 1; fake_check 02-halves - 0; warpbook lesson check
Lesson 01: Copy
check program: --author
Lesson 02: Halves
check program: --author
[1]
$ warpbook lesson check 2
Lesson 02: Halves
check program: --author
