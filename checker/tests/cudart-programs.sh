#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cudart-programs.sh LIBRARY PROGRAM.cu...: builds each program with nvcc as a learner does, runs it
# with our libcudart.so.13 (LIBRARY) and prints TAP. A program must end with 0, print exactly what is
# in PROGRAM.out (nothing if there is none), and on stderr at least the lines of PROGRAM.err. Comments
# in a program say how it is built:
#   // build: FLAGS       once more, with these flags; may be repeated
#   // arch: FLAG         instead of -arch=sm_90 in the first build
#   // part-of: OTHER.cu  not a program: compiled together with OTHER.cu
# Without nvcc (WARPBOOK_NVCC) everything is skipped.

set -u
library=$1
shift
if [ -z "${WARPBOOK_NVCC:-}" ]; then
    echo '1..0 # SKIP there is no nvcc'
    exit 0
fi
LD_LIBRARY_PATH=$(CDPATH='' cd -- "$(dirname -- "$library")" && pwd) || exit 99
export LD_LIBRARY_PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0

# The values of a comment, one a line.
comment() {
    sed -n "s|^// $1: ||p" "$2"
}

# Builds PROGRAM.cu with FLAGS and runs it; what is wrong is printed as a diagnostic.
run() {
    program=$1 flags=$2
    base=${program%.cu}
    parts=$(grep -l "^// part-of: $(basename "$program")\$" "$(dirname "$program")"/*.cu)
    # shellcheck disable=SC2086  # lists of words
    "$WARPBOOK_NVCC" -std=c++17 -cudart shared -lineinfo -w $flags -o "$work/program" \
        "$program" $parts 2> "$work/log" || return 1
    (cd "$work" && timeout 60 ./program > out 2> err)
    status=$?
    {
        [ "$status" -eq 0 ] || echo "it ended with $status"
        if [ -e "$base.out" ]; then
            diff "$base.out" "$work/out"
        else
            cat "$work/out"
        fi
        [ ! -e "$base.err" ] || while read -r line; do
            grep -F -q -e "$line" "$work/err" || echo "stderr does not say: $line"
        done < "$base.err"
    } > "$work/log"
    [ ! -s "$work/log" ]
}

check() {
    number=$((number + 1))
    if run "$1" "$2"; then
        echo "ok $number - $(basename "$1") $2"
    else
        sed 's/^/# /' "$work/log" "$work/err"
        echo "not ok $number - $(basename "$1") $2"
    fi
}

for source; do
    [ -z "$(comment part-of "$source")" ] || continue
    arch=$(comment arch "$source")
    check "$source" "${arch:--arch=sm_90}"
    comment build "$source" > "$work/builds"
    while read -r flags <&3; do
        case $flags in
        *arch*) check "$source" "$flags" ;;
        *) check "$source" "-arch=sm_90 $flags" ;;
        esac
    done 3< "$work/builds"
done
echo "1..$number"
