#!/bin/sh
# SPDX-License-Identifier: MIT
#
# links.sh TREE: every relative link in README.md, docs/ and lessons/ must lead to a file or folder
# that is there. Prints file:line for each that does not and exits 1.

set -eu
cd "$1"
broken=$(find README.md docs lessons -name '*.md' | while read -r page; do
    # "LINE:](TARGET)", one a line; what follows a # is a place within the target.
    { grep -no '](.[^)]*)' "$page" || true; } |
        sed 's/^\([0-9]*\):](\([^)# ]*\).*/\1 \2/' | while read -r line target; do
        case $target in
        '' | *://* | mailto:*) continue ;;
        esac
        [ -e "$(dirname "$page")/$target" ] ||
            echo "$page:$line: the link to $target leads nowhere"
    done
done)
[ -z "$broken" ] || { printf '%s\n' "$broken" && exit 1; }
