#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bundle.sh DIR MESON PACKAGE...: writes to DIR what a machine without network needs to build this
# tree: a copy of the tree, the files of the installed -dev PACKAGEs with the libraries they stand
# on, Ninja, pkg-config and MESON (a pip requirement). `sh setup.sh --bundle DIR` calls it. env.sh
# is written last: a folder without it is no bundle yet.

set -eu
target=$1
meson_wheel=$2
shift 2
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)

fail() {
    echo "bundle.sh: $*" >&2
    exit 1
}

# Copies a shared library under the name that programs ask for, and those it needs in turn. What
# every system with a C++ compiler has is left out.
add_library() {
    case ${1##*/} in
    libc.* | libm.* | libgcc_s.* | libstdc++.* | libz.* | liblzma.* | ld-linux* | linux-vdso*) return ;;
    esac
    [ -e "$offline/lib/${1##*/}" ] || cp -L "$1" "$offline/lib/${1##*/}"
}

add_with_needs() {
    ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r needed; do
        add_library "$needed"
    done
}

# The headers, link names and pkg-config files of one -dev package; its .pc files find their
# folder by themselves, wherever the bundle lies.
add_package() {
    dpkg -L "$1" | while read -r file; do
        [ -f "$file" ] || continue
        case $file in
        /usr/include/*)
            # A compiler looks in a folder of its own for headers of one architecture.
            header=$(echo "$file" | sed 's|^/usr/include/[a-z0-9_]*-linux-gnu/|/usr/include/|')
            mkdir -p "$offline/${header%/*}"
            cp -L "$file" "$offline/$header"
            ;;
        */pkgconfig/*.pc)
            {
                # shellcheck disable=SC2016  # these are pkg-config's variables
                echo 'bundle=${pcfiledir}/../..'
                # shellcheck disable=SC2016
                sed -e '/^Libs.private/d; /^Requires.private/d; s|^libdir=.*|libdir=${bundle}/lib|' \
                    -e 's|^Libs: *|Libs: -L${bundle}/lib |' \
                    -e 's|= */usr$|=${bundle}/usr|; s|-I/usr/|-I${bundle}/usr/|' \
                    -e 's|/usr/lib/[a-z0-9_]*-linux-gnu|${bundle}/lib|' \
                    -e 's|${[a-z_]*}/lib/[a-z0-9_]*-linux-gnu|${bundle}/lib|' "$file"
            } >"$offline/lib/pkgconfig/${file##*/}"
            ;;
        */lib/*.so)
            soname=$(objdump -p "$file" | awk '$1 == "SONAME" { print $2 }')
            add_library "${file%/*}/$soname"
            ln -sf "$soname" "$offline/lib/${file##*/}"
            add_with_needs "$file"
            ;;
        /usr/share/doc/*/copyright) cp -L "$file" "$offline/copyright/$1" ;;
        esac
    done
}

# The -dev packages of other libraries whose headers a -dev package needs (libxml2: ICU's).
needed_packages() {
    # shellcheck disable=SC2016  # dpkg-query's variable
    dpkg-query -W -f '${Depends}\n' "$1" | tr ',' '\n' |
        sed -n 's/^ *\(lib[a-z0-9]*-dev\).*/\1/p' | grep -v '^libc6\{0,1\}-dev$' || true
}

add_program() {
    path=$(command -v "$1") || fail "$1 is not installed."
    cp -L "$path" "$offline/bin/$1"
    add_with_needs "$path"
}

# Meson is pure Python: its wheel is unpacked as it is, and a launcher finds it beside itself.
add_meson() {
    venv=$(mktemp -d)
    if ! { python3 -m venv "$venv" && "$venv/bin/python" -m pip install --quiet --no-deps \
        --no-compile --target "$offline/python" "$meson_wheel"; }; then
        rm -rf "$venv"
        fail "pip could not fetch $meson_wheel. Is the network there?"
    fi
    rm -rf "$venv" "$offline/python/bin" "$offline/python/share"
    cat >"$offline/bin/meson" <<'EOF'
#!/usr/bin/env python3
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'python'))
from mesonbuild.mesonmain import main
sys.exit(main())
EOF
    chmod +x "$offline/bin/meson"
}

# The files git knows or would take, and the learner's exercises, which it ignores.
copy_tree() {
    cd "$tree"
    if git ls-files >/dev/null 2>&1; then
        { git ls-files -z -co --exclude-standard && find exercises -name '*.cu' -print0; } |
            tar --null --no-recursion --ignore-failed-read -T - -cf -
    else
        tar --exclude=./build'*' --exclude=./.venv --exclude=./.cache --exclude=./warpbook \
            --exclude=./offline --exclude=./env.sh -cf - .
    fi | tar -C "$target" -xf -
}

write_env() {
    cat >"$target/env.sh" <<'EOF'
# Source this in the bundle's folder, then build as everywhere:
#   . ./env.sh && sh setup.sh --no-install && meson test -C build
bundle=$(dirname -- "${BASH_SOURCE:-./env.sh}")
if bundle=$(cd -- "$bundle" && pwd) && [ -d "$bundle/offline" ]; then
    export PATH="$bundle/offline/bin:$PATH"
    export PKG_CONFIG_LIBDIR="$bundle/offline/lib/pkgconfig"
    export LD_LIBRARY_PATH="$bundle/offline/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
else
    echo "env.sh: change into the bundle's folder first, then: . ./env.sh" >&2
fi
unset bundle
EOF
}

command -v dpkg >/dev/null || fail "a bundle can be made on Debian and Ubuntu only."
if [ -e "$target" ] && [ ! -d "$target/offline" ] && [ -n "$(ls -A "$target")" ]; then
    fail "$target holds something else. Name a new folder."
fi
mkdir -p "$target"
target=$(CDPATH='' cd -- "$target" && pwd -P)
case $target/ in
"$tree"/*) fail "name a folder outside of $tree: a bundle holds a copy of it." ;;
esac
offline=$target/offline
rm -rf "$offline" "$target/env.sh"
mkdir -p "$offline/bin" "$offline/lib/pkgconfig" "$offline/copyright"

echo "   copying the tree"
copy_tree
for package in "$@"; do
    for part in "$package" $(needed_packages "$package"); do
        echo "   adding $part"
        add_package "$part"
    done
done
echo "   adding ninja, pkg-config and $meson_wheel"
add_program ninja
add_program pkg-config
add_meson
write_env
echo "   $target: $(du -sm "$target" | cut -f1) MB. Take it to a machine with a C compiler, Python 3"
echo "   and a C library as new as this one's ($(getconf GNU_LIBC_VERSION)), and there:"
echo "     cd ${target##*/} && . ./env.sh && sh setup.sh --no-install && meson test -C build"
