## Reports must not replace what is not a report.
$ real_check; mkdir -p exercises; cp lessons/01-copy/exercise.cu exercises/01-copy.cu; cp exercises/01-copy.cu a.cu; ln a.cu hard.cu; ln -s a.cu soft.cu
$ warpbook check 1 --attempt a.cu --json a.cu
warpbook: --json=a.cu would replace a file of yours or of the workbook with the report. Choose another name.
[2]
$ warpbook check 1 --attempt a.cu --html ./hard.cu
warpbook: --html=./hard.cu would replace a file of yours or of the workbook with the report. Choose another name.
[2]
$ warpbook check 1 --attempt soft.cu --junit a.cu
warpbook: --junit=a.cu would replace a file of yours or of the workbook with the report. Choose another name.
[2]
$ warpbook check 1 --html exercises/01-copy.cu
warpbook: --html=exercises/01-copy.cu would replace a file of yours or of the workbook with the report. Choose another name.
[2]
$ warpbook check 1 --attempt a.cu --json exercises/01-copy.cu
warpbook: --json=exercises/01-copy.cu would replace a file of yours or of the workbook with the report. Choose another name.
[2]
$ warpbook check 1 --json lessons/01-copy/check.c
warpbook: --json=lessons/01-copy/check.c would replace a file of yours or of the workbook with the report. Choose another name.
[2]
$ warpbook check 1 --json out --junit ./out
warpbook: --json and --junit name the same file, ./out. Choose two names.
[2]
$ cmp a.cu lessons/01-copy/exercise.cu && cmp exercises/01-copy.cu a.cu; ls out* lessons/01-copy/check.c 2>/dev/null | cat
lessons/01-copy/check.c
## A device stays what it is, and may be named twice.
$ ln -s /dev/null null; WARPBOOK_NVCC=/nowhere/nvcc warpbook check 1 --json null --html null >/dev/null
[3]
$ test -L null && echo still a link
still a link
$ WARPBOOK_NVCC=/nowhere/nvcc warpbook check 1 --json out.json >/dev/null; ls out.json
out.json
