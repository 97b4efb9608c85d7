#!/bin/sh
# SPDX-License-Identifier: MIT
#
# disasm-fresh.sh TEST_DISASM MAKE_DISASM NVCC SOURCE.cu...: compiles each source and compares our
# disassembly of it with cuobjdump's, instruction by instruction. Skipped where cuobjdump (the wheel
# nvidia-cuda-cuobjdump, or a toolkit) or nvcc is missing.

set -u
test_disasm=$1 make_disasm=$2 nvcc=$3
shift 3
PATH=$PATH:/usr/local/cuda/bin
if ! command -v cuobjdump > /dev/null || ! command -v python3 > /dev/null || [ -z "$nvcc" ]; then
    echo '1..0 # SKIP there is no cuobjdump, python3 or nvcc'
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "1..$#"
number=0
for source; do
    number=$((number + 1))
    if "$nvcc" -cubin -arch=sm_90 -o "$work/x.cubin" "$source" 2> "$work/log" &&
        cuobjdump -sass "$work/x.cubin" > "$work/listing" &&
        python3 "$make_disasm" "$work/listing" > "$work/rows" &&
        "$test_disasm" "$work/rows" > "$work/log" 2>&1; then
        echo "ok $number - $(basename "$(dirname "$source")")/$(basename "$source")"
    else
        sed 's/^/# /' "$work/log"
        echo "not ok $number - $source"
    fi
done
