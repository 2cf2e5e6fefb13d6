#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# several_gpus.sh PROGRAMS DATA OUT.csv DEVICE,DEVICE CASE...: one pair by the first device and by all
# of them, as the program runs it. PROGRAMS holds rhomb and rhomb_bench, and in PROGRAMS/lib the
# shared libraries that the machine lacks. A case is
#
#     quarter, quarter_path    62 x 57 Mbp, the pair of rhomb_bench's suite `chromosome`
#     whole, whole_path        249 x 229 Mbp; `whole_all`, `whole_path_all` by all devices alone
#     unrelated                23.0 x 24.5 Mbp of random bases
#     yeast, yeast_path        a similar pair of DATA
#     checkpoint               the quarter with a checkpoint every 4 seconds, against none
#
# Results of all ways have to agree, and paths are verified; `ratio` is of the engine's times, the first
# way's over this one's. RUNS (1) of each after one that builds the kernels, in turns, of which the
# medians are kept; long cases run once, so a short one comes first.
set -u -o pipefail

usage='Usage: several_gpus.sh PROGRAMS DATA OUT.csv DEVICE,DEVICE CASE...'
[ $# -ge 5 ] || { echo "$usage" >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
programs=$(realpath "$1") data=$(realpath "$2") out=$(realpath "$3") devices=$4
shift 4
runs=${RUNS:-1} rhomb=$programs/rhomb
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
enter_scratch "$programs"

# generated NAME WRITTEN_BY...: NAME.target.fa and NAME.query.fa, made once.
generated()
{
    target=$1.target.fa query=$1.query.fa
    [ -f "$target" ] || "$programs/rhomb_bench" --write "$@" >/dev/null
}

# number FIELD: of report.json, the last one of that name.
number() { tr -d '\t\n' <report.json | grep -o "\"$1\":[0-9.e+-]*" | tail -n 1 | cut -d : -f 2; }

# work: seconds that the engine took, without reading, building and the guide.
work()
{
    local part
    for part in solve split leaves; do
        number $part
    done | awk '{ s += $1 } END { print s }'
}

# solve WAY COMMAND...: one run; its solve time goes to WAY.log, its result to WAY.result.
solve()
{
    local way=$1 what=$2
    shift 2
    rm -f out.paf
    if [ "$what" = align ]; then
        time_command times 3000 "$rhomb" align --report report.json -o out.paf "$@" "$target" "$query" || return
        md5sum <out.paf >"$way.result"
        [ -f verified ] || "$rhomb" verify --quiet out.paf "$target" "$query" >/dev/null || fail "$case: a wrong path"
        touch verified
    else
        time_command times 3000 "$rhomb" distance --json "$@" "$target" "$query" || return
        cp "$output" report.json
        number distance >"$way.result"
    fi
    echo "$(work) 0" >>"$way.log"
    number distance >distance
    tr -d '\t\n' <report.json | grep -o '"device":{.*"driver"' | sed 's/.*"name":"\([^"]*\)".*/\1/' >name
}

# compare WHAT WAY... -- ARGUMENT...: WHAT is distance or align; a way is "NAME=ARGUMENT ARGUMENT".
compare()
{
    local what=$1 ways=() way i first median
    shift
    while [ "$1" != -- ]; do
        ways+=("$1") && shift
    done
    shift
    rm -f ./*.log ./*.result verified
    for ((i = 0; i <= runs; i++)); do
        # The first one builds kernels.
        for way in "${ways[@]}"; do
            # shellcheck disable=SC2086
            solve "${way%%=*}" "$what" ${way#*=} "$@" || { fail "$case by $way: $(tail -n 3 "$output.err")"; return; }
            [ "$i" -gt 0 ] || [ -n "${ONCE:-}" ] || rm "${way%%=*}.log"
        done
        [ -z "${ONCE:-}" ] || break
    done
    first=$(summary "${ways[0]%%=*}.log" 1 | cut -d ' ' -f 1)
    for way in "${ways[@]}"; do
        cmp -s "${way%%=*}.result" "${ways[0]%%=*}.result" || fail "$case: $way has another result"
        median=$(summary "${way%%=*}.log" 1 | cut -d ' ' -f 1)
        [ -s "$out" ] || csv date commit machine device case way distance runs work_median_seconds ratio command >"$out"
        csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$(describe_machine)" "$(cat name)" "$case" \
            "${way%%=*}" "$(cat distance)" "$(wc -l <"${way%%=*}.log")" "$median" \
            "$(awk -v a="$first" -v b="$median" 'BEGIN { printf "%.3f", a / b }')" \
            "rhomb $what ${way#*=} $*" >>"$out"
        tail -n 1 "$out"
    done
}

one="one=-d ${devices%%,*}" all="all=-d $devices"
for case in "$@"; do
    what=distance ONCE=''
    [[ $case != *_path* ]] || what=align
    case $case in
    quarter*)
        generated quarter --only quarter chromosome && ONCE=yes compare $what "$one" "$all" --
        ;;
    checkpoint)
        generated quarter --only quarter chromosome &&
            ONCE=yes compare $what "$one" "kept=${one#*=} --resume kept --resume-every 4" --
        ;;
    whole_all | whole_path_all) generated whole --only whole chromosome && ONCE=yes compare $what "$all" -- ;;
    whole*) generated whole --only whole chromosome && ONCE=yes compare $what "$one" "$all" -- ;;
    unrelated)
        target=random.target.fa query=random.query.fa
        awk -v n=23000000 'BEGIN { srand(5); print ">t"; for (; n > 0; n -= 100) { s = ""; for (i = 0; i < 100; i++) s = s substr("ACGT", int(rand() * 4) + 1, 1); print s } }' >$target
        awk -v n=24500000 'BEGIN { srand(6); print ">q"; for (; n > 0; n -= 100) { s = ""; for (i = 0; i < 100; i++) s = s substr("ACGT", int(rand() * 4) + 1, 1); print s } }' >$query
        compare $what "$one" "$all" --
        ;;
    yeast*)
        target=$data/yeast_S288C.fa.gz query=$data/yeast_sacCer3.fa.gz
        compare $what "$one" "$all" --
        ;;
    *) echo "$usage" >&2 && exit 2 ;;
    esac
done
[ -z "$failed" ]
