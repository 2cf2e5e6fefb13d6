#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# ranges.sh PROGRAMS OUT.csv DEVICE: exact alignments of the ranges that minimap2 finds, by `rhomb align
# --ranges`, beside minimap2's own alignments (-c) with all cores of the same machine, and what those lost.
# Whole commands, as a user types them. PROGRAMS holds rhomb, make_pair, range_peers and minimap2; in
# PROGRAMS/lib are the shared libraries that the machine lacks.
#
# Ways: reads01, reads05, reads10 (of 10 kb from 20 Mbp, so many errors of 100; map-ont), haplotypes (two of
# LENGTH, 250 Mbp; asm5), and yeast (asm5), if DATA is the folder of the real sequences. minimap2 maps MAPPED
# (50,000) reads; `rhomb_all` aligns READS (200,000), in the ranges that they were made from. As minimap2 has
# one core for a pair of records, its two runs of haplotypes go beside the reads, which leave two cores to
# them. Each alignment is verified by `rhomb verify`, and SAMPLE (40) rows of those of reads by BiWFA (with
# paths) and ksw2 (scores alone), on one core: rows are then those of the sample. WAYS leaves some out; LIMIT
# (300) seconds end a command. `rhomb_whole` aligns the haplotypes from end to end. Compilers' seconds of
# first runs are in OUT.csv.log. DEVICE is a number or a kind of `rhomb devices`, such as gpu. With MINIMAP2=no
# it does not run: rows are the ranges that reads were made from, and nothing is audited.
set -u -o pipefail

usage='Usage: ranges.sh PROGRAMS OUT.csv DEVICE'
[ $# -eq 3 ] || { echo "$usage" >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
programs=$(realpath "$1") out=$(realpath "$2") device=$3
limit=${LIMIT:-300} ways=${WAYS:-reads01 reads05 reads10 haplotypes yeast}
with_minimap2=${MINIMAP2:-yes} count=${READS:-200000} mapped=${MAPPED:-50000} sample=${SAMPLE:-40}
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
data=${DATA:+$(realpath "$DATA")}
PATH=$programs:$PATH
enter_scratch "$programs"
cores=$(nproc)
[ "$with_minimap2" = no ] || case $ways in *reads*haplotypes*) [ "$cores" -lt 4 ] || cores=$((cores - 2)) ;; esac
device_name=$(rhomb devices | tr '*' ' ' | awk -v d="$device" '$1 == d || $2 == d { sub(/^ *[0-9]+ +[a-z]+ +/, ""); print; exit }' |
    awk -F '  +' '{ print $1 ", driver " $3 }')
[ -n "$device_name" ] || { echo "ranges.sh: 'rhomb devices' has no '$device'" >&2 && exit 2; }
[ -s "$out" ] || csv date commit machine device way tool rows bases wall_seconds cpu_seconds rows_per_second \
    optimal lost command >"$out"

# reads ERRORS COUNT SEED: reads of 10,000 bases of one.txt; of 100 bases so many are replaced,
# left out or doubled. Their ranges go to ranges.SEED.
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
                printf "target\t%d\t%d\t%d.%d\t0\t%d\t+\n", begin - 1, begin + 9999, seed, r, length(read) >"ranges." seed
            }
        }' one.txt
}

# make WAY: target.fa, query.fa and, of reads, all.fa with their ranges.tsv; and the preset.
make()
{
    local part
    case $1 in
    reads*)
        [ -s one.fa ] || make_pair --length 20000000 --seed 1 one.fa other.fa 2>/dev/null
        grep -v '>' one.fa | tr -d '\n' | tr a-z A-Z >one.txt
        for ((part = 1; part <= cores; part++)); do
            reads "$((10#${1#reads}))" $((count / cores)) $part >reads.$part &
            made[part]=$!
        done
        wait "${made[@]}"
        cat reads.* >all.fa && cat ranges.[0-9]* >ranges.tsv && rm reads.* ranges.[0-9]*
        head -n "$mapped" ranges.tsv >few.tsv
        head -n $((2 * mapped)) all.fa >query.fa && cp one.fa target.fa && preset=map-ont
        ;;
    haplotypes)
        make_pair --length "${LENGTH:-250000000}" --seed 1 --substitutions 0.001 --indels 0.0002 --long-indels 150 \
            target.fa query.fa 2>/dev/null && preset=asm5
        for part in target query; do
            printf '%s\t0\t%d\t' $part "$(grep -v '>' $part.fa | tr -d '\n' | wc -c)"
        done >whole.tsv && echo + >>whole.tsv
        ;;
    yeast)
        gzip -dc "$data/yeast_sacCer3.fa.gz" >target.fa && gzip -dc "$data/yeast_S288C.fa.gz" >query.fa && preset=asm5
        ;;
    esac
}

