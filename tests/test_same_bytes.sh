#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_same_bytes.sh RHOMB CLOCK [ROUNDS]: the same command writes the same bytes, whatever is cached,
# however many threads there are, whatever else the machine does, and whatever time it is. CLOCK is
# the library of other_clock.c.
#
# The pairs are near the limits where `auto` changes its choice, the last ones by gap-affine costs. In
# each state of the machine below, each is aligned and its distance is taken, and `rhomb batch` takes
# all of them and some more. In the first tier (RHOMB_TEST_TIER) there are a few pairs and clocks alone, with
# ROUNDS more states, and all of them so many times. Where a run differs from the first
# one, the test prints a command that repeats it and keeps the pair and the cache in
# RHOMB_TEST_OUTPUT, by default the current folder. Exits with 77 where there is no device.
set -u -o pipefail

rhomb=$(realpath "$1") || exit 1
clock=$(realpath "$2") || exit 1
rounds=${3:-0}
tier=${RHOMB_TEST_TIER-}
share=false
[ "${RHOMB_TEST_SHARE:-100}" = 100 ] || share=true
output=$(realpath "${RHOMB_TEST_OUTPUT:-.}") || exit 1
work=$(mktemp -d) || exit 1
busy=()
calm()
{
    [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null
    wait "${busy[@]}" 2>/dev/null
    busy=()
}
trap 'calm; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
export LC_ALL=C
unset RHOMB_KERNEL_DIR

"$rhomb" devices >/dev/null 2>&1
[ $? -ne 4 ] || { echo 'no device' && exit 77; }

# Name; length of the target; edits per 100,000 bases; position and length of an insertion, and of a
# deletion; --score, if any.
pairs='
tiny            1000 30000     0     0     0     0
matched         5000 17000     0     0     0     0
unmatched       5000 19000     0     0     0     0
medium_below   20000  6500     0     0     0     0
medium_above   20000  7500     0     0     0     0
two_gaps       40000  2000 10001  3000 25001  2000
near_below     40000  5800     0     0     0     0
near_above     40000  6100     0     0     0     0
gap            20000  1000 10000  4000     0     0
unlike_lengths 30000  3000     0     0  5000 10000
long_near     100000  5000     0     0     0     0
long_above    100000  6000     0     0     0     0
long_gap      100000   500 50000  8000     0     0
longer_near   300000  3200     0     0     0     0
longest_near 1000000  2600     0     0     0     0
patience      700000   500 300000 30000    0     0
sweep_at_once 100000 40000     0     0     0     0
wave          300000   700     0     0     0     0
wfa_below      20000  1600     0     0     0     0 wfa
wfa_above      20000  1900     0     0     0     0 wfa
wfa_gap        40000   600 10000  4000     0     0 wfa
'

# For `batch` alone: at each length `auto` has its limit between two of these, and so have the ways to
# find a path.
[ -z "$tier" ] || pairs=$(grep -E '^(medium|gap|near_below|wfa_above|wave)' <<<"$pairs")
for length in $([ -n "$tier" ] || echo 1000 2000 5000 10000 20000 40000); do
    for rate in 500 2000 4000 5500 6500 7500 8500 10000 12000 15000 18000 22000 30000; do
        few=$((length / 1000 % 4 == 1 ? length / 8 : 0))
        pairs+="grid $length $rate $((length / 2)) $few 0 0"$'\n'
    done
done

# The same bases by every awk: Lehmer's generator in integers that doubles hold.
awk 'function below(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
function letter() { return substr("ACGT", 1 + below(4), 1) }
function end_line(    name) { printf "\n" >t; printf "\n" >q; close(t); close(q) }
NF > 0 {
    state = 1 + NR
    grid = $1 == "grid"
    t = (grid ? "grid" NR : $1) ".t.fa"
    q = (grid ? "grid" NR : $1) ".q.fa"
    printf ">t\n" >t
    printf ">q\n" >q
    for (i = 1; i <= $2; i++) {
        base = letter()
        printf "%s", base >t
        if (i == $4)
            for (j = 0; j < $5; j++)
                printf "%s", letter() >q
        if (i >= $6 && i < $6 + $7)
            continue
        if (below(100000) < $3) {
            kind = below(3)
            base = kind == 0 ? letter() : kind == 1 ? base letter() : ""
        }
        printf "%s", base >q
    }
    end_line()
}' <<<"$pairs"
for t in *.t.fa; do
    [ "$(wc -c <"$t")" -lt 200000 ] || continue
    sed -n '2s/^/>/p' "${t%.t.fa}.q.fa"
    sed -n '2s/^/</p' "$t"
done >pairs.seq
rm -f grid*.fa

# What enter() and prepare() make of them: how many threads, which clock, what the cache holds; busy:
# a loop on each core runs beside, with ROUNDS two.
processors=$(nproc)
states='
warm
empty
threads:1
pthreads:1
clock:jumps
noise
busy
'
[ -z "$tier" ] || states='
warm
clock:0
clock:jumps
'
[ "$rounds" -eq 0 ] || states='
warm
warm
empty
threads:1
threads:4
pthreads:1
pthreads:2
pthreads:5
core:0
nice
clock:0
clock:0.001
clock:30
clock:1000
clock:jumps
cut
noise
nothing
folders
off
busy
busy
busy:threads:4
busy:empty
'

# noise FILE: as many bytes, random but the same each time.
noise()
{
    awk -v n="$(wc -c <"$1")" 'BEGIN { state = 7
        while (n-- > 0) { state = (state * 16807) % 2147483647; printf "%c", 1 + state % 127 } }' \
        >changed && mv changed "$1"
}

