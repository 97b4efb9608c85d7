## Where am I, what next.
$ warpbook list
  ✗ 01 Copy    missing      exercises/01-copy.cu
  ✗ 02 Halves  missing      exercises/02-halves.cu

0 of 2 passed.
$ warpbook
0 of 2 lessons passed.
Lesson 01: Copy
  read   lessons/01-copy/README.md
  lay    ./warpbook reset 1   (exercises/01-copy.cu is missing)
  check  ./warpbook check 1

`./warpbook list` shows all lessons, `./warpbook help` all commands.
$ warpbook lay
laid exercises/01-copy.cu
laid exercises/02-halves.cu
$ warpbook lay
All 2 exercises are there.
$ warpbook next
Lesson 01: Copy
  read   lessons/01-copy/README.md
  edit   exercises/01-copy.cu
  check  ./warpbook check 1
$ echo '// mine' >>exercises/01-copy.cu
$ warpbook list
  ▶ 01 Copy    started      exercises/01-copy.cu
  – 02 Halves  not started  exercises/02-halves.cu

0 of 2 passed.
$ warpbook next
Lesson 01: Copy
  read   lessons/01-copy/README.md
  edit   exercises/01-copy.cu   (started)
  check  ./warpbook check 1
$ rm exercises/02-halves.cu
$ LC_ALL=C warpbook list
  > 01 Copy    started      exercises/01-copy.cu
  x 02 Halves  missing      exercises/02-halves.cu

0 of 2 passed.
## From below the tree, without being told where it is.
$ cd lessons/02-halves && env -u WARPBOOK_ROOT "$WARPBOOK" next
Lesson 01: Copy
  read   lessons/01-copy/README.md
  edit   exercises/01-copy.cu   (started)
  check  ./warpbook check 1
$ warpbook version
warpbook 0.1.0
