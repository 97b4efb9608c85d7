#!/bin/sh
# SPDX-License-Identifier: MIT
#
# find-nvcc-test.sh FIND_NVCC: which compiler is chosen, with made-up compilers in a made-up tree. Where
# the machine has a toolkit in /usr/local/cuda, the cases that need it absent are skipped. TAP.

set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/a tree"
mkdir -p "$tree/checker/tools"
cp "$1" "$tree/checker/tools/"
unset WARPBOOK_NVCC CUDA_HOME
number=0
failures=0

# nvcc FOLDER VERSION: a compiler in FOLDER/bin that says it has this version.
nvcc() {
    mkdir -p "$work/$1/bin"
    printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V%s.1"\n' "$2" "$2" \
        >"$work/$1/bin/nvcc"
    chmod +x "$work/$1/bin/nvcc"
}

# expect TITLE STATUS TEXT [NAME=VALUE...]: the script, run with these variables, must end so and
# say this.
expect() {
    title=$1 status=$2 text=$3
    shift 3
    number=$((number + 1))
    got=0
    output=$(env PATH=/usr/bin:/bin "$@" sh "$tree/checker/tools/find-nvcc.sh" 2>&1) || got=$?
    if [ "$got" -eq "$status" ] && [ "${output#*"$text"}" != "$output" ]; then
        echo "ok $number - $title"
    else
        echo "not ok $number - $title"
        printf 'status %s\n%s\n' "$got" "$output" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
}

skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP this machine has a CUDA toolkit of its own"
}

nvcc named 13.0
nvcc path 12.8
nvcc home 13.1
nvcc old 12.7
nvcc older 11.8
mkdir -p "$work/broken/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/broken/bin/nvcc"
chmod +x "$work/broken/bin/nvcc"

echo "1..9"
with_path="PATH=$work/path/bin:/usr/bin:/bin"
expect "WARPBOOK_NVCC comes first" 0 "$work/named/bin/nvcc" \
    "WARPBOOK_NVCC=$work/named/bin/nvcc" "$with_path" "CUDA_HOME=$work/home"
expect "a named compiler that is missing is not replaced" 1 "not there" \
    "WARPBOOK_NVCC=$work/nowhere/nvcc" "$with_path"
expect "a named compiler that is too old is not replaced" 1 "12.7 is too old" \
    "WARPBOOK_NVCC=$work/old/bin/nvcc" "$with_path"
expect "PATH comes before CUDA_HOME" 0 "$work/path/bin/nvcc" "$with_path" "CUDA_HOME=$work/home"
expect "one that is too old is passed over" 0 "$work/home/bin/nvcc" \
    "PATH=$work/older/bin:/usr/bin:/bin" "CUDA_HOME=$work/home"
expect "one that does not run is passed over" 0 "$work/home/bin/nvcc" \
    "PATH=$work/broken/bin:/usr/bin:/bin" "CUDA_HOME=$work/home"
expect "CUDA_HOME is looked at" 0 "$work/home/bin/nvcc" "CUDA_HOME=$work/home"
if [ -x /usr/local/cuda/bin/nvcc ] || [ -x /usr/bin/nvcc ]; then
    skip "without any, it says where it looked"
    skip ".venv comes last"
else
    expect "without any, it says where it looked" 1 "$tree/.venv/cuda/bin/nvcc: not there"
    nvcc "a tree/.venv/cuda" 13.0
    expect ".venv comes last" 0 "$tree/.venv/cuda/bin/nvcc"
fi
[ "$failures" -eq 0 ]
