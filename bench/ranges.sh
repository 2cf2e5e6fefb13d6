#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# ranges.sh PROGRAMS OUT.csv DEVICE: exact alignments of the ranges that minimap2 finds, by `rhomb align
# --ranges`, beside minimap2's own alignments (-c) with all cores of the same machine, and what those lost.
# Whole commands, as a user types them. PROGRAMS holds rhomb, make_pair and minimap2; in PROGRAMS/lib are
# the shared libraries that the machine lacks.
#
# Ways: reads01, reads05, reads10 (READS, 200,000, of 10 kb from 20 Mbp, so many errors of 100; map-ont),
# haplotypes (two of LENGTH, 250 Mbp; asm5), and yeast (asm5), if DATA is the folder of the real sequences.
# Each alignment is verified by `rhomb verify`. WAYS leaves some out; LIMIT (300) seconds end a command.
set -u -o pipefail

usage='Usage: ranges.sh PROGRAMS OUT.csv DEVICE'
[ $# -eq 3 ] || { echo "$usage" >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
programs=$(realpath "$1") out=$(realpath "$2") device=$3
limit=${LIMIT:-300} ways=${WAYS:-reads01 reads05 reads10 haplotypes yeast} count=${READS:-200000}
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
data=${DATA:+$(realpath "$DATA")}
PATH=$programs:$PATH
enter_scratch "$programs"
cores=$(nproc)
[ -s "$out" ] || csv date commit machine device way tool rows bases wall_seconds cpu_seconds rows_per_second \
    optimal lost command >"$out"

# reads ERRORS COUNT SEED: reads of 10,000 bases of one.txt; of 100 bases so many are replaced,
# left out or doubled.
reads()
{
    awk -v errors="$1" -v count="$2" -v seed="$3" 'BEGIN { srand(seed) }
        {
            genome = $0
            n = length(genome)
            for (r = 1; r <= count; r++) {
                begin = int(rand() * (n - 10000)) + 1
                read = ""
                at = 0
                while (at < 10000) {
                    step = 1 + int(log(1 - rand()) / log(1 - errors / 100))
                    read = read substr(genome, begin + at, at + step <= 10000 ? step - 1 : 10000 - at)
                    at += step
                    if (at > 10000) break
                    base = substr(genome, begin + at - 1, 1)
                    kind = int(rand() * 3)
                    if (kind == 0) read = read substr("CGTA", index("ACGT", base), 1)
                    else if (kind == 1) read = read base base
                }
                printf ">%d.%d\n%s\n", seed, r, read
            }
        }' one.txt
}

# make WAY: target.fa and query.fa, and the preset.
make()
{
    local core
    case $1 in
    reads*)
        [ -s one.fa ] || make_pair --length 20000000 --seed 1 one.fa other.fa 2>/dev/null
        grep -v '>' one.fa | tr -d '\n' | tr a-z A-Z >one.txt
        for ((core = 1; core <= cores; core++)); do
            reads "$((10#${1#reads}))" $((count / cores)) $core >reads.$core &
        done
        wait
        cat reads.* >query.fa && rm reads.* && cp one.fa target.fa && preset=map-ont
        ;;
    haplotypes)
        make_pair --length "${LENGTH:-250000000}" --seed 1 --substitutions 0.001 --indels 0.0002 --long-indels 150 \
            target.fa query.fa 2>/dev/null && preset=asm5
        ;;
    yeast)
        gzip -dc "$data/yeast_sacCer3.fa.gz" >target.fa && gzip -dc "$data/yeast_S288C.fa.gz" >query.fa && preset=asm5
        ;;
    esac
}

# run TOOL COMMAND...: times it, and appends its row, with what an audit says.
run()
{
    local tool=$1 rows bases seconds cpu
    shift
    rm -f log
    time_command log "$limit" "$@" || { fail "$way: $*: $(tail -n 3 "$output.err")"; return 1; }
    seconds=$(summary log 1 | cut -d ' ' -f 1) cpu=$(summary log 2 | cut -d ' ' -f 1)
    [ ! -s "$output" ] || mv "$output" "$tool.paf"
    rows=$(awk -F '\t' '{ n += $4 - $3 } END { printf "%d %.0f", NR, n }' "$tool.paf")
    bases=${rows#* } rows=${rows% *}
    csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$(describe_machine)" \
        "$([ "${tool%%_*}" = rhomb ] && echo "$device" || echo "$cores cores")" "$way" "$tool" "$rows" "$bases" \
        "$seconds" "$cpu" "$(awk -v r="$rows" -v s="$seconds" 'BEGIN { printf "%.0f", r / s }')" \
        "$(sed -n 's/.*audit: .* alignment, \([0-9]*\) optimal.*/\1/p' "$output.err")" \
        "$(sed -n 's/.*; lost: \([0-9]*\) .*/\1/p' "$output.err")" "${*##*/}" >>"$out"
    tail -n 1 "$out"
}

for way in $ways; do
    [ "$way" != yeast ] || [ -n "$data" ] || continue
    make "$way" || { fail "$way: no data"; continue; }
    align="rhomb align --device $device --quiet --score $preset"
    run minimap2_map minimap2 -t "$cores" -x $preset target.fa query.fa || continue
    run minimap2 minimap2 -t "$cores" -cx $preset target.fa query.fa || continue
    # The first run compiles programs, and so what a new machine waits for.
    run rhomb_first $align --ranges minimap2_map.paf target.fa query.fa
    run rhomb $align --ranges minimap2_map.paf target.fa query.fa &&
        rhomb verify --quiet --score $preset rhomb.paf target.fa query.fa || fail "$way: not verified"
    run rhomb_audit rhomb align --device "$device" --score $preset --ranges minimap2.paf --audit audit.tsv \
        target.fa query.fa
    awk -F '\t' 'NR > 1 && $11 + 0 < 0 { wrong++ } END { exit wrong > 0 }' audit.tsv || fail "$way: a row lost less than 0"
done
[ -z "$failed" ]
