#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints the full path of the CUDA compiler that this tree uses, or explains on standard error
# what was looked at and exits 1. Order: WARPBOOK_NVCC, PATH, CUDA_HOME, /usr/local/cuda, .venv;
# one that is older than 12.8 is passed over. setup.sh and Meson call this script;
# checker/build looks in the same order at run time.

set -u
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 1
looked_at=

# Prints the path if $1 is an nvcc we can use; else notes why not.
try() {
    if [ ! -f "$1" ] || [ ! -x "$1" ]; then
        looked_at="$looked_at
  $1: not there"
        return 1
    fi
    version=$("$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p')
    major=${version%%.*}
    minor=${version#*.}
    if [ -z "$version" ]; then
        looked_at="$looked_at
  $1: does not run"
        return 1
    fi
    if [ "$major" -lt 12 ] || { [ "$major" -eq 12 ] && [ "$minor" -lt 8 ]; }; then
        looked_at="$looked_at
  $1: version $version is too old"
        return 1
    fi
    printf '%s\n' "$1"
}

if [ -n "${WARPBOOK_NVCC:-}" ]; then
    # A choice that somebody made by hand is never silently replaced by another compiler.
    try "$WARPBOOK_NVCC" && exit 0
    echo "WARPBOOK_NVCC names no usable nvcc:$looked_at" >&2
    exit 1
fi
in_path=$(command -v nvcc) && try "$in_path" && exit 0
[ -n "${CUDA_HOME:-}" ] && try "$CUDA_HOME/bin/nvcc" && exit 0
try /usr/local/cuda/bin/nvcc && exit 0
try "$tree/.venv/cuda/bin/nvcc" && exit 0
echo "No CUDA compiler (nvcc) of version 12.8 or newer was found. Looked at PATH and:$looked_at" >&2
exit 1
