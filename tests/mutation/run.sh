#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# mutation/run.sh [OPTION...] [PATCH...]: which tests notice a fault. Each PATCH, all of this folder if none is named, is
# a fault that somebody tired could make; it is applied to a clone of the repository, built and tested as tests/run.sh
# does on our own OpenCL (label "own"), and undone. Prints a line for each: the fault, and the tests that failed, or
# "not built" or "NOT NOTICED". Exits with 1 if any was not noticed. It takes some two minutes a fault.
#
# --labels REGEX   the tests that run, by ctest's --label-regex (own)
# --work FOLDER    where the clone and its build stay for the next run (build-mutation)
set -u -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
labels='^own$' work=$root/build-mutation
while [[ ${1-} = --* ]]; do
    case $1 in
    --labels) labels=$2 ;;
    --work) work=$2 ;;
    *) sed -n '4,11s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
    shift 2
done
[ $# -gt 0 ] || set -- "$here"/*.patch
export RHOMB_TEST_SHARE=${RHOMB_TEST_SHARE:-12} RHOMB_CACHE_DIR=off

# What is built and tested, in the clone: the working tree's state, so that a new test counts.
mkdir -p "$work" || exit 1
work=$(cd "$work" && pwd)
[ -d "$work/source" ] || git clone -q --shared "$root" "$work/source" || exit 1
(cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) |
    tar -x -C "$work/source" || exit 1
build()
{
    cmake --build "$work/build" --target rhomb_unit >"$work/build.log" 2>&1
}
configure()
{
    cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_FLAGS_DEBUG='-g1 -O1' -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DRHOMB_BENCH=OFF \
        -DRHOMB_SANITIZE=address,undefined -DRHOMB_TEST_OPENCL=ON >"$work/build.log" 2>&1
}
if ! configure || ! build; then
    tail -n 20 "$work/build.log" >&2
    exit 1
fi

missed=0
for patch in "$@"; do
    patch=$(realpath "$patch")
    git -C "$work/source" apply "$patch" || exit 1
    if build; then
        found=$(ctest --test-dir "$work/build" --label-regex "$labels" --parallel "$(nproc)" --timeout 600 2>&1 |
            sed -n 's/^\t *[0-9]* - \([^ ]*\) (.*/\1/p' | grep -v '^$' | paste -s -d ' ')
        [ -n "$found" ] || missed=$((missed + 1))
        printf '%s: %s\n' "$(basename "$patch" .patch)" "${found:-NOT NOTICED}"
    else
        printf '%s: not built\n' "$(basename "$patch" .patch)"
    fi
    git -C "$work/source" apply --reverse "$patch" || exit 1
done
[ $missed -eq 0 ]
