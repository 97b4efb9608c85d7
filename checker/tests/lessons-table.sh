#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lessons-table.sh TREE: lessons/README.md must list the lessons of lessons/meson.build, in its order,
# which is that of their numbers, and every lesson on disk must be built.

set -eu
cd "$1/lessons"
built=$(sed -n "/^lessons = \[/,/^]/s/^ *'\(.*\)',$/\1/p" meson.build)
[ -n "$built" ] || { echo "lessons/meson.build: no list of lessons was found" && exit 1; }

# compare WHAT LIST: shows how a list differs from that of meson.build.
compare() {
    [ "$2" = "$built" ] && return
    echo "$1 differs from the list in lessons/meson.build:"
    tmp=$(mktemp)
    printf '%s\n' "$built" >"$tmp"
    printf '%s\n' "$2" | diff -u "$tmp" - | tail -n +3 || true
    rm -f "$tmp"
    return 1
}

failed=0
compare "lessons/README.md" "$(sed -n 's|^| |; s|.*](\([0-9][^/)]*\)/README.md).*|\1|p' README.md |
    uniq)" || failed=1
compare "the order of numbers" "$(printf '%s\n' "$built" | LC_ALL=C sort)" || failed=1
compare "what is on disk" "$(ls -d [0-9]*/check.c | cut -d / -f 1)" || failed=1
exit "$failed"