# row TOOL SECONDS CPU ROWS BASES OPTIMAL LOST COMMAND: appends it.
row()
{
    local where="$cores cores"
    case $1 in
    rhomb*) where=$device_name ;;
    biwfa | ksw2) where='1 core' ;;
    esac
    [ "$way" != haplotypes ] || [ "$where" = "$device_name" ] || where='1 core'
    csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$(describe_machine)" "$where" "$way" "$1" "$4" "$5" "$2" "$3" \
        "$(awk -v r="$4" -v s="$2" 'BEGIN { printf "%.3g", r / s }')" "$6" "$7" "$8" >>"$out"
    tail -n 1 "$out"
}

# run TOOL COMMAND...: times it, and appends its row, with what an audit says.
run()
{
    local tool=$1 rows
    shift
    rm -f "$output.log"
    time_command "$output.log" "$limit" "$@" || { fail "$way: $*: $(tail -n 3 "$output.err")"; return 1; }
    [ ! -s "$output" ] || mv "$output" "$tool.paf"
    rows=$(awk -F '\t' '{ n += $4 - $3 } END { printf "%d %.0f", NR, n }' "$tool.paf")
    row "$tool" "$(summary "$output.log" 1 | cut -d ' ' -f 1)" "$(summary "$output.log" 2 | cut -d ' ' -f 1)" ${rows% *} ${rows#* } \
        "$(sed -n 's/.*audit: .* alignment, \([0-9]*\) optimal.*/\1/p' "$output.err")" \
        "$(sed -n 's/.*; lost: \([0-9]*\) .*/\1/p' "$output.err")" "${*##*/}"
}

# find WAY: minimap2's rows, without alignments and with them.
find_rows()
{
    [ "$with_minimap2" = yes ] || return 0
    run minimap2_map minimap2 -t "$cores" -x $preset target.fa query.fa &&
        run minimap2 minimap2 -t "$cores" -cx $preset target.fa query.fa
}

# peer TOOL: a sample of rows by another program on one core, which has to find the same scores.
peer()
{
    local numbers
    numbers=$(timeout "$limit" range_peers "$1" $preset rhomb.paf target.fa query.fa "$sample" 2>"$output.err") ||
        { fail "$way: $1: $(tail -n 3 "$output.err")"; return 1; }
    set -- "$1" $numbers
    row "$1" "$4" "$5" "$2" "$3" '' '' "range_peers $1 $preset rhomb.paf target.fa query.fa $sample"
}

# Haplotypes have a folder of their own, as they are there from the beginning on.
case $ways in
*haplotypes*)
    mkdir haplotypes && cd haplotypes && way=haplotypes && make haplotypes || exit 1
    [ "$with_minimap2" = no ] || (output=$scratch/map run minimap2_map minimap2 -t 2 -x asm5 target.fa query.fa) &
    beside[1]=$!
    [ "$with_minimap2" = no ] || (output=$scratch/align run minimap2 minimap2 -t 2 -cx asm5 target.fa query.fa) &
    beside[2]=$!
    cd ..
    ;;
esac
for way in $ways; do
    [ "$way" != yeast ] || [ -n "$data" ] || continue
    case $way in
    haplotypes)
        cd haplotypes && preset=asm5
        wait "${beside[@]}"
        ;;
    *) make "$way" && find_rows || { fail "$way: no rows"; continue; } ;;
    esac
    align="rhomb align --device $device --score $preset"
    rows_file=minimap2_map.paf
    [ "$with_minimap2" = yes ] || case $way in reads*) rows_file=few.tsv ;; *) rows_file=whole.tsv ;; esac
    # The first run compiles programs, and so what a new machine waits for.
    run rhomb_first $align -vv --ranges $rows_file target.fa query.fa
    grep -E 'compiled in|version' "$output.err" | cut -c 1-60 | sed "s/^/$way: /" >>"$out.log"
    run rhomb $align --ranges $rows_file target.fa query.fa &&
        rhomb verify --quiet --score $preset rhomb.paf target.fa query.fa || fail "$way: not verified"
    [ "$with_minimap2" = no ] || run rhomb_audit $align --ranges minimap2.paf --audit audit.tsv target.fa query.fa
    [ "$with_minimap2" = no ] || awk -F '\t' 'NR > 1 && $11 + 0 < 0 { wrong++ } END { exit wrong > 0 }' audit.tsv || fail "$way: a row lost less than 0"
    case $way in
    reads*)
        run rhomb_all $align --ranges ranges.tsv target.fa all.fa
        peer biwfa
        peer ksw2
        rm -f ./*.paf all.fa query.fa
        ;;
    haplotypes)
        run rhomb_whole $align --ranges whole.tsv target.fa query.fa
        cd ..
        ;;
    esac
done
[ -z "$failed" ]
