#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# many_devices.sh BUILD OUT.csv: whole commands on one PoCL device and on two, in turns: "basic" and
# "pthread", each of which computes on one core. With one device the command has one core, and with two
# it has two, for the host's part as well; the column `ratio` is of the medians of wall-clock seconds.
# `one_beside` is one device whose host part has the second core to itself. RUNS (5) is the number of
# timed turns, after one that builds the kernels. Outputs that differ make the script fail.
set -u -o pipefail

[ $# -eq 2 ] || { echo 'Usage: many_devices.sh BUILD OUT.csv' >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
rhomb=$(realpath "$1")/host/cli/rhomb out=$2 runs=${RUNS:-5}
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
version=$("$rhomb" --version) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export RHOMB_CACHE_DIR=$scratch/cache POCL_CACHE_DIR=$scratch/pocl POCL_MAX_PTHREAD_COUNT=1
mkdir -p "$RHOMB_CACHE_DIR" "$POCL_CACHE_DIR"

# 1,200,000 pairs of 150 bases with up to 12 edits, 20,000 of them different; 600 sequences of 5 kb.
make_inputs()
{
    awk 'function edited(text, edits,    at) {
        while (edits-- > 0) {
            at = int(rand() * length(text)) + 1
            text = substr(text, 1, at - 1) substr("ACGT", int(rand() * 5) + 1, 1) substr(text, at + 1)
        }
        return text
    }
    function bases(count,    text) {
        for (text = ""; count > 0; count--)
            text = text substr("ACGT", int(rand() * 4) + 1, 1)
        return text
    }
    BEGIN {
        srand(1)
        for (i = 0; i < 20000; i++) {
            target = bases(150)
            pairs = pairs ">" edited(target, int(rand() * 13)) "\n<" target "\n"
        }
        for (i = 0; i < 60; i++)
            printf "%s", pairs >"pairs.seq"
        ancestor = bases(5000)
        for (i = 0; i < 600; i++)
            print ">s" i "\n" edited(ancestor, int(rand() * 60)) >"genomes.fa"
    }'
}

# run WAY ARGUMENT...: the command on these devices and cores.
run()
{
    local way=$1
    shift
    case $way in
    one) POCL_DEVICES=pthread taskset -c 0 "$rhomb" "$@" --quiet ;;
    one_beside) POCL_DEVICES=pthread taskset -c 0,1 "$rhomb" "$@" --quiet ;;
    two) POCL_DEVICES='basic pthread' taskset -c 0,1 "$rhomb" "$@" --device all --quiet ;;
    esac
}

# measure CASE ARGUMENT...: a line for each way. Jobs wait for a core, so one at a time suffices.
measure()
{
    local case=$1 way turn base
    shift
    for ((turn = -1; turn <= runs; turn++)); do
        for way in one one_beside two; do
            TIMEFORMAT='%R %U %S'
            { time run "$way" "$@" >"$way.out" 2>"$way.err"; } 2>seconds || { cat "$way.err" >&2 && exit 1; }
            cmp one.out "$way.out" || exit 1
            [ "$turn" -le 0 ] || awk '{ print $1, $2 + $3 }' seconds >>"$case.$way.log"
        done
    done
    read -r base _ < <(summary "$case.one.log" 1)
    for way in one one_beside two; do
        local median least most cpu
        read -r median least most < <(summary "$case.$way.log" 1)
        read -r cpu _ < <(summary "$case.$way.log" 2)
        csv "$(date -u +%FT%TZ)" "$commit" "$version" "$(describe_machine)" "PoCL, one core a device" \
            many_devices "$case" "$way" "$runs" "$median" "$least" "$most" "$cpu" \
            "$(awk -v a="$base" -v b="$median" 'BEGIN { printf "%.3f", a / b }')" "rhomb $*" >>"$out"
    done
}

out=$(realpath "$out")
cd "$scratch" || exit 1
make_inputs
csv date commit version machine device suite case way runs wall_median_seconds wall_min_seconds \
    wall_max_seconds cpu_median_seconds ratio command >"$out"
measure batch batch pairs.seq
measure 'batch, paths' batch --cigar pairs.seq
measure matrix matrix genomes.fa
