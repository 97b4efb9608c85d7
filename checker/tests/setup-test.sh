#!/bin/sh
# SPDX-License-Identifier: MIT
#
# setup-test.sh SETUP_SH: what setup.sh says and leaves alone when it cannot go on, in a made-up
# tree with made-up tools in front of the PATH. Nothing is installed or built. Speaks TAP.

set -eu
source=$(dirname -- "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/a tree"
number=0
failures=0

# tool NAME LINE: a program that stands before the real one.
tool() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# A tree in which nothing is missing and nothing is old.
fresh() {
    rm -rf "$tree" "${work:?}/bin"
    mkdir -p "$tree/checker/tools" "$work/bin"
    cp "$source/setup.sh" "$source/requirements-cuda.txt" "$tree/"
    cp "$source"/checker/tools/*.sh "$tree/checker/tools/"
    tool pkg-config 'exit 0'
    tool nvcc 'echo "Cuda compilation tools, release 13.0, V13.0.88"'
    tool meson 'echo 1.0.1'
    tool apt-get 'echo "apt-get must not be called" >&2; exit 1'
    tool sudo 'exit 1'
}

# expect TITLE STATUS TEXT [ARGUMENT...]: setup.sh must end so and say this; $nvcc names the compiler.
expect() {
    title=$1 status=$2 text=$3
    shift 3
    number=$((number + 1))
    got=0
    output=$(cd / && env PATH="$work/bin:$PATH" WARPBOOK_NVCC="${nvcc-$work/bin/nvcc}" \
        sh "$tree/setup.sh" "$@" 2>&1 </dev/null) || got=$?
    if [ "$got" -eq "$status" ] && [ "${output#*"$text"}" != "$output" ]; then
        echo "ok $number - $title"
    else
        echo "not ok $number - $title"
        printf 'status %s\n%s\n' "$got" "$output" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
}

echo "1..11"
fresh
expect "--help explains" 0 "Usage: sh setup.sh" --help
expect "an unknown argument is refused" 2 "unknown argument '--quick'" --quick
expect "--bundle needs a folder" 2 "--bundle needs a folder" --bundle

# shellcheck disable=SC2016  # $2 is the made-up tool's
tool pkg-config '[ "$2" != jansson ] && [ "$2" != libxxhash ]'
expect "exactly what is missing is named" 3 "Missing: libjansson-dev libxxhash-dev" --no-install
expect "with the administrator's command" 3 "apt-get install -y libjansson-dev libxxhash-dev" \
    --no-install

fresh
nvcc=$work/nowhere/nvcc
expect "a named compiler that is missing is an error" 3 "not there" --no-install
unset nvcc

fresh
tool meson 'echo 0.61.2'
expect "a Meson that is too old is not replaced under --no-install" 3 \
    "Needed in .venv: Meson" --no-install

mkdir "$tree/.venv" && echo mine >"$tree/.venv/file"
expect "a .venv of somebody else stops the run" 1 "was not made by setup.sh" \
    --no-install
number=$((number + 1))
if [ "$(cat "$tree/.venv/file")" = mine ]; then
    echo "ok $number - and is left alone"
else
    echo "not ok $number - and is left alone"
    failures=$((failures + 1))
fi

fresh
tool df 'echo head; echo "disk 100 100 0 100% /"'
expect "a full disk is named" 1 "is full. Free some space" --no-install

fresh
# shellcheck disable=SC2016  # $1 is the made-up tool's
tool meson '[ "$1" = --version ] && echo 1.0.1 || { echo "no compiler works"; exit 1; }'
expect "what Meson said is shown when it fails" 1 "| no compiler works" --no-install
[ "$failures" -eq 0 ]
