#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cudart-abi.sh OURS FIXTURES CUDART COMPILER...: the facts that the program OURS prints of our
# declarations must be those of the toolkit's headers (see fixtures/cudart/abi.c). Without the
# toolkit's headers beside nvcc the test is skipped (77).

set -u
ours=$1
fixtures=$2
cudart=$3
shift 3
toolkit=$(dirname "$(readlink -f "${WARPBOOK_NVCC:-/nowhere}")")/../include
[ -f "$toolkit/cuda_runtime_api.h" ] || { echo "no CUDA headers in $toolkit" && exit 77; }

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$@" -w -DTOOLKIT -isystem "$toolkit" -I "$cudart" -o "$folder/theirs" "$fixtures/abi.c" || exit 1
"$folder/theirs" >"$folder/theirs.txt"
"$ours" >"$folder/ours.txt"
[ -s "$folder/ours.txt" ] || { echo "$ours prints nothing" && exit 1; }
diff "$folder/theirs.txt" "$folder/ours.txt" && wc -l <"$folder/ours.txt"
