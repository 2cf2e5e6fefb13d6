#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# compare.sh BUILD DATA OUT.csv [PAIR...]: whole commands on the CPU, Rhomb on PoCL against edlib
# and WFA2-lib, on the same plain upper-case files. The programs take turns, so that whatever else
# the machine does meets all of them; compare ratios within a run, and CPU seconds where the
# machine is shared. A program that takes longer than LIMIT seconds (120) is left out, and a wrong
# distance makes the script fail. RUNS (3) is the number of timed runs after two that warm the
# caches. PAIR is mt, c4, caulobacter or enm002, from the folder DATA; or 97, 98, 99, 99.5 or 99.9,
# a generated pair of 1 Mbp with that similarity, whose distance edlib says. On these one core is to
# take no longer than WFA2-lib's low-memory mode and SLACK seconds (0.1): the column `within`.
set -u -o pipefail

usage='Usage: compare.sh BUILD DATA OUT.csv [mt|c4|caulobacter|enm002|97|98|99|99.5|99.9]...'
[ $# -ge 3 ] || { echo "$usage" >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
build=$1 data=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- mt c4 caulobacter enm002
runs=${RUNS:-3} limit=${LIMIT:-120} slack=${SLACK:-0.1}
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
version=$("$build/host/cli/rhomb" --version) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
output=$scratch/output

# pair NAME: target, query and distance, which is "generated" where it is not known.
pair()
{
    case $1 in
    mt) echo mt_human mt_orang 3315 ;;
    c4) echo c4_chm13 c4_hg002 23 ;;
    caulobacter) echo caulobacter_CB15 caulobacter_NA1000 26177 ;;
    enm002) echo enm002_human enm002_chimp 71684 ;;
    97 | 98 | 99 | 99.5 | 99.9) echo "$1.target" "$1.query" generated ;;
    *) echo "$usage" >&2 && return 1 ;;
    esac
}

# fetch NAME: the file of a real sequence, unpacked.
fetch()
{
    gzip -dc "$data/$1.fa.gz" | tr -d '\r' |
        awk '/^>/ { print; next } { print toupper($0) }' >"$scratch/$1.fa"
}

# generate SIMILARITY: the files of a generated pair. Prints its distance.
generate()
{
    local edits
    edits=$(awk -v s="$1" 'BEGIN { print 100 - s }')
    "$build/bench/rhomb_bench" --write "$scratch/$1" --only "1 M $edits %" synthetic >&2 &&
        edlib-aligner -m NW "$scratch/$1.query.fa" "$scratch/$1.target.fa" >"$output" &&
        distance edlib
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

# report NUMBER PROGRAM CORES COMMAND TARGET QUERY DISTANCE PROMISE: PROMISE is empty, or what the
# program may take on one core.
report()
{
    local wall cpu within=''
    read -ra wall <<<"$(summary "$scratch/$1.log" 1)"
    read -ra cpu <<<"$(summary "$scratch/$1.log" 2)"
    [ "$2 $3" != 'rhomb 1' ] || [ -z "$8" ] || within=$(awk -v wall="${wall[0]}" -v most="$8" \
        'BEGIN { print wall <= most ? "yes" : "no" }')
    printf '%-14s %5s %-40s %9s %9.3f %9.3f %9.3f %9.3f %6s\n' "$2" "$3" "$5 x $6" "$7" \
        "${wall[@]}" "${cpu[0]}" "$within"
    csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$version" "$(describe_machine)" compare "$2" \
        "$3" "$5 x $6" "$7" "$runs" "${wall[@]}" "${cpu[0]}" "$4" "$within" >>"$out"
}

# promise NUMBER...: what Rhomb may take, from the programs that have come to the end.
promise()
{
    local i
    for i in "$@"; do
        [[ ${programs[i]} != 'wfa2-low|'* ]] ||
            awk -v slack="$slack" '{ print $1 + slack }' <<<"$(summary "$scratch/$i.log" 1)"
    done
}

# compare TARGET QUERY DISTANCE: two warming rounds, as PoCL's programs are stored in the second, and
# $runs timed ones over all programs.
compare()
{
    local round i program cores command distance=$3 most='' alive=("${!programs[@]}") still
    if [ "$3" = generated ]; then
        distance=$(generate "${1%.target}") || exit 1
    else
        fetch "$1" && fetch "$2" || exit 1
    fi
    for ((round = -1; round <= runs; round++)); do
        still=()
        for i in "${alive[@]}"; do
            IFS='|' read -r program cores command <<<"${programs[i]}"
            [ "$round" -gt 1 ] || rm -f "$scratch/$i.log"
            run_once "$i" "$program" "$command" "$1" "$2" "$distance" && still+=("$i")
        done
        alive=("${still[@]}")
    done
    [ "$3" != generated ] || most=$(promise "${alive[@]}")
    for i in "${alive[@]}"; do
        IFS='|' read -r program cores command <<<"${programs[i]}"
        report "$i" "$program" "$cores" "$command" "$1" "$2" "$distance" "$most"
    done
}

command -v edlib-aligner >/dev/null || echo 'edlib-aligner is not installed: left out' >&2
[ -x "$build/bench/peer_wfa2" ] || echo 'peer_wfa2 is not built: left out' >&2
csv date commit version machine suite program cores pair distance runs wall_median_seconds \
    wall_min_seconds wall_max_seconds cpu_median_seconds command within >"$out" || exit 1
printf '%-14s %5s %-40s %9s %9s %9s %9s %9s %6s\n' program cores pair distance 'wall s' min max \
    'cpu s' within
for name in "$@"; do
    known=$(pair "$name") || exit 2
    # shellcheck disable=SC2086 # three words
    compare $known
done
[ -z "$failed" ]
