#!/bin/sh
# SPDX-License-Identifier: MIT
#
# device-page.sh check|update PROGRAM DOCS: the generated parts of embedded-device.md and
# embedded-device-conformance.md in folder DOCS are what PROGRAM (device_page) prints. A part lies
# between "<!-- NAME: generated -->" and "<!-- end -->".

set -eu
mode=$1 program=$2 docs=$3
new=$(mktemp)
trap 'rm -f "$new" "$new.part"' EXIT
wrong=0
for part in instructions:embedded-device.md conformance:embedded-device-conformance.md \
    first15:embedded-device-conformance.md; do
    name=${part%%:*} page=$docs/${part#*:}
    "$program" "$name" > "$new.part"
    awk -v name="$name" -v part="$new.part" '
        $0 == "<!-- end -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name ": generated -->" {
            inside = 1
            while ((getline line < part) > 0) { print line }
        }' "$page" > "$new"
    if cmp -s "$new" "$page"; then
        continue
    elif [ "$mode" = update ]; then
        cat "$new" > "$page"
    else
        diff -u "$page" "$new" | head -40 || true
        echo "$page is not what the program prints: run meson compile -C build device-page"
        wrong=1
    fi
done
exit $wrong
