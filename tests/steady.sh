#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Looks for tests that do not always pass:
#
#     steady.sh [--here] [--loops NUM] [--OPTION] [RUNS]
#
# runs all of tests/run.sh five times, or RUNS times, beside a busy loop for each core, or NUM of them, in a
# fresh clone of the last commit under build-steady/, or with --here in this tree as it is. Other options go to
# tests/run.sh. Each run's log stays there. At the end there is a table of the runs: seconds, and which tests
# failed. Exit status 1: any did.
set -u -o pipefail

runs=5 loops=$(nproc) here='' options=()
while [ $# -gt 0 ]; do
    case $1 in
    --here) here=yes ;;
    --loops) loops=${2:-} && shift ;;
    --*) options+=("$1") ;;
    *) runs=$1 ;;
    esac
    shift
done
[[ $runs =~ ^[1-9][0-9]*$ && $loops =~ ^[0-9]+$ ]] || { sed -n '4,12s/^# \?//p' "$0" >&2 && exit 2; }

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD/build-steady
rm -rf "$root" && mkdir "$root" || exit 1
tree=$PWD
if [ -z "$here" ]; then
    tree=$root/clone
    git clone --quiet . "$tree" || exit 1
    [ -z "$(git status --porcelain)" ] ||
        echo 'steady.sh: changes that are not committed are left out; see --here' >&2
    # Real pairs are looked for beside the project.
    export RHOMB_DATA=${RHOMB_DATA:-$(realpath -m ../shared/data)}
fi

trap 'exit 130' INT
trap 'exit 143' TERM
for ((i = 0; i < loops; i++)); do
    # A loop ends by itself once this script is gone, however that went.
    (while kill -0 $$ 2>/dev/null; do for ((j = 0; j < 100000; j++)); do :; done; done) &
done

failed=0 rows=()
for ((run = 1; run <= runs; run++)); do
    log=$root/run.$run.log
    begin=$SECONDS
    echo "run $run of $runs: $log"
    verdict=passed
    "$tree/tests/run.sh" ${options[@]+"${options[@]}"} >"$log" 2>&1 </dev/null || verdict=FAILED
    [ $verdict = passed ] || failed=$((failed + 1))
    # Of all runs of ctest in it; a build that failed counts as a test.
    names=$(awk '/^=== Summary/ { exit }
        /^[ \t]+[0-9]+ - .*\(/ { print $3 }
        /^ninja: build stopped|^CMake Error/ { print "build" }' "$log" | paste -s -d ' ')
    rows+=("$(printf '%3d  %s  %5d s  %s' "$run" $verdict $((SECONDS - begin)) "$names")")
    echo "${rows[-1]}"
done
printf '\nrun  result  seconds  failed tests\n'
printf '%s\n' "${rows[@]}"
echo "tests/steady.sh: $failed of $runs runs failed, with $loops busy loops beside"
[ $failed = 0 ]
