## reset and diff: nothing of the learner's is lost.
$ warpbook diff 1
warpbook: exercises/01-copy.cu is missing. `./warpbook reset 1` lays a fresh one.
[77]
$ warpbook reset 1
exercises/01-copy.cu is as it was at the start.
$ warpbook diff copy
exercises/01-copy.cu is unchanged.
$ printf 'int mine;\n' >exercises/01-copy.cu
$ warpbook diff 1
--- lessons/01-copy/exercise.cu
+++ exercises/01-copy.cu
@@ -1,4 +1 @@
-// Task: copy n numbers from in to out.
-extern "C" __global__ void copy(const int *in, int *out, int n)
-{
-}
+int mine;
$ warpbook reset 01-copy
Your file is kept as exercises/01-copy.cu.~1~.
exercises/01-copy.cu is as it was at the start.
$ printf 'int again;\n' >exercises/01-copy.cu
$ warpbook reset exercises/01-copy.cu
Your file is kept as exercises/01-copy.cu.~2~.
exercises/01-copy.cu is as it was at the start.
$ cat exercises/01-copy.cu.~1~ exercises/01-copy.cu.~2~
int mine;
int again;
## Escape sequences in the learner's file do not reach the terminal.
$ printf '\033[2J\xff\n' >exercises/01-copy.cu
$ warpbook diff 1
--- lessons/01-copy/exercise.cu
+++ exercises/01-copy.cu
@@ -1,4 +1 @@
-// Task: copy n numbers from in to out.
-extern "C" __global__ void copy(const int *in, int *out, int n)
-{
-}
+\x1b[2J\xff
## A lesson that lost its stub: nothing is moved.
$ rm lessons/02-halves/exercise.cu
$ warpbook reset 2
warpbook: Lesson 02-halves is damaged: TMP/tree/lessons/02-halves/exercise.cu does not exist. `git status` shows what is missing.
[3]
$ echo mine >exercises/02-halves.cu
$ warpbook reset 2
warpbook: Lesson 02-halves is damaged: TMP/tree/lessons/02-halves/exercise.cu does not exist. `git status` shows what is missing.
[3]
$ cat exercises/02-halves.cu
mine
$ warpbook lay
All 2 exercises are there.
$ warpbook list
warpbook: Lesson 02-halves is damaged: TMP/tree/lessons/02-halves/exercise.cu does not exist. `git status` shows what is missing.
  ▶ 01 Copy    started      exercises/01-copy.cu
  ▶ 02 Halves  started      exercises/02-halves.cu

0 of 2 passed.
