#!/bin/sh
# SPDX-License-Identifier: MIT
#
# layers.sh CHECKER: checks the direction of every #include below the folder CHECKER, in the order
# of the list in CHECKER/meson.build. A layer may include its own private headers and the public
# headers of itself and of layers before it (sass: of base only). Prints file:line for each breach
# and exits 1 if there is one. A public header belongs to the layer whose name it bears, else to the
# one that has a .c file of that name (metrics.h: base, for base/metrics.c).

set -eu
checker=$1
layers=$(awk '/^foreach layer/ { on = 1 } on { print } on && /]/ { exit }' "$checker/meson.build" |
    grep -o "'[a-z]*'" | tr "'\n" '  ')
if [ -z "$layers" ]; then
    echo "layers.sh: no list of layers in $checker/meson.build" >&2
    exit 1
fi

cd "$checker"
files=$(find . -name '*.[ch]' -o -name '*.inc' | sed 's|^\./||' | grep -v '^tests/' | LC_ALL=C sort)
[ -n "$files" ] || { echo "layers.sh: no source files below $checker" >&2 && exit 1; }

# shellcheck disable=SC2086  # a list of words; no source file has a space in its name
awk -v layers="$layers" '
function breach(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message
    failed = 1
}

# The place in the list of a layer, or of the layer that a public header belongs to; 0: none.
function place(name) {
    if (!(name in rank) && name in home) {
        name = home[name]
    }
    return (name in rank) ? rank[name] : 0
}

BEGIN {
    count = split(layers, list, " ")
    for (i = 1; i <= count; i++) {
        rank[list[i]] = i
    }
    for (i = 1; i < ARGC; i++) {
        if (split(ARGV[i], part, /[\/.]/) == 3 && part[3] == "c") {
            home[part[2]] = part[1]
        }
    }
}

FNR == 1 {
    own = FILENAME
    public_header = sub(/^include\/warpbook\//, "", own)
    sub(/[\/.-].*/, "", own)
    if (place(own) == 0) {
        breach("this file belongs to no layer in the list of meson.build")
    }
}

/^[ \t]*#[ \t]*include[ \t]*</ {
    name = $0
    sub(/^[^<]*</, "", name)
    sub(/>.*/, "", name)
    if (name ~ /^warpbook\//) {
        other = name
        sub(/^warpbook\//, "", other)
        sub(/[.-].*/, "", other)
        if (place(other) == 0) {
            breach("<" name "> belongs to no layer")
        } else if (place(other) > place(own)) {
            breach(own " may not include <" name ">, which stands above it")
        } else if (own == "sass" && place(other) != place("sass") && place(other) != place("base")) {
            breach("sass stands on base alone and may not include <" name ">")
        }
    } else if (name ~ /^(cu[a-z_]*|nv[a-z_]*)\.h$/) {
        breach("<" name "> is a CUDA header: entry points are opened at run time instead")
    }
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    name = $0
    sub(/^[^"]*"/, "", name)
    sub(/".*/, "", name)
    if (public_header) {
        breach("a public header includes no private one: \"" name "\"")
    } else if (name ~ /\//) {
        breach("\"" name "\" lies in another folder: only public headers cross folders")
    }
}

END { exit failed }
' $files
