#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# mutation/run.sh [--all] [NAME...]: which tests of the first tier notice a fault. Each NAME, all of faults.list if none
# is given, is a fault that somebody tired could make. It is planted in the tree, built, tested and undone; for each comes
# a row: the fault, its file, and the tests that failed, or NOT NOTICED. The tests that the list names are built and run
# first, and the rest of the first tier only if they pass; --all runs the first tier at once. Exits with 1 if a fault was
# not noticed. What is in cl/ is built in build-own, on our own OpenCL, all else in build-dev, on PoCL: both must be
# configured, see README.md.
set -u -o pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
list=$here/faults.list
all='' planted='' before=''
[ "${1-}" != --all ] || { all=yes && shift; }
# shellcheck disable=SC2046 # names are words
[ $# -gt 0 ] || set -- $(awk -v RS= '!/^#/ { print $1 }' "$list")
export RHOMB_TEST_TIER=1 RHOMB_TEST_SHARE=${RHOMB_TEST_SHARE:-12} RHOMB_CACHE_DIR=off

# The first tier, as ctest's options: tests/run.sh has the same.
only_full=$(sed -n 's/^\([a-z][a-z0-9_-]*\) .*/\1/p' "$root/tests/full.list" | paste -s -d '|')
tier=(--exclude-regex "^($only_full)\$" --label-exclude '^(slow|thorough|gpu|drivers|package|faults|lint|install)$')

# plant FILE OLD NEW: NEW, or nothing, instead of OLD, which FILE has once.
plant()
{
    local after
    before=$(<"$1")
    after=${before#*"$2"$'\n'}
    [[ $after != "$before" && $after != *"$2"$'\n'* ]] || { echo "run.sh: $1 has not once: $2" >&2 && exit 1; }
    planted=$1
    printf '%s%s%s\n' "${before%%"$2"$'\n'*}" "${3:+$3$'\n'}" "$after" >"$1"
}

undo()
{
    [ -z "$planted" ] || printf '%s\n' "$before" >"$planted"
    planted=''
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
for name in "$@"; do
    fault=$(awk -v RS= -v name="$name" '$1 == name' "$list")
    [ -n "$fault" ] || { echo "run.sh: no fault $name" >&2 && exit 1; }
    finds=$(sed -n '1s/^[^ ]* //p' <<<"$fault")
    file=$(sed -n 3p <<<"$fault")
    build=$root/build-dev labels=.
    [[ $file != cl/* ]] || build=$root/build-own labels='^(own|unit)$'
    plant "$root/$file" "$(sed -n 's/^-//p' <<<"$fault")" "$(sed -n 's/^+//p' <<<"$fault")"
    found=''
    [ -n "$all" ] || found=$(failed "$build" --tests-regex "^(${finds// /|})\$")
    [ -n "$found" ] || found=$(failed "$build" "${tier[@]}" --label-regex "$labels")
    undo
    [ -n "$found" ] || missed=$((missed + 1))
    printf '| %s | %s | %s |\n' "$name" "$file" "${found:-NOT NOTICED}"
done
[ $missed -eq 0 ]
