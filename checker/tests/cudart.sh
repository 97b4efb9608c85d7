#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cudart.sh LIBRARY PROGRAM.cu [ARGUMENTS]: builds a program with nvcc as a learner does and runs it
# with our libcudart.so.13 (LIBRARY) instead of NVIDIA's. The program prints TAP. Without nvcc
# (WARPBOOK_NVCC names it) the test is skipped.

set -u
library=$1
program=$2
shift 2
[ -n "${WARPBOOK_NVCC:-}" ] || { echo '1..0 # SKIP there is no nvcc' && exit 0; }

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
if ! output=$("$WARPBOOK_NVCC" -std=c++17 -arch=sm_90 -cudart shared -lineinfo \
    -o "$folder/program" "$program" 2>&1); then
    echo '1..1'
    printf '%s\n' "$output" | sed 's/^/# /'
    echo "not ok 1 - $program compiles"
    exit 1
fi
LD_LIBRARY_PATH=$(dirname "$library") "$folder/program" "$@"
