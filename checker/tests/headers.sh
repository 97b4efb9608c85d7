#!/bin/sh
# SPDX-License-Identifier: MIT
#
# headers.sh FOLDER COMPILER [OPTION...]: each public header in FOLDER/warpbook must compile alone,
# without a warning and with an include guard. Speaks TAP.

set -eu
folder=$1
shift
set -- "$@" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$folder"

count=$(find "$folder/warpbook" -name '*.h' | wc -l)
echo "1..$count"
number=0
failures=0
for header in "$folder"/warpbook/*.h; do
    number=$((number + 1))
    name=warpbook/${header##*/}
    # Twice, so that a missing guard shows; with a declaration, since C forbids an empty file.
    if output=$(printf '#include <%s>\n#include <%s>\nextern int only;\n' "$name" "$name" |
        "$@" -x c - 2>&1); then
        echo "ok $number - <$name>"
    else
        echo "not ok $number - <$name>"
        printf '%s\n' "$output" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
done
[ "$failures" -eq 0 ]
