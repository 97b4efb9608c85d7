#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cudart-names.sh LIBRARY: every name that NVIDIA's libcudart.so.13 exports, LIBRARY exports too, with
# the same version, and nothing else. Skipped (77) where the toolkit of WARPBOOK_NVCC has no such file.

set -u
library=$1
for place in "$(dirname "$(readlink -f "${WARPBOOK_NVCC:-/nowhere}")")/.." /usr/local; do
    for folder in lib64 lib targets/x86_64-linux/lib; do
        [ -e "$place/$folder/libcudart.so.13" ] && theirs=$place/$folder/libcudart.so.13
    done
done
[ -n "${theirs:-}" ] || { echo "there is no libcudart.so.13 to compare with" && exit 77; }

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
names() {
    nm -D --defined-only "$1" | awk '$3 ~ /cuda/ { print $3 }' | LC_ALL=C sort
}
names "$theirs" > "$folder/theirs"
names "$library" > "$folder/ours"
[ -s "$folder/theirs" ] || { echo "nm prints nothing of $theirs" && exit 1; }
diff "$folder/theirs" "$folder/ours" && wc -l < "$folder/ours"
