## What `warpbook exec` says before it runs anything; programs that run are in exec-run.t.
$ warpbook exec
warpbook exec: which program?
Try `warpbook exec --help' or `warpbook exec --usage' for more information.
[2]
$ warpbook exec --help
Usage: warpbook exec [OPTION...] PROGRAM [ARGS...]
Runs a CUDA program on the embedded device and says what its kernels did.

      --counters=FILE        write the counters of each launch as JSON
      --device=sim           the device; only the embedded one
      --no-guard             look for no races; faster
      --report=FILE          write what was found as JSON
      --trace                list every CUDA call with its result
  -?, --help                 Give this help list
      --usage                Give a short usage message

Build the program with `nvcc -arch=sm_90 -cudart shared -lineinfo -g -o PROGRAM
program.cu`. Its input, output and exit code stay its own; the exit code is 1
if the program's is 0 and something was found (leaks alone do not count).
$ warpbook exec --device gpu ./program
warpbook exec: exec runs programs on the embedded device (--device sim) only; on a GPU, start the program by itself
Try `warpbook exec --help' or `warpbook exec --usage' for more information.
[2]
$ warpbook exec --counters
warpbook exec: option '--counters' requires an argument
Try `warpbook exec --help' or `warpbook exec --usage' for more information.
[2]
$ warpbook exec --frobnicate ./program
warpbook exec: unrecognized option '--frobnicate'
Try `warpbook exec --help' or `warpbook exec --usage' for more information.
[2]
$ warpbook exec no-such-program
warpbook: There is no program no-such-program in PATH.
[3]
$ warpbook exec ./no-such-program
warpbook: There is no program ./no-such-program.
[3]
$ touch tool; warpbook exec tool
warpbook: There is no program tool in PATH; did you mean ./tool?
[3]
$ warpbook exec .
warpbook: There is no program . in PATH.
[3]
$ warpbook exec lessons/01-copy/exercise.cu
warpbook: lessons/01-copy/exercise.cu is source code; give the program that is built from it: `nvcc -arch=sm_90 -cudart shared -lineinfo -g -o program lessons/01-copy/exercise.cu`.
[3]
$ printf '#!/bin/sh\n' >tool; chmod +x tool; warpbook exec ./tool
warpbook: ./tool is a script; give the program that it starts, with its arguments.
[3]
$ warpbook exec /bin/ls --help
warpbook: /bin/ls is not linked with libcudart.so.13: it makes no CUDA calls, or hides them in a library that it opens. Build it with `nvcc -arch=sm_90 -cudart shared -lineinfo -g -o program program.cu`.
[3]
## Names with escape sequences.
$ warpbook exec "$(printf './\033[2J')"
warpbook: There is no program ./\x1b[2J.
[3]
