#!/bin/sh
# SPDX-License-Identifier: MIT
#
# layers-test.sh LAYERS_SH: every kind of breach, planted one at a time in a small tree, must be
# found with its file and line, and the tree without it must pass. Speaks TAP.

set -eu
layers_sh=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0
failures=0

clean_tree() {
    rm -rf "$work/c"
    mkdir -p "$work/c/include/warpbook" "$work/c/base" "$work/c/proc" "$work/c/sass" "$work/c/cli"
    echo "foreach layer : ['base', 'proc', 'sass'," >"$work/c/meson.build"
    echo "                 'cli']" >>"$work/c/meson.build"
    for layer in base proc sass cli; do
        echo '#include <stdint.h>' >"$work/c/include/warpbook/$layer.h"
        printf '#include <warpbook/%s.h>\n#include "own.h"\n' "$layer" >"$work/c/$layer/own.c"
        echo '#include <warpbook/base.h>' >"$work/c/$layer/own.h"
    done
    echo '#include <warpbook/base.h>' >"$work/c/include/warpbook/metrics.h"
    echo '#include <warpbook/metrics.h>' | tee "$work/c/base/metrics.c" >"$work/c/sass/counts.c"
    echo '#include <warpbook/cli.h>' >"$work/c/include/warpbook/paint.h"
    echo '#include <warpbook/paint.h>' >"$work/c/cli/paint.c"
}

# expect TITLE PLACE: the tree as it is now must be refused at PLACE; an empty PLACE: must pass.
expect() {
    number=$((number + 1))
    status=0
    output=$(sh "$layers_sh" "$work/c" 2>&1) || status=$?
    if { [ -z "$2" ] && [ "$status" -eq 0 ]; } ||
        { [ -n "$2" ] && [ "$status" -eq 1 ] && [ "${output#*"$2"}" != "$output" ]; }; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        printf 'status %s\n%s\n' "$status" "$output" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
    clean_tree
}

# plant FILE LINE: appends a line to a file of the tree.
plant() {
    printf '%s\n' "$2" >>"$work/c/$1"
}

echo "1..12"
clean_tree
expect "a clean tree passes" ""
plant base/own.c '#include <warpbook/proc.h>'
expect "a lower layer includes a higher one" "base/own.c:3: base may not include"
plant include/warpbook/proc.h '#include <warpbook/cli.h>'
expect "a public header includes a higher one" "include/warpbook/proc.h:2: proc may not"
plant base/own.h '#  include <warpbook/sass.h>  // spaces do not hide it'
expect "a private header includes a higher one" "base/own.h:2: "
plant sass/own.c '#include <warpbook/proc.h>'
expect "sass includes more than base" "sass/own.c:3: sass stands on base alone"
plant sass/own.c '#include <warpbook/paint.h>'
expect "a second header of a higher layer" "sass/own.c:3: sass may not include <warpbook/paint.h>"
plant cli/own.c '#include "../base/own.h"'
expect "another layer's private header" "cli/own.c:3: "
plant include/warpbook/cli.h '#include "own.h"'
expect "a private header in a public one" "include/warpbook/cli.h:2: "
plant cli/own.c '#include <cuda_runtime.h>'
expect "a CUDA header" "cli/own.c:3: <cuda_runtime.h> is a CUDA header"
plant cli/own.c '#include <warpbook/nosuch.h>'
expect "a header of no layer" "cli/own.c:3: "
mkdir "$work/c/extra" && plant extra/new.c 'int x;'
expect "a folder that is no layer" "extra/new.c:1: "
plant meson.build '' && echo "" >"$work/c/meson.build"
expect "a list that cannot be read" "no list of layers"
exit "$failures"
