## One hint at a time, and a solution for who has tried.
$ warpbook hint 1
Hint 1: the idea   (lesson 01, 1 of 2)

One thread copies one number.

`./warpbook hint 1` again shows the next one.
$ warpbook hint 1
Hint 2: the code   (lesson 01, 2 of 2)

    out[i] = in[i];

That is the last hint. `./warpbook solution 1` shows a solution.
$ warpbook hint 1
Hint 2: the code   (lesson 01, 2 of 2)

    out[i] = in[i];

That is the last hint. `./warpbook solution 1` shows a solution.
$ warpbook hint 1 --level 1
Hint 1: the idea   (lesson 01, 1 of 2)

One thread copies one number.

`./warpbook hint 1` again shows the next one.
$ warpbook hint 1 --level 3
warpbook: Lesson 1 has 2 hints, not 3.
[2]
$ warpbook hint 1 --level x
warpbook hint: --level must be a number from 1, not 'x'
Try `warpbook hint --help' or `warpbook hint --usage' for more information.
[2]
$ warpbook hint 2
warpbook: TMP/tree/lessons/02-halves/hints.md does not exist.
[3]
$ printf 'no sections\n' >lessons/02-halves/hints.md
$ warpbook hint 2
warpbook: lessons/02-halves/hints.md has no hints (sections that begin with "## ").
[3]
$ warpbook solution 1
warpbook: You have not tried yet: exercises/01-copy.cu is unchanged. `./warpbook hint 1` helps; `./warpbook solution 1 --yes` shows the solution all the same.
[77]
$ warpbook lay
laid exercises/01-copy.cu
laid exercises/02-halves.cu
$ warpbook solution 1
warpbook: You have not tried yet: exercises/01-copy.cu is unchanged. `./warpbook hint 1` helps; `./warpbook solution 1 --yes` shows the solution all the same.
[77]
$ warpbook solution 1 --yes
// Each thread copies one number.
extern "C" __global__ void copy(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
    }
}
$ echo '// mine' >>exercises/01-copy.cu
$ warpbook solution copy | tail -n 3
        out[i] = in[i];
    }
}
$ warpbook solution 2 --yes
warpbook: TMP/tree/solutions/02-halves/solution.cu does not exist.
[3]
## A cache that cannot be written: the hint is shown all the same.
$ touch file && WARPBOOK_CACHE=file warpbook hint 1
warpbook: It could not be saved that you saw this hint: The folder file cannot be made: File exists.
Hint 1: the idea   (lesson 01, 1 of 2)

One thread copies one number.

`./warpbook hint 1` again shows the next one.
