#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exec.sh WARPBOOK MODES.CU MISTAKES.CU SCHEMA_CHECK: programs of every fate under `warpbook exec`.
# They are those of fixtures/exec, modes.cu built in several ways. SCHEMA_CHECK is a command that validates the
# counters file it is given, or "". Speaks TAP; skips (77) without nvcc. Environment: NVCC.

set -u
warpbook=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/${1##*/}
source=$2
mistakes=$3
schema_check=$4
if [ -z "$NVCC" ]; then
    echo "no nvcc was found when the build was configured"
    exit 77
fi
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
cp "$source" "$tmp/modes.cu"
cp "$mistakes" "$tmp/mistakes.cu"
cd "$tmp" || exit 99
unset WARPBOOK_RUN_LOG WARPBOOK_TRACE WARPBOOK_INJECT LD_LIBRARY_PATH
export LC_ALL=C.UTF-8 TMPDIR="$tmp/temporary" COLUMNS=300
mkdir "$TMPDIR"

tests=0
failed=0

# report RC NAME: one line of TAP, and what was said if RC is not 0.
report() {
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
    else
        echo "not ok $tests - $2"
        failed=$((failed + 1))
        echo "# exit code $code"
        sed 's/^/# out: /' out | cut -c 1-200 | head -20
        sed 's/^/# err: /' err | cut -c 1-300 | head -20
    fi
}

# run COMMAND...: leaves out, err and $code.
run() {
    code=0
    timeout 120 "$@" >out 2>err </dev/null || code=$?
}

# says FILE TEXT...: every text stands in the file.
says() {
    in=$1
    shift
    for text; do
        grep -qF -- "$text" "$in" || return 1
    done
}

# fate NAME CODE OUT ERR...: `exec ./modes NAME` ends so, prints the line OUT, and says every ERR.
fate() {
    mode=$1 want=$2 line=$3
    shift 3
    run "$warpbook" exec ./modes "$mode"
    [ "$code" -eq "$want" ] && { [ -z "$line" ] || says out "$line"; } && says err "$@"
    report $? "$mode"
}

build() {
    "$NVCC" "$@" >nvcc.out 2>&1 || { cat nvcc.out; exit 99; }
}

build -arch=sm_90 -cudart shared -lineinfo -g -o modes modes.cu
build -arch=sm_90 -cudart shared -lineinfo -Xlinker --disable-new-dtags -Xlinker \
    -rpath=/nowhere -o rpath modes.cu
build -arch=sm_80 -cudart shared -o other-arch modes.cu
build -gencode arch=compute_80,code=compute_80 -cudart shared -o only-ptx modes.cu
build -arch=sm_90 -o static modes.cu
build -arch=sm_90 -cudart shared -lineinfo -g -o mistakes mistakes.cu

# ---- how programs end ----------------------------------------------------------------------------

fate ok 0 '1 1' 'increment         1 '
[ "$(cat out)" = '1 1' ] && [ "$(wc -l <err)" -eq 2 ]
report $? 'a program without mistakes: its own output, and a table'
fate fails 7 '1 1' 'increment '
fate exits 0 '1 1' 'increment '
fate aborts 134 '1 1' 'increment ' 'ended by signal 6'
fate null-pointer 139 '1 1' 'increment ' 'ended by signal 11'
fate device-pointer-on-host 139 '1 1' 'modes.cu:97: error: the program used a device pointer' \
    '[crash]'
fate many 0 '10000 10000' 'increment     10000 '
fate threads 0 '0 of 8 threads are wrong' 'increment       400 '
fate forks 0 'child: cudaErrorInitializationError' 'increment         3 '
fate forks-first 0 '3 3' 'increment         4 '
fate closes 0 '1 1' 'increment         2 '
fate loud 0 xxxx xxxx 'increment '
[ "$(grep -c '^xxxx' out)" -eq 4096 ] && [ "$(grep -c '^xxxx' err)" -eq 4096 ]
report $? 'every line of a loud program arrives'

code=0
printf 'one\ntwo' | "$warpbook" exec ./modes copies >out 2>err || code=$?
[ "$code" -eq 0 ] && [ "$(head -c 7 out)" = "$(printf 'one\ntwo')" ]
report $? 'standard input is the program'"'"'s'

# ---- what is found -------------------------------------------------------------------------------

fate out-of-bounds 1 cudaErrorIllegalAddress 'modes.cu:25: error: thread (232,0,0) of block (3,0,0)' \
    'launched at modes.cu:103' '[out-of-bounds]'
! grep -q 'unchecked-error\|\[leak\]' err
report $? 'a fault that the program looked at has no echo'
fate host-pointer 1 cudaErrorIllegalAddress 'modes.cu:19: error:' \
    'argument 1 of the kernel is an address of host memory' 'launched at modes.cu:113' \
    '[host-pointer]'
fate wrong-kind 1 cudaErrorInvalidValue 'modes.cu:121: error:' 'the kind is cudaMemcpyDeviceToHost' \
    '[copy-kind]'
fate null-in-kernel 1 cudaErrorIllegalAddress 'a null pointer was used' 'note: Give the pointer memory'
fate freed-too-early 1 cudaErrorIllegalAddress 'after it was freed' 'note: Free memory only behind'
fate freed-on-host 139 '' 'error: the program used a device pointer' 'with cudaFree.'
fate symbols 1 cudaSuccess \
    'modes.cu:283: error: `weights` is a variable on the device; its name in host code is no pointer' \
    'modes.cu:283: note: Copy to the variable with cudaMemcpyToSymbol(weights, ...).' \
    'modes.cu:284: note: Copy from the variable with cudaMemcpyFromSymbol(..., weights, ...).' \
    'modes.cu:285: error: the text "weights" is no symbol' 'Write weights without the quotes.' \
    'modes.cu:286: error: a pointer to `weights` is no symbol'
[ "$(grep -c '\[copy-kind\]' err)" -eq 4 ]
report $? 'what names no variable of the device is not explained'
fate unchecked 1 '' 'modes.cu:130: error: the kernel launch failed with cudaErrorInvalidValue' \
    '1 to 1024 threads'
fate leaks 0 '' 'modes.cu:139: warning: 1 stream made here was never given back' \
    'modes.cu:33: warning: 3 device allocations (12000 bytes) made here were never given back'

WARPBOOK_INJECT=cudaMalloc:1 run "$warpbook" exec ./modes checked
[ "$code" -eq 5 ] && says out 'cudaMalloc: out of memory'
report $? 'a planned failure reaches the program'
WARPBOOK_INJECT=cudaLaunchKernel:1:cudaErrorUnknown run "$warpbook" exec ./modes ok
[ "$code" -eq 1 ] && says out '0 0' && says err 'the kernel launch failed with cudaErrorUnknown' \
    '[unchecked-error]'
report $? 'a planned failure that nobody looks at is found'
WARPBOOK_INJECT=cudaMaloc:1,cudaMalloc,cudaMalloc:x,cudaMalloc:1:cudaOops run "$warpbook" exec \
    ./modes ok
[ "$code" -eq 0 ] && [ "$(grep -c '^warpbook: WARPBOOK_INJECT: .*It is ignored.$' err)" -eq 4 ]
report $? 'plans that make no sense are told'

run "$warpbook" exec --trace ./modes wrong-kind
says err 'modes.cu:33: cudaMalloc = cudaSuccess' \
    'modes.cu:121: cudaMemcpy = cudaErrorInvalidValue'
report $? 'a trace has every call, with line and result'

# ---- files ---------------------------------------------------------------------------------------

run "$warpbook" exec --counters c.json --report r.json ./modes leaks
[ "$code" -eq 0 ] && says r.json '"kind": "leak"' '"line": 139' && says c.json '"launches": []'
report $? 'counters and report are written'
run "$warpbook" exec --counters c.json ./modes many 3
[ "$(grep -c '"kernel":"increment"' c.json)" -eq 3 ] && says c.json '"line":19' &&
    { [ -z "$schema_check" ] || $schema_check c.json; }
report $? 'each launch has its counters, as the schema wants them'
run "$warpbook" exec --counters c.json ./modes aborts
[ "$(grep -c '"kernel":"increment"' c.json)" -eq 1 ]
report $? 'counters of a program that was aborted are kept'
run "$warpbook" exec --counters /nowhere/c.json ./modes ok
[ "$code" -eq 3 ] && [ ! -s out ] && says err 'The program was not started.'
report $? 'a folder that is not there is told before the program runs'
run "$warpbook" exec --counters c.json --report /dev/full ./modes ok
[ "$code" -eq 3 ] && says err '/dev/full could not be written'
report $? 'a full disk is told'
[ "$(grep -c '"kernel"' c.json)" -eq 1 ]
report $? 'and the other file is whole'
run "$warpbook" exec --counters - ./modes ok
[ "$code" -eq 0 ] && [ -s ./- ]
report $? 'a file may be called -'
rm -f ./-
ln -s /proc/self/fd/1 stdout
ln -s c.json link.json
run "$warpbook" exec --counters stdout --report link.json ./modes ok
[ "$code" -eq 0 ] && [ -L stdout ] && [ -L link.json ] && says out '"kernel":"increment"' &&
    says c.json '"findings"'
report $? 'links stay links, /dev/stdout too'
run "$warpbook" exec --counters c.json --report link.json ./modes ok
[ "$code" -eq 3 ] && [ ! -s out ] && says err 'cannot both go to c.json'
report $? 'two results do not go to one file'
cp modes same
run "$warpbook" exec --report same ./same ok
[ "$code" -eq 3 ] && says err 'is the program itself' && cmp -s modes same
report $? 'the program is not written over'
run "$warpbook" exec --counters '' ./modes ok
[ "$code" -eq 3 ] && [ ! -s out ] && says err 'give the name of a file'
report $? 'a file has a name'
rm -f stdout link.json same
[ -z "$(ls "$TMPDIR")" ] && [ -z "$(ls | grep 'json\.')" ]
report $? 'no temporary files are left'
TMPDIR=/nowhere run "$warpbook" exec ./modes ok
[ "$code" -eq 3 ] && says err 'set TMPDIR'
report $? 'a temporary folder that is not there is told'

# ---- what is no such program ---------------------------------------------------------------------

fate_of() {
    name=$1
    shift
    run "$warpbook" exec "$name"
    [ "$code" -eq 3 ] && [ ! -s out ] && says err "$@"
    report $? "$name is refused"
}
run "$warpbook" exec ./rpath ok
[ "$code" -eq 0 ] && says out '1 1' && says err 'increment '
report $? 'a program with folders of its own for libraries runs'
fate_of ./static 'carries the CUDA runtime inside itself' '-cudart shared'
fate_of ./other-arch 'holds code for sm_80' '-arch=sm_90'
fate_of ./only-ptx 'holds only PTX' '-arch=sm_90'
fate_of ./modes.cu 'source code'
fate_of /bin/sh 'not linked with libcudart.so.13'
fate_of modes 'did you mean ./modes?'
fate_of ./nothing 'There is no program ./nothing'
cp modes locked && chmod -x locked
fate_of ./locked 'chmod +x'

# ---- signals -------------------------------------------------------------------------------------

# signalled SIGNAL TEXT COMMAND...: sends the signal to warpbook once the text was said; leaves $code.
signalled() {
    signal=$1 text=$2
    shift 2
    code=0
    : >out # what stands there is the last program's
    "$@" >out 2>err </dev/null &
    child=$!
    tries=0
    until grep -q "$text" out err || [ "$tries" -eq 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill "-$signal" "$child"
    wait "$child" || code=$?
}
signalled TERM asleep "$warpbook" exec ./modes sleeps
[ "$code" -eq 143 ] && says err 'ended by signal 15'
report $? 'a signal ends the program, and with it exec'
signalled TERM asleep "$warpbook" exec ./modes catches
[ "$code" -eq 9 ] && says out 'got signal 15'
report $? 'a program that catches the signal has the last word'
export WARPBOOK_WATCH=0.1 # CPU seconds
signalled TERM 'still running' "$warpbook" exec --counters c.json ./mistakes endless-kernel
[ "$code" -eq 143 ] && says err 'kernel endless (launched at ' ' is still running after ' \
    'error: the kernel was stopped: thread (0,0,0) of block (0,0,0)' \
    'in the loop of lines 37-38, after ' '[timeout]' 'fill '
report $? 'a kernel without end is told of, and where it was when a signal ended it'
[ "$(grep -c '"kernel":"fill"' c.json)" -eq 1 ] && ! grep -q '"kernel":"endless"' c.json
report $? 'the counters are those of the launches before'
WARPBOOK_WATCH=0 run timeout 1 "$warpbook" exec ./mistakes endless-kernel
! grep -q 'still running\|timeout' err
report $? 'nothing is told if nobody wants it'
unset WARPBOOK_WATCH

echo "1..$tests"
[ "$failed" -eq 0 ]
