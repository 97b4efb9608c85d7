#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes a fresh clone ready to use: installs what is missing, builds, lays the exercises and shows
# that lesson 07 is measured on the device at hand. Every command is printed before it runs, and a
# second run does only what is left to do. To need another package, add a row to needs().

set -eu
unset CDPATH

usage() {
    cat <<'EOF'
Usage: sh setup.sh [--no-install] [--bundle DIR]

Installs the packages that are missing (Debian and Ubuntu, through apt-get, as root or with sudo),
the CUDA compiler as Python wheels into .venv if no nvcc of version 12.8 or newer is found,
builds into build/, lays the exercises into exercises/ and grades lesson 07's reference and
solution. It can be run again at any time; your exercises are never overwritten.

  --no-install   install nothing: only say what is missing, and stop
  --bundle DIR   instead of building, write to DIR what a machine without network needs to build
                 this tree: a copy of the tree, the libraries, Meson and Ninja, and an env.sh
  -h, --help     this text

Environment: WARPBOOK_NVCC names the CUDA compiler to use. Exit codes: 0 ready, 1 something failed,
2 usage, 3 something that is needed is missing.
EOF
}

# ---- telling what happens ----------------------------------------------------------------------

step() {
    printf '\n== %s\n' "$*"
}

say() {
    printf '   %s\n' "$*"
}

# die CODE SENTENCE...: ends the run; says so if the disk is full, because then nothing else helps.
die() {
    code=$1
    shift
    printf '\nsetup.sh: %s\n' "$*" >&2
    if [ "$(free_mb "$tree")" -lt 20 ]; then
        echo "setup.sh: The disk that holds $tree is full. Free some space and run it again." >&2
    fi
    exit "$code"
}

free_mb() {
    df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'
}

# run SENTENCE COMMAND...: prints the command and runs it quietly; if it fails, shows the end of
# what it printed and dies with the sentence.
run() {
    sentence=$1
    shift
    printf '   $ %s\n' "$*"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 25 "$log" | sed 's/^/   | /' >&2
        die 1 "$sentence"
    fi
}

# show CODE SENTENCE COMMAND...: prints the command and runs it in plain sight.
show() {
    code=$1
    sentence=$2
    shift 2
    printf '   $ %s\n' "$*"
    "$@" </dev/null || die "$code" "$sentence"
}

# ---- packages ----------------------------------------------------------------------------------

have() {
    command -v "$1" >/dev/null 2>&1
}

library() {
    pkg-config --exists "$1" 2>/dev/null
}

# Debian package, and the test that tells whether it is still needed.
needs() {
    cat <<'EOF'
gcc have gcc
g++ have g++
libc6-dev test -f /usr/include/stdio.h
meson have meson || test -x "$tree/.venv/bin/meson"
ninja-build have ninja
pkg-config have pkg-config
libcmocka-dev library cmocka
libjansson-dev library jansson
libseccomp-dev library libseccomp
libxxhash-dev library libxxhash
libxml2-dev library libxml-2.0
libffi-dev library libffi
libdw-dev library libdw
libelf-dev library libelf
libzstd-dev library libzstd
diffutils have cmp
python3 have python3
python3-venv test -n "$nvcc" || "$python" -c 'import ensurepip, venv'
python3-jsonschema "$python" -c 'import jsonschema'
EOF
}

missing_packages() {
    needs | while read -r package check; do
        eval "$check" >/dev/null 2>&1 || printf '%s ' "$package"
    done
}

# The command that gives us root: nothing for root, sudo if it works, else no.
find_root() {
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root=sudo
    else
        return 1
    fi
}

