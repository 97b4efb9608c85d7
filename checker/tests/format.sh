#!/bin/sh
# SPDX-License-Identifier: MIT
#
# format.sh TREE: every C file must look as clang-format 14 with the tree's .clang-format lays it
# out. Other versions differ in details: without that one the test is skipped (77).
# To repair: clang-format -i FILE.

set -eu
cd "$1"
for clang_format in clang-format-14 clang-format ''; do
    case $($clang_format --version 2>/dev/null) in
    *"version 14."*) break ;;
    esac
done
[ -n "$clang_format" ] || { echo "clang-format 14 is not installed" && exit 77; }

if ! output=$(find checker lessons -name '*.[ch]' ! -path '*/fixtures/*' -exec \
    "$clang_format" --dry-run -Werror --style=file {} + 2>&1); then
    printf '%s\n' "$output" | grep 'error:' || printf '%s\n' "$output"
    exit 1
fi
