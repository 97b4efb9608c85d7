#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exec-pairs.sh WARPBOOK PAIRS.CU: the mistakes of fixtures/exec/pairs.cu are found under `warpbook
# exec` where it says, each by one finding (besides what it only follows from), and in their right
# twins nothing is. Speaks TAP; skips (77) without nvcc. Environment: NVCC.

set -u
warpbook=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/${1##*/}
if [ -z "$NVCC" ]; then
    echo "no nvcc was found when the build was configured"
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$2" "$tmp/pairs.cu"
cd "$tmp" || exit 99
unset WARPBOOK_RUN_LOG WARPBOOK_TRACE WARPBOOK_INJECT LD_LIBRARY_PATH
"$NVCC" -arch=sm_90 -cudart shared -lineinfo -g -w -o pairs pairs.cu || exit 99

tests=0
failed=0
report() {
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
    else
        echo "not ok $tests - $2"
        failed=$((failed + 1))
        sed 's/^/# /' out err | cut -c 1-300
    fi
}

run() {
    code=0
    timeout 60 "$warpbook" exec ./pairs "$@" >out 2>err || code=$?
}

# A mistake is found at its line; the program's result is not changed by that.
grep -n '// bad: ' pairs.cu | sed 's|^\([0-9]*\):.*// bad: |\1 |' >bad
while read -r line name kind; do
    run "$name" bad
    [ "$code" -eq 1 ] && grep -q "^pairs.cu:$line: error: .*\[$kind\]$" err &&
        [ "$(grep ' error: ' err | grep -vc 'copy-kind')" -eq 1 ] && grep -q ' note: ' err
    report $? "$name: $kind at line $line"
done <bad

# Nothing is found in its twin, and the results are right.
{ sed 's/^[0-9]* \([^ ]*\) .*/\1/' bad; sed -n 's|.*// ok: ||p' pairs.cu; } >ok
while read -r name; do
    run "$name" ok
    [ "$code" -eq 0 ] && grep -q '^right$' out && ! grep -q 'error: \|warning: ' err
    report $? "$name: its right twin"
done <ok

# Without the guard nobody looks.
code=0
timeout 60 "$warpbook" exec --no-guard ./pairs two-kernels bad >out 2>err || code=$?
[ "$code" -eq 0 ] && ! grep -q 'error: ' err
report $? '--no-guard'

echo "1..$tests"
[ "$failed" -eq 0 ]