install_packages() {
    [ $# -gt 0 ] || return 0
    say "Missing: $*"
    if ! have apt-get; then
        die 3 "This is neither Debian nor Ubuntu. Install what these Debian packages hold with your" \
            "system's package manager and run setup.sh again: $*"
    fi
    if [ "$install" = no ] || ! find_root; then
        if [ "$*" = python3-jsonschema ]; then
            say "Going on without it: the tests that need it are skipped."
            return 0
        fi
        printf '   An administrator can install them with:\n\n     apt-get update\n' >&2
        printf '     apt-get install -y %s\n' "$*" >&2
        die 3 "Packages are missing, and this run may not install them."
    fi
    options="-o DPkg::Lock::Timeout=300 -o Acquire::Retries=2"
    # shellcheck disable=SC2086  # $as_root and $options are lists of words
    run "apt-get could not fetch the package lists. Is the network there, and does apt need a proxy?" \
        $as_root apt-get $options update
    # shellcheck disable=SC2086
    run "apt-get could not install the packages. What it said stands above." \
        $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get $options install -y --no-install-recommends "$@"
}

# ---- .venv: the CUDA compiler, and Meson where the distribution's is too old ----------------------

is_meson() {
    major=$("$1" --version 2>/dev/null | sed -n '1s/\..*//p')
    [ "${major:-0}" -ge 1 ]
}

# What .venv must hold, as one line; empty if it is not needed. The line is kept in
# .venv/warpbook once all is installed, so that half an installation is noticed.
wanted_in_venv() {
    wanted=
    is_meson meson || wanted="$meson_wheel "
    case $nvcc in
    '' | "$tree/.venv/"*) wanted="${wanted}cuda $(cksum <requirements-cuda.txt) " ;;
    esac
    [ -z "$wanted" ] || printf '%sin %s\n' "$wanted" "$tree"
}

make_venv() {
    wanted=$1
    if [ -f .venv/warpbook ] && [ "$(cat .venv/warpbook)" = "$wanted" ]; then
        say "$tree/.venv is complete."
        return
    fi
    if [ -e .venv ] && [ ! -f .venv/warpbook ]; then
        die 1 "$tree/.venv was not made by setup.sh. Move it away and run setup.sh again."
    fi
    case $wanted in
    *"$meson_wheel "*) say "Needed in .venv: Meson, since 1.0 is the oldest that will do." ;;
    esac
    case $wanted in
    *"cuda "*) say "Needed in .venv: the CUDA compiler, as requirements-cuda.txt lists it." ;;
    esac
    [ "$install" = yes ] || die 3 "This run may not install anything. Run setup.sh without" \
        "--no-install, or install a CUDA toolkit of version 12.8 or newer."
    [ "$(free_mb .)" -gt 900 ] || die 1 "Less than 900 MB are free on the disk that holds $tree." \
        "Free some space and run setup.sh again."
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv
    rm -rf .venv
    mkdir .venv
    echo unfinished >.venv/warpbook
    run "Python could not make a virtual environment." "$python" -m venv .venv
    no_network="pip could not install. Is the network there, and does pip need a proxy (HTTPS_PROXY)?"
    case $wanted in
    *"$meson_wheel "*) run "$no_network" .venv/bin/python -m pip install --quiet "$meson_wheel" ;;
    esac
    case $wanted in
    *"cuda "*)
        say "(about 175 MB to fetch)"
        run "$no_network" \
            .venv/bin/python -m pip install --quiet --no-deps -r requirements-cuda.txt
        make_toolkit
        ;;
    esac
    printf '%s\n' "$wanted" >.venv/warpbook
}

# The wheels lie in Python's folders without the names a linker looks for: gives the toolkit a
# fixed place, .venv/cuda, and proves that its nvcc works.
make_toolkit() {
    toolkit=$(cd .venv && echo lib/python3*/site-packages/nvidia/cu*)
    [ -x ".venv/$toolkit/bin/nvcc" ] || die 1 "The wheels hold no nvcc where it was expected."
    ln -s "$toolkit" .venv/cuda
    ln -s lib .venv/cuda/lib64
    for name in cudart cupti; do
        library_file=$(cd .venv/cuda/lib && echo lib$name.so.*)
        ln -s "$library_file" ".venv/cuda/lib/lib$name.so"
    done
    echo 'extern "C" __global__ void probe(float *p) { p[threadIdx.x] = expf(p[threadIdx.x]); }' \
        >.venv/probe.cu
    run "The CUDA compiler of the wheels does not work here." \
        .venv/cuda/bin/nvcc -cubin -arch=sm_90 -o .venv/probe.cubin .venv/probe.cu
    rm -f .venv/probe.cu .venv/probe.cubin
}

