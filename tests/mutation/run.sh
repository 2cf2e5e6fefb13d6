#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# mutation/run.sh [--all] [PATCH...]: which tests of the first tier notice a fault. Each PATCH, all of this folder if
# none is named, is a fault that somebody tired could make. It is applied to the tree, built, tested and undone; for
# each comes a row of the table in README.md: the fault, its file, and the tests that failed, or NOT NOTICED. The tests
# that a patch names behind "finds:" are built and run first, and the rest of the first tier only if they pass; --all
# runs the first tier at once. Exits with 1 if a fault was not noticed. What is in cl/ is built in build-own, on our own
# OpenCL, all else in build-dev, on PoCL: both must be configured, see README.md.
set -u -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
all='' applied=''
[ "${1-}" != --all ] || { all=yes && shift; }
[ $# -gt 0 ] || set -- "$here"/*.patch
export RHOMB_TEST_SHARE=${RHOMB_TEST_SHARE:-12} RHOMB_CACHE_DIR=off

# The first tier, as ctest's options: tests/run.sh has the same.
only_full=$(sed -n 's/^\([a-z][a-z0-9_-]*\) .*/\1/p' "$root/tests/full.list" | paste -s -d '|')
tier=(--exclude-regex "^($only_full)\$" --label-exclude '^(slow|thorough|gpu|drivers|package|faults|lint|install)$')

undo()
{
    [ -z "$applied" ] || git -C "$root" apply --reverse "$applied"
    applied=''
}
trap undo EXIT
trap 'exit 1' INT TERM

# failed FOLDER OPTION...: builds what the tests of ctest's options run, runs them, and prints which of them failed.
failed()
{
    local build=$1 targets
    shift
    mapfile -t targets < <(ctest --test-dir "$build" -N -V "$@" | grep 'Test command:' |
        grep -o "[ \"]$build/[^ \"]*" | sed "s|^.$build/||" | sort -u)
    ninja -C "$build" "${targets[@]}" >"$build/mutation.log" 2>&1 || { echo 'not built' && return; }
    ctest --test-dir "$build" --timeout 600 --parallel "$(nproc)" "$@" >"$build/mutation.log" 2>&1
    sed -n '/(Skipped)/d; s/^\t *[0-9]* - \([^ ]*\) (.*/\1/p' "$build/mutation.log" | paste -s -d ' '
}

missed=0
for patch in "$@"; do
    patch=$(realpath "$patch")
    file=$(sed -n 's|^+++ b/||p' "$patch")
    finds=$(sed -n 's/^finds: //p' "$patch")
    build=$root/build-dev labels=.
    [[ $file != cl/* ]] || build=$root/build-own labels='^(own|unit)$'
    git -C "$root" apply "$patch" || exit 1
    applied=$patch found=''
    [ -n "$all" ] || found=$(failed "$build" --tests-regex "^(${finds// /|})\$")
    [ -n "$found" ] || found=$(failed "$build" "${tier[@]}" --label-regex "$labels")
    undo
    [ -n "$found" ] || missed=$((missed + 1))
    printf '| %s | %s | %s |\n' "$(basename "$patch" .patch)" "$file" "${found:-NOT NOTICED}"
done
[ $missed -eq 0 ]
