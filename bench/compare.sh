#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# compare.sh BUILD DATA OUT.csv [PAIR...]: whole commands on the CPU, Rhomb on PoCL against edlib
# and WFA2-lib, on the same plain upper-case files. The programs take turns, so that whatever else
# the machine does meets all of them; compare ratios within a run, and processor seconds where the
# machine is shared. A program that takes longer than LIMIT seconds (120) is left out, and a wrong
# distance makes the script fail. RUNS (3) is the number of timed runs after one that warms the
# caches; PAIR is mt, c4, caulobacter or enm002.
set -u -o pipefail

usage='Usage: compare.sh BUILD DATA OUT.csv [mt|c4|caulobacter|enm002]...'
[ $# -ge 3 ] || { echo "$usage" >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
build=$1 data=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- mt c4 caulobacter enm002
runs=${RUNS:-3} limit=${LIMIT:-120}
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
version=$("$build/host/cli/rhomb" --version) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
output=$scratch/output
failed=''

# pair NAME: target, query and distance.
pair()
{
    case $1 in
    mt) echo mt_human mt_orang 3315 ;;
    c4) echo c4_chm13 c4_hg002 23 ;;
    caulobacter) echo caulobacter_CB15 caulobacter_NA1000 26177 ;;
    enm002) echo enm002_human enm002_chimp 71684 ;;
    *) echo "$usage" >&2 && return 1 ;;
    esac
}

# distance PROGRAM: what the program printed, out of $output.
distance()
{
    case $1 in
    rhomb) cut -f 5 "$output" ;;
    edlib) sed -n 's/^#0: \([0-9]*\).*/\1/p' "$output" ;;
    *) tail -n 1 "$output" ;;
    esac
}

# The programs: name, cores, command with T and Q for the files.
rhomb='rhomb distance --device pocl --no-header T Q'
programs=(
    "rhomb|1|env POCL_MAX_PTHREAD_COUNT=1 taskset -c 0 $rhomb"
    "rhomb|2|env POCL_MAX_PTHREAD_COUNT=2 taskset -c 0,1 $rhomb"
    'edlib|1|taskset -c 0 edlib-aligner -m NW Q T'
    'wfa2-low|1|taskset -c 0 peer_wfa2 low Q T'
    'wfa2-ultralow|1|taskset -c 0 peer_wfa2 ultralow Q T'
)
PATH=$build/host/cli:$build/bench:$PATH

# run_once NUMBER PROGRAM COMMAND TARGET QUERY DISTANCE: false when the program is to be left out.
run_once()
{
    local words word command=() code found
    read -ra words <<<"$3"
    for word in "${words[@]}"; do
        case $word in
        T) command+=("$scratch/$4.fa") ;;
        Q) command+=("$scratch/$5.fa") ;;
        *) command+=("$word") ;;
        esac
    done
    time_command "$scratch/$1.log" "$limit" "${command[@]}"
    code=$?
    if [ $code -ne 0 ]; then
        printf '%s on %s x %s: %s\n' "$2" "$4" "$5" \
            "$([ $code -eq 124 ] && echo "more than $limit s" || echo "exit code $code")"
        return 1
    fi
    found=$(distance "$2")
    [ "$found" = "$6" ] && return 0
    printf '%s on %s x %s: distance %s instead of %s\n' "$2" "$4" "$5" "$found" "$6" >&2
    [ "$2" != rhomb ] || failed=yes
    return 1
}

# report NUMBER PROGRAM CORES COMMAND TARGET QUERY DISTANCE
report()
{
    local wall cpu
    read -ra wall <<<"$(summary "$scratch/$1.log" 1)"
    read -ra cpu <<<"$(summary "$scratch/$1.log" 2)"
    printf '%-14s %5s %-40s %9s %9.3f %9.3f %9.3f %9.3f\n' "$2" "$3" "$5 x $6" "$7" \
        "${wall[@]}" "${cpu[0]}"
    csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$version" "$(describe_machine)" compare "$2" \
        "$3" "$5 x $6" "$7" "$runs" "${wall[@]}" "${cpu[0]}" "$4" >>"$out"
}

# compare TARGET QUERY DISTANCE: one warming round and $runs timed ones over all programs.
compare()
{
    local name round i program cores command alive=("${!programs[@]}") still
    for name in "$1" "$2"; do
        gzip -dc "$data/$name.fa.gz" | tr -d '\r' |
            awk '/^>/ { print; next } { print toupper($0) }' >"$scratch/$name.fa" || exit 1
    done
    for ((round = 0; round <= runs; round++)); do
        still=()
        for i in "${alive[@]}"; do
            IFS='|' read -r program cores command <<<"${programs[i]}"
            [ "$round" -gt 1 ] || rm -f "$scratch/$i.log"
            run_once "$i" "$program" "$command" "$@" && still+=("$i")
        done
        alive=("${still[@]}")
    done
    for i in "${alive[@]}"; do
        IFS='|' read -r program cores command <<<"${programs[i]}"
        report "$i" "$program" "$cores" "$command" "$@"
    done
}

command -v edlib-aligner >/dev/null || echo 'edlib-aligner is not installed: left out' >&2
[ -x "$build/bench/peer_wfa2" ] || echo 'peer_wfa2 is not built: left out' >&2
csv date commit version machine suite program cores pair distance runs wall_median_seconds \
    wall_min_seconds wall_max_seconds cpu_median_seconds command >"$out" || exit 1
printf '%-14s %5s %-40s %9s %9s %9s %9s %9s\n' program cores pair distance 'wall s' min max 'cpu s'
for name in "$@"; do
    known=$(pair "$name") || exit 2
    # shellcheck disable=SC2086 # three words
    compare $known
done
[ -z "$failed" ]
