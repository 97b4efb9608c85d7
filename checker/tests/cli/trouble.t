## Trees that cannot be used, and output that cannot be written.
$ WARPBOOK_ROOT=/nowhere warpbook list
warpbook: WARPBOOK_ROOT is "/nowhere", but there is no folder lessons/ in it. Unset it, or set it to the folder that holds lessons/ and exercises/.
[3]
$ mkdir ../empty ../empty/lessons; WARPBOOK_ROOT=$PWD/../empty warpbook list
warpbook: TMP/empty/lessons holds no lesson (a folder like 07-warp-aligned-branch with a check.c in it). `git status` shows what is missing.
[3]
$ WARPBOOK_ROOT=$PWD/../empty warpbook check
warpbook: TMP/empty/lessons holds no lesson (a folder like 07-warp-aligned-branch with a check.c in it). `git status` shows what is missing.
[3]
$ rm lessons/02-halves/check.c; warpbook list; warpbook check 2
  ✗ 01 Copy  missing      exercises/01-copy.cu

0 of 1 passed.
warpbook: There is no lesson "2". `./warpbook list` shows which there are.
[2]
$ rm -r exercises; warpbook list; warpbook lay; ls exercises
  ✗ 01 Copy  missing      exercises/01-copy.cu

0 of 1 passed.
laid exercises/01-copy.cu
01-copy.cu
## An exercise that is a folder.
$ rm exercises/01-copy.cu; mkdir exercises/01-copy.cu; warpbook list; warpbook diff 1
warpbook: TMP/tree/exercises/01-copy.cu is not a regular file.
  ▶ 01 Copy  started      exercises/01-copy.cu

0 of 1 passed.
warpbook: TMP/tree/exercises/01-copy.cu is not a regular file.
[3]
$ warpbook reset 1; ls exercises
Your file is kept as exercises/01-copy.cu.~1~.
exercises/01-copy.cu is as it was at the start.
01-copy.cu
01-copy.cu.~1~
## A title and a name with escape sequences.
$ printf '# 01 \033[31mRed\n' >lessons/01-copy/README.md; warpbook next | head -n 1
Lesson 01: \x1b[31mRed
$ warpbook check "$(printf '\033[2J')"
warpbook: There is no lesson "\x1b[2J". `./warpbook list` shows which there are.
[2]
## Standard output: closed, full, and a reader that leaves.
$ warpbook list >&-
warpbook: Standard output cannot be written: Bad file descriptor.
[3]
$ warpbook list >/dev/full
warpbook: Standard output cannot be written: No space left on device.
[3]
$ warpbook help | true
## Standard error closed.
$ warpbook chekc 2>&-
[2]