# ---- build ---------------------------------------------------------------------------------------

configure() {
    if [ ! -f build/meson-private/coredata.dat ]; then
        run "Meson could not configure. What it said stands above." "$meson" setup build
        return
    fi
    printf '   $ %s setup --reconfigure build\n' "$meson"
    if ! "$meson" setup --reconfigure build >"$log" 2>&1 </dev/null; then
        say "build/ belongs to another place or another Meson: configuring it anew."
        rm -rf build
        run "Meson could not configure. What it said stands above." "$meson" setup build
    fi
}

# ---- the run -------------------------------------------------------------------------------------

install=yes
bundle=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage && exit 0 ;;
    --no-install) install=no ;;
    --bundle)
        [ -n "${2:-}" ] || { echo "setup.sh: --bundle needs a folder. Try --help." >&2 && exit 2; }
        bundle=$2
        shift
        ;;
    --bundle=?*) bundle=${1#*=} ;;
    *) echo "setup.sh: unknown argument '$1'. Try --help." >&2 && exit 2 ;;
    esac
    shift
done
case $bundle in
'' | /*) ;;
*) bundle=$PWD/$bundle ;;
esac

cd -- "$(dirname -- "$0")"
tree=$(pwd -P)
meson_wheel=meson==1.5.2
python=/usr/bin/python3
[ -x "$python" ] || python=python3
[ "$(uname -s)" = Linux ] || die 3 "Warpbook runs on Linux only."
for folder in "$tree" "$tree/.cache" "$tree/build" "$tree/.venv" "$tree/exercises"; do
    [ ! -e "$folder" ] || [ -w "$folder" ] || die 1 "You may not write to $folder. Use a copy of" \
        "the tree that belongs to you, or run setup.sh as the user who owns this one."
done
mkdir -p .cache
log=.cache/setup.log
nvcc=$(sh checker/tools/find-nvcc.sh 2>"$log") ||
    [ -z "${WARPBOOK_NVCC:-}" ] || die 3 "$(cat "$log")"
trap 'printf "\nsetup.sh: stopped. Run it again to go on from here.\n" >&2; exit 130' INT TERM

step "Packages"
# shellcheck disable=SC2046  # a list of words
install_packages $(missing_packages)
say "All there."

if [ -n "$bundle" ]; then
    step "Bundle for a machine without network"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv
    # shellcheck disable=SC2046  # a list of words
    sh checker/tools/bundle.sh "$bundle" "$meson_wheel" \
        $(needs | awk '$2 == "library" { print $1 }') ||
        die 1 "The bundle could not be made. The reason stands above."
    exit 0
fi

step "CUDA compiler"
[ -n "$nvcc" ] || say "No nvcc of version 12.8 or newer is installed."
wanted=$(wanted_in_venv)
[ -z "$wanted" ] || make_venv "$wanted"
nvcc=$(sh checker/tools/find-nvcc.sh) || die 3 "There is still no CUDA compiler."
say "Using $nvcc"
meson=meson
is_meson meson || meson=$tree/.venv/bin/meson

step "Build"
[ "$(free_mb .)" -gt 150 ] || die 1 "Less than 150 MB are free on the disk that holds $tree." \
    "Free some space and run setup.sh again."
configure
say "(the first time takes a few minutes)"
run "The build failed. What the compiler said stands above." "$meson" compile -C build
run "The link ./warpbook could not be made." ln -sfn build/checker/warpbook warpbook

step "Exercises"
show 1 "The exercises could not be laid." ./warpbook lay

step "Lesson 07, its reference against its solution, on the device at hand"
show 3 "Lesson 07 could not be graded here. ./warpbook doctor says why." ./warpbook compare 07

step "Ready"
say "Edit exercises/07-warp-aligned-branch.cu, then run: ./warpbook check 07"
say "All lessons: ./warpbook list     Everything tested: $meson test -C build"
