#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Looks for tests that do not always pass: runs the whole of tests/run.sh again and again on a busy
# machine, in a fresh clone of the last commit, and says which tests failed in which run.
set -u -o pipefail

usage()
{
    cat <<'END'
Usage: tests/steady.sh [options] [RUNS]
  RUNS            how many runs of tests/run.sh, 5 by default
  --loops NUM     busy loops beside them, one per core by default
  --here          test this tree as it is, changes included, instead of a clone
  --OPTION        any other option goes to tests/run.sh
  -h, --help      this text
END
}

runs=5 loops=$(nproc) here='' options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage && exit 0 ;;
    --here) here=yes ;;
    --loops) loops=${2:-} && shift ;;
    --*) options+=("$1") ;;
    *) runs=$1 ;;
    esac
    shift
done
for number in "$runs" "$loops"; do
    case $number in '' | *[!0-9]*) usage >&2 && exit 2 ;; esac
done
[ "$runs" -gt 0 ] || { usage >&2 && exit 2; }

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

busy=()
# shellcheck disable=SC2317 # called by a trap
stop_loops()
{
    [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null
}
trap stop_loops EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for ((i = 0; i < loops; i++)); do
    # A loop ends by itself once this script is gone, however that went.
    (while kill -0 $$ 2>/dev/null; do for ((j = 0; j < 100000; j++)); do :; done; done) &
    busy+=($!)
done

# sum_up LOG: tests that passed, that failed, and their names, of all ctest runs in a log of
# tests/run.sh; a build that failed counts as one.
sum_up()
{
    awk '/^=== Summary/ { exit }
        /tests passed, [0-9]+ tests? failed out of/ {
            for (i = 1; i < NF; i++) {
                if ($i == "failed") { failed += $(i - 2) }
                if ($i == "of") passed += $(i + 1)
            }
        }
        /^The following tests FAILED:/ { list = 1; next }
        list && /^[ \t]+[0-9]+ - / { names = names " " $3; next }
        list && !/^[ \t]*$/ { list = 0 }
        /^ninja: build stopped|^CMake Error/ { failed++; names = names " build" }
        END { printf "%d %d%s\n", passed - (failed < passed ? failed : passed), failed, names }' "$1"
}

failed=0 rows=()
for ((run = 1; run <= runs; run++)); do
    log=$root/run.$run.log
    begin=$SECONDS
    echo "run $run of $runs: $log"
    verdict=passed
    "$tree/tests/run.sh" ${options[@]+"${options[@]}"} >"$log" 2>&1 </dev/null || verdict=FAILED
    [ $verdict = passed ] || failed=$((failed + 1))
    read -r good bad names < <(sum_up "$log")
    rows+=("$(printf '%3d  %-7s  %7d  %6d  %6d  %s' "$run" $verdict $((SECONDS - begin)) \
        "$good" "$bad" "$names")")
    echo "${rows[-1]}"
done

printf '\n%3s  %-7s  %7s  %6s  %6s  %s\n' run result seconds passed failed 'failed tests'
printf '%s\n' "${rows[@]}"
if [ $failed -gt 0 ]; then
    printf '\ntests/steady.sh: %d of %d runs FAILED, with %d busy loops beside\n' $failed "$runs" "$loops"
    exit 1
fi
printf '\ntests/steady.sh: all %d runs passed, with %d busy loops beside\n' "$runs" "$loops"
