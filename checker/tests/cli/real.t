## needs nvcc
## The check program of a small lesson, from its check.c to the verdict.
$ real_check; warpbook lay
laid exercises/01-copy.cu
laid exercises/02-halves.cu
$ warpbook check 1 | head -n 5
Lesson 01: Copy
exercises/01-copy.cu

  NOT STARTED   0 of 10 points
  This is still the exercise as it was laid; below is what the check says about it.
$ warpbook list
  – 01 Copy    not started  exercises/01-copy.cu
  – 02 Halves  not started  exercises/02-halves.cu

0 of 2 passed.
$ sed -i 's/^{/{ int i = threadIdx.x; out[i] = in[i];/' exercises/01-copy.cu; warpbook check 1 | grep -e FAILED -e cu:3 -e 'in\[i\]'
  FAILED   0 of 10 points
  exercises/01-copy.cu:3: out-of-bounds
    ▶    3 │ { int i = threadIdx.x; out[i] = in[i];
$ cp lessons/01-copy/reference.cu exercises/01-copy.cu; warpbook check 1 | grep -e FAILED -e ' / '
  FAILED   6 of 10 points
  ✓ Every element is copied                                6 / 6
  ✗ At least 30 of 32 lanes are at work                    0 / 4
$ cp solutions/01-copy/solution.cu exercises/01-copy.cu; warpbook check copy | grep -v -e yours -e Right -e '32  ' -e 'branch'
Lesson 01: Copy
exercises/01-copy.cu

  PASSED   10 of 10 points

  ✓ Every element is copied                                6 / 6
  ✓ At least 30 of 32 lanes are at work                    4 / 4


  embedded sm_90 device

  Next: `./warpbook next` names the next lesson.

  seed 20260101 · T s
$ warpbook list
  ✓ 01 Copy    passed       exercises/01-copy.cu
  – 02 Halves  not started  exercises/02-halves.cu

1 of 2 passed.
$ echo '// changed' >>exercises/01-copy.cu; warpbook list | head -n 1; warpbook check --all; warpbook list | head -n 1
  ▶ 01 Copy    started      exercises/01-copy.cu
  ✓ 01 Copy                                 passed, 10 of 10 points
1 not started.
  ✓ 01 Copy    passed       exercises/01-copy.cu
## Another file than the exercise, and other inputs. It does not count as progress.
$ warpbook check 1 --attempt solutions/01-copy/wrong/no-guard.cu --seed 7 | grep -e FAILED -e seed -e no-guard
solutions/01-copy/wrong/no-guard.cu
  FAILED   0 of 10 points
  solutions/01-copy/wrong/no-guard.cu:5: out-of-bounds
  seed 7 · T s
$ warpbook list | head -n 1
  ✓ 01 Copy    passed       exercises/01-copy.cu
$ warpbook check 1 --attempt nowhere.cu
warpbook: There is no file nowhere.cu.
[2]
$ warpbook check 1 --attempt exercises
warpbook: There is no file exercises.
[2]
## Reports as files; one of them to standard output. Whatever fails, the others are written.
$ warpbook check 1 --json a.json --html a.html --junit a.xml >/dev/null; head -c 34 a.json; echo; head -n 1 a.html a.xml
{
  "schema": "warpbook-report/1",
==> a.html <==
<!doctype html>

==> a.xml <==
<?xml version="1.0" encoding="UTF-8"?>
$ warpbook check 1 --json - 2>/dev/null | head -n 2
{
  "schema": "warpbook-report/1",
$ warpbook check 1 --json - 2>&1 >/dev/null | head -n 1
Lesson 01: Copy
$ warpbook check 1 --json /nowhere/a.json --html b.html | grep PASSED; ls b.html
warpbook: The json report was not written: /nowhere/a.json cannot be written: No such file or directory.
  PASSED   10 of 10 points
b.html
$ warpbook check 1 >&-
warpbook: Standard output cannot be written: Bad file descriptor.
[3]
$ warpbook check 1 >/dev/full
warpbook: Standard output cannot be written: No space left on device.
[3]
$ warpbook check 1 --json c.json | true; ls c.json
c.json
## Devices and tools that are not there.
$ warpbook check 1 --device banana
warpbook check: --device is auto, gpu, sim or none, not 'banana'
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check 1 --device none --json d.json >/dev/null; grep verdict d.json | head -n 1
  "verdict": "error",
$ WARPBOOK_NVCC=/nowhere/nvcc warpbook check 1 --json e.json | head -n 4; grep verdict e.json
Lesson 01: Copy
exercises/01-copy.cu

  ERROR
  "verdict": "error",
$ WARPBOOK_NVCC=/nowhere/nvcc warpbook doctor | grep -o '✗ nvcc'
✗ nvcc
$ WARPBOOK_NVCC=/nowhere/nvcc warpbook doctor >/dev/null
[3]
## A cache that cannot be written costs time and the memory of progress, not the verdict.
$ touch file; WARPBOOK_CACHE=$PWD/file warpbook check 1 | grep PASSED
warpbook: Your progress could not be saved: The folder TMP/tree/file cannot be made: File exists.
  PASSED   10 of 10 points
## As Meson runs it.
$ check=$WARPBOOK_BUILD/lessons/check-01-copy; $check --tap 2>/dev/null | grep -v '^#'
1..2
ok 1 - Every element is copied
ok 2 - At least 30 of 32 lanes are at work
$ check=$WARPBOOK_BUILD/lessons/check-01-copy; $check --tap --if-started --attempt lessons/01-copy/exercise.cu 2>/dev/null | grep -v '^#'
1..2
not ok 1 - Every element is copied
ok 2 - At least 30 of 32 lanes are at work # SKIP Not graded: the result is not right yet.
$ check=$WARPBOOK_BUILD/lessons/check-01-copy; warpbook reset 1 >/dev/null; $check --tap --if-started; $check --if-started
1..0 # SKIP exercises/01-copy.cu is not started yet.
warpbook: exercises/01-copy.cu is not started yet.
[77]
$ check=$WARPBOOK_BUILD/lessons/check-01-copy; rm exercises/01-copy.cu; $check --if-started; $check --tap; $check
warpbook: exercises/01-copy.cu is not started yet.
Lesson 01: Copy
exercises/01-copy.cu

  NOT STARTED
  exercises/01-copy.cu is missing. `./warpbook reset 1` lays a fresh one.
1..0 # SKIP exercises/01-copy.cu is missing. `./warpbook reset 1` lays a fresh one.
Lesson 01: Copy
exercises/01-copy.cu

  NOT STARTED
  exercises/01-copy.cu is missing. `./warpbook reset 1` lays a fresh one.
[77]
$ check=$WARPBOOK_BUILD/lessons/check-01-copy; warpbook lay; WARPBOOK_NVCC=/nowhere/nvcc $check --tap | tail -n 1 | cut -c 1-13
laid exercises/01-copy.cu
Lesson 01: Copy
exercises/01-copy.cu

  ERROR
  WARPBOOK_NVCC names /nowhere/nvcc, which is not a program. Correct or unset it.

  Next: Run `./warpbook doctor`; your file is not to blame.
Bail out! WAR
$ check=$WARPBOOK_BUILD/lessons/check-01-copy; $check --tap --json -; $check extra
check-01-copy: with --tap or --author no report can go to standard output
Try `check-01-copy --help' or `check-01-copy --usage' for more information.
check-01-copy: a check takes no arguments, only options; 'extra' is one
Try `check-01-copy --help' or `check-01-copy --usage' for more information.
[2]
## For authors: what each file must get (author-check.t has the rest).
$ warpbook lesson check 1 | sed -n '/reference/,$p'
  ✓ the reference is right
  ✓ the solution passes
  ✓ the stub fails
  ✓ wrong/no-guard.cu gets its verdict
  ✓ the limits separate
$ $WARPBOOK_BUILD/lessons/check-01-copy --author --tap 2>/dev/null | grep 'ok [0-9]'
not ok 1 - the files are complete
not ok 2 - the hints are three
not ok 3 - the lists name the lesson
ok 4 - the links lead somewhere
ok 5 - the translation follows the English text
not ok 6 - the points add up
ok 7 - the sizes hide no mistake
ok 8 - the reference is right
ok 9 - the solution passes
ok 10 - the stub fails
ok 11 - wrong/no-guard.cu gets its verdict
ok 12 - the limits separate
$ sed -i 's/^.*expect: .*/\/\/ expect: failed correct nan/' solutions/01-copy/wrong/no-guard.cu; warpbook lesson check 1 | grep -A 1 wrong/no
  ✗ wrong/no-guard.cu gets its verdict
      Expected correct failed (nan), but it got failed (out-of-bounds): At n = 1 `copy` was stopped: the kernel touched memory outside of an array (at or near line 5).
$ $WARPBOOK_BUILD/lessons/check-01-copy --author --tap 2>/dev/null | sed -n '/^ok 10/,$p'
ok 10 - the stub fails
# Expected correct failed (nan), but it got failed (out-of-bounds): At n = 1 `copy` was stopped: the kernel touched memory outside of an array (at or near line 5).
not ok 11 - wrong/no-guard.cu gets its verdict
# solutions/01-copy/wrong/no-guard.cu:1: error: Failure!
ok 12 - the limits separate
# not ok - 01-copy
$ echo '// no expectation' >solutions/01-copy/wrong/no-guard.cu; cp solutions/01-copy/solution.cu lessons/01-copy/exercise.cu; echo broken >solutions/01-copy/solution.cu; warpbook lesson check 1 | sed -n '/reference/,$p' | grep -v '^      '
  ✓ the reference is right
  ✗ the solution passes
  ✗ the stub fails
  ✗ wrong/no-guard.cu gets its verdict
$ rm solutions/01-copy/solution.cu solutions/01-copy/wrong/*; warpbook lesson check 1 | sed -n '/reference/,$p'
  ✓ the reference is right
  ✗ the solution passes
      solutions/01-copy/solution.cu is missing.
  ✗ the stub fails
      The stub must compile, launch and fail, but it got passed
$ touch solutions/01-copy/wrong/x.cu; warpbook lesson check 1 | sed -n '/reference/,$p' | grep -v '^      '
  ✓ the reference is right
  ✗ the solution passes
  ✗ the stub fails
  ✗ wrong/x.cu gets its verdict
$ rm -r lessons/01-copy; "$CHECK_COPY"
warpbook: The lesson 01-copy is not in TMP/tree/lessons (a lesson is a folder with a check.c). Has the folder been moved or renamed? `git status` shows it.
[3]
