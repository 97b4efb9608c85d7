#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-cold-warm.sh WARPBOOK: what `warpbook check 07` costs on the embedded device, beside
# the bare `nvcc -cubin` of the same file. Five rounds in one run, each with nvcc alone, a check
# with an empty compile cache and one with a full cache; prints the medians and exits 1 unless
# cold <= 2.5 x nvcc and warm <= 0.3 s. `meson test -C build --benchmark` runs it.

set -eu
warpbook=$1
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
nvcc=$(sh "$tree/checker/tools/find-nvcc.sh")
rounds=5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$tree"/solutions/07-*/solution.cu "$work/attempt.cu"
export WARPBOOK_CACHE="$work/cache" WARPBOOK_ROOT="$tree"

# time_of NAME COMMAND...: runs the command and adds its milliseconds to the list NAME.
time_of() {
    name=$1
    shift
    start=$(date +%s%N)
    if ! "$@" >"$work/output" 2>&1; then
        cat "$work/output"
        echo "check-cold-warm.sh: '$*' failed" >&2
        exit 1
    fi
    echo $((($(date +%s%N) - start) / 1000000)) >>"$work/$name"
}

median() {
    sort -n "$work/$1" | sed -n "$(((rounds + 1) / 2))p"
}

round=0
while [ $round -lt $rounds ]; do
    round=$((round + 1))
    time_of nvcc "$nvcc" -cubin -arch=sm_90 -lineinfo -O3 -std=c++17 \
        -o "$work/attempt.cubin" "$work/attempt.cu"
    rm -rf "$work/cache"
    time_of cold "$warpbook" check 07 --device sim --attempt "$work/attempt.cu"
    time_of warm "$warpbook" check 07 --device sim --attempt "$work/attempt.cu"
done

awk -v nvcc="$(median nvcc)" -v cold="$(median cold)" -v warm="$(median warm)" -v n=$rounds 'BEGIN {
    printf "medians of %d rounds, milliseconds: nvcc %d, cold check %d, warm check %d\n",
           n, nvcc, cold, warm
    printf "cold check / nvcc = %.2f (at most 2.5), warm check = %.3f s (at most 0.3)\n",
           cold / nvcc, warm / 1000
    exit !(cold <= 2.5 * nvcc && warm <= 300)
}'