# fill FOLDER: the cache of a program that has run before.
fill()
{
    rm -rf "$1"
    cp -r warm_cache "$1"
}

# prepare STATE: sets `cache`. Damage is done anew each time, since runs repair it.
prepare()
{
    cache=$work/cache.$1
    case $1 in
    empty) rm -rf "$cache" ;;
    cut) fill "$cache" && for file in "$cache"/*; do truncate -s 300 "$file"; done ;;
    noise) fill "$cache" && for file in "$cache"/*; do noise "$file"; done ;;
    nothing) fill "$cache" && for file in "$cache"/*; do : >"$file"; done ;;
    folders) rm -rf "$cache" && for file in warm_cache/*; do mkdir -p "$cache/${file##*/}"; done ;;
    off) cache=off ;;
    *) [ -n "$tier" ] && cache=off || cache=$work/warm_cache ;;
    esac
}

# enter STATE: sets `words`, what stands before the command, and `options`, what follows it.
enter()
{
    local state=$1
    words=() options=()
    calm
    case $state in
    busy*)
        state=${state#busy} state=${state#:}
        for ((i = 0; i < (rounds > 0 ? 2 : 1) * processors; i++)); do
            (while :; do :; done) &
            busy+=($!)
        done
        ;;
    esac
    prepare "$state"
    case $state in
    threads:*) options=(-t "${state#*:}") ;;
    pthreads:*) words=(env POCL_MAX_PTHREAD_COUNT="${state#*:}") ;;
    core:*) ! command -v taskset >/dev/null || words=(taskset -c "${state#*:}") ;;
    nice) words=(nice -n 19) ;;
    clock:*) words=(env LD_PRELOAD="$clock ${LD_PRELOAD-}" RHOMB_TEST_CLOCK="${state#*:}") ;;
    esac
    words=(env RHOMB_CACHE_DIR="$cache" ${words[@]+"${words[@]}"})
}

runs=0
declare -A expected=() differs=() asked=()

# same KIND NAME FILES COMMAND...: runs it in the state that was entered, and compares what the
# command left in `out` with the first run.
same()
{
    local kind=$1 name=$2 files=$3 id sum
    shift 3
    id="$kind $name"
    "${words[@]}" "$rhomb" "$@" ${options[@]+"${options[@]}"} >raw 2>errors ||
        { echo "=> $?" && cat errors; } >>raw
    case $kind in
    # The seconds are the clock's, and @PG has the command.
    distance) cut -f 1-8 raw >out ;;
    align_sam) grep -v '^@PG' raw >out ;;
    align) { cat raw && grep -E '"(engine|distance|estimate|batches|cells)":' report.json; } >out ;;
    *) mv raw out ;;
    esac
    rm -f report.json
    runs=$((runs + 1))
    asked[$id]=$((${asked[$id]:-0} + 1))
    sum=$(cksum <out)
    if [ -z "${expected[$id]:-}" ]; then
        expected[$id]=$sum
        grep -q '^=> ' out && cat out && differs[$id]=1
        return
    fi
    [ "$sum" != "${expected[$id]}" ] || return 0
    if [ -z "${differs[$id]:-}" ]; then
        mkdir -p "$output/same_bytes"
        # shellcheck disable=SC2086 # several files
        cp $files "$output/same_bytes/"
        [ ! -d "$cache" ] || cp -r "$cache" "$output/same_bytes/"
        printf '%s: other bytes in the state %s%s; again, in %s/same_bytes:\n    %s\n' "$id" "$state" \
            "$(! grep -q '^=> ' out || printf ' (%s)' "$(tail -n 1 out)")" "$output" \
            "${words[*]//"$work/"/} $rhomb $* ${options[*]}"
    fi
    differs[$id]=$((${differs[$id]:-0} + 1))
}

