## What is asked for must make sense; every way out has its exit code.
$ warpbook help
Warpbook: learn to keep warps together, measured.

  ./warpbook list                    the lessons and how far you are
  ./warpbook next                    the next lesson to work on
  ./warpbook check [LESSON | --all]  compile, run and grade an exercise
  ./warpbook hint LESSON             show the next hint
  ./warpbook diff LESSON             what you changed in an exercise
  ./warpbook reset LESSON            put an exercise back as it was; yours is kept
  ./warpbook solution LESSON         show a solution, once you have tried
  ./warpbook compare LESSON          reference against solution, measured
  ./warpbook exec PROGRAM [ARGS]     run a CUDA program on the embedded device
  ./warpbook doctor                  what works on this machine, and how to fix the rest
  ./warpbook lay                     lay the exercises that are missing
  ./warpbook lesson COMMAND          for authors of lessons: check, new, stamp
  ./warpbook help [COMMAND]          this list, or the options of a command
  ./warpbook version                 which Warpbook this is

A LESSON is a number or a name. `./warpbook COMMAND --help` has the options.
Exit codes: 0 passed, 1 failed, 2 usage, 3 broken, 77 not started or skipped.
$ warpbook --help | head -n 1
Warpbook: learn to keep warps together, measured.
$ warpbook hint --help
Usage: warpbook hint [OPTION...] LESSON
Shows the next hint of a lesson: first the idea, then the place, then almost
the code.

      --level=L              Show this hint, 1 being the first
  -?, --help                 Give this help list
      --usage                Give a short usage message
$ warpbook help hint | head -n 1
Usage: warpbook hint [OPTION...] LESSON
$ warpbook help help | head -n 1
Warpbook: learn to keep warps together, measured.
$ warpbook help nothing
warpbook: There is no command "nothing". `./warpbook help` lists them.
[2]
$ warpbook chekc
warpbook: There is no command "chekc"; did you mean `./warpbook check`?
[2]
$ warpbook frobnicate
warpbook: There is no command "frobnicate". `./warpbook help` lists them.
[2]
$ warpbook ''
warpbook: There is no command "". `./warpbook help` lists them.
[2]
$ warpbook hint
warpbook hint: which lesson? Give its number or its name
Try `warpbook hint --help' or `warpbook hint --usage' for more information.
[2]
$ warpbook hint 1 2
warpbook hint: '2' is one argument too many
Try `warpbook hint --help' or `warpbook hint --usage' for more information.
[2]
$ warpbook list --fast
warpbook list: unrecognized option '--fast'
Try `warpbook list --help' or `warpbook list --usage' for more information.
[2]
$ warpbook list 1
warpbook list: '1' is one argument too many
Try `warpbook list --help' or `warpbook list --usage' for more information.
[2]
$ warpbook check 99
warpbook: There is no lesson "99". `./warpbook list` shows which there are.
[2]
$ warpbook check cpoy
warpbook: There is no lesson "cpoy"; did you mean 01-copy?
[2]
$ warpbook check --seed 1x
warpbook check: --seed must be a whole number from 0 to 2^53, not '1x'
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check --seed 9007199254740993
warpbook check: --seed must be a whole number from 0 to 2^53, not '9007199254740993'
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check --json
warpbook check: option '--json' requires an argument
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check 1 --json=
warpbook check: --json needs a value
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check 1 --json - --html -
warpbook check: only one report can go to standard output
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check --all 1
warpbook check: --all goes with --device and --seed only
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check --all --json x.json
warpbook check: --all goes with --device and --seed only
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook check --attempt x.cu
warpbook check: --attempt needs a lesson: which one shall check the file?
Try `warpbook check --help' or `warpbook check --usage' for more information.
[2]
$ warpbook lesson
warpbook: What about lessons? `./warpbook lesson --help` lists what there is.
[2]
$ warpbook lesson check 99
warpbook: There is no lesson "99". `./warpbook list` shows which there are.
[2]
$ warpbook lesson --help | head -n 1
  ./warpbook lesson check [LESSON]           check that a lesson checks
$ warpbook compare
warpbook compare: which lesson? Give its number or its name
Try `warpbook compare --help' or `warpbook compare --usage' for more
information.
[2]
