#!/bin/sh
# SPDX-License-Identifier: MIT
#
# transcript.sh FILE.t: runs the commands of a transcript (the lines that begin with "$ ") in a
# temporary copy of the small workbook tree/, and compares what they print with the lines that
# follow. "[N]" is an exit code other than 0; TMP stands for the temporary folder. With
# UPDATE=1 the file is rewritten instead: look at `git diff` afterwards. Lines that begin with "## "
# are remarks.
#
# A first line "## needs nvcc" skips the transcript (77) where there is none.
# Environment: WARPBOOK, CHECK_COPY, CHECK_NEW, RENDER (programs), TREE (the small workbook), SOURCE
# (the real one), NVCC (may be empty).

set -eu
file=$1
tmp=$(cd "$(mktemp -d)" && pwd -P)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT

if head -n 1 "$file" | grep -q '^## needs nvcc' && [ -z "$NVCC" ]; then
    echo "no nvcc was found when the build was configured"
    exit 77
fi

cp -R "$TREE" "$tmp/tree"
chmod -R u+w "$tmp/tree"
mkdir -p "$tmp/tree/exercises" "$tmp/build/lessons"
cd "$tmp/tree"

unset WARPBOOK_DEVICE WARPBOOK_CACHE NO_COLOR TERM
export LC_ALL=C.UTF-8 COLUMNS=999 WARPBOOK_ROOT="$tmp/tree" WARPBOOK_BUILD="$tmp/build"
WARPBOOK_DEVICE=sim
export WARPBOOK_DEVICE

# ---- what transcripts may call -------------------------------------------------------------------

warpbook() {
    "$WARPBOOK" "$@"
}

render() {
    "$RENDER" "$@"
}

# real_check: the check program of lesson 01, made from its check.c.
real_check() {
    ln -sf "$CHECK_COPY" "$tmp/build/lessons/check-01-copy"
}

# author_tree: the small workbook becomes one that lessons can be added to.
author_tree() {
    cp -R "$SOURCE/lessons/skeleton" lessons/
    cp -R "$SOURCE/solutions/skeleton" solutions/
    chmod -R u+w .
    mkdir lessons/04-indexing
    touch lessons/04-indexing/README.md lessons/04-indexing/README.zh-CN.md
    printf "lessons = [\n  '01-copy',\n  '02-halves',\n]\n" >lessons/meson.build
    printf '# Lessons\n\n## I. All\n\n|[01 Copy](01-copy/README.md)|\n' >lessons/README.md
}

# author_check: what `lesson check 29` complains of; then the lesson is as it was laid, kept in good/.
author_check() {
    warpbook lesson check 29 | grep -v '✓'
    rm -rf lessons/29-my-lesson solutions/29-my-lesson
    cp -R good/lessons good/solutions .
}

# fake_check LESSON REPORT EXIT: a stand-in that names its arguments on standard error and gives a
# report of report_render; REPORT may be - for none.
fake_check() {
    {
        echo '#!/bin/sh'
        echo 'echo "check program: $*" >&2'
        [ "$2" = - ] || echo "'$RENDER' '$2' json"
        echo "exit $3"
    } >"$tmp/build/lessons/check-$1"
    chmod +x "$tmp/build/lessons/check-$1"
}

# ---- running ---------------------------------------------------------------------------------------

while IFS= read -r line <&3; do
    case $line in
    '$ '*)
        printf '%s\n' "$line"
        code=0
        (eval "${line#??}") 2>&1 </dev/null 3<&- || code=$?
        [ "$code" -eq 0 ] || printf '[%s]\n' "$code"
        ;;
    '## '*) printf '%s\n' "$line" ;;
    esac
done 3<"$file" >"$tmp/raw"

sed -e "s|$tmp|TMP|g" -e 's/[0-9.]* s$/T s/' "$tmp/raw" >"$tmp/actual"
if [ "${UPDATE:-}" = 1 ]; then
    cp "$tmp/actual" "$file"
else
    diff -u "$file" "$tmp/actual"
fi