# run_all STATE: everything in that state; of the pairs, a few where kernels are compiled each time, and
# without ROUNDS where neither clock nor load change, or only load in a share of all cases
# (RHOMB_TEST_SHARE); the long ones not beside busy loops.
run_all()
{
    local state=$1 name t q score extra format few=false
    case $state in *empty | cut | noise | nothing | folders | off) few=true ;; esac
    [ "$rounds" -gt 0 ] || case $state in warm | clock:*) ;; busy) few=$share ;; *) few=true ;; esac
    enter "$state"
    if [ -z "$tier" ]; then
        same batch all pairs.seq batch --quiet --cigar pairs.seq
        same batch distances pairs.seq batch --quiet pairs.seq
        for format in sam tsv; do
            same align_$format two_gaps 'two_gaps.t.fa two_gaps.q.fa' align --quiet --format $format \
                two_gaps.t.fa two_gaps.q.fa
        done
    fi
    while read -r name _ _ _ _ _ _ score; do
        case $name in '' | grid) continue ;; esac
        if $few; then
            case $name in matched | two_gaps | near_above) prepare "${state#busy:}" ;; *) continue ;; esac
        fi
        case $state$name in busy*longe* | busy*patience | busy*wave) continue ;; esac
        t=$name.t.fa q=$name.q.fa
        [ -z "$score" ] && extra=() || extra=(--score "$score")
        [ -z "$tier" ] || extra+=(--no-sketch) # which leaves more to choose
        same align "$name" "$t $q" align --quiet --report report.json \
            ${extra[@]+"${extra[@]}"} "$t" "$q"
        [ -n "$tier" ] || same distance "$name" "$t $q" distance --quiet ${extra[@]+"${extra[@]}"} "$t" "$q"
    done <<<"$pairs"
    calm
}

# What all programs of all pairs leave.
warm()
{
    local name engine
    for engine in wavefront bitparallel; do
        for name in tiny two_gaps sweep_at_once; do
            "${words[@]}" "$rhomb" align --quiet --engine $engine $name.t.fa $name.q.fa >raw 2>errors ||
                { cat errors && exit 1; }
        done
        "${words[@]}" "$rhomb" align --quiet --engine $engine --score wfa wfa_gap.t.fa wfa_gap.q.fa >raw \
            2>errors || { cat errors && exit 1; }
    done
    "${words[@]}" "$rhomb" batch --quiet --cigar pairs.seq >raw
}
mkdir warm_cache
words=(env "RHOMB_CACHE_DIR=$([ -n "$tier" ] && echo off || echo "$work/warm_cache")") options=()
[ -n "$tier" ] || warm

# A clock that changes nothing would prove nothing.
stopped=$("${words[@]}" LD_PRELOAD="$clock ${LD_PRELOAD-}" RHOMB_TEST_CLOCK=0 "$rhomb" distance --quiet --no-header \
    near_below.t.fa near_below.q.fa | cut -f 9)
[ "$stopped" = 0.000 ] || { echo "a clock that stands still says $stopped s" && exit 1; }

for ((round = 0; round < rounds || round == 0; round++)); do
    for state in $states; do
        run_all "$state"
    done
done

for id in "${!differs[@]}"; do
    printf '%-25s %d of %d runs are not as the first one\n' "$id:" "${differs[$id]}" "${asked[$id]}"
done | sort
echo "$runs runs of ${#asked[@]} commands: $((${#asked[@]} - ${#differs[@]})) write the same bytes"
[ ${#differs[@]} -eq 0 ]
