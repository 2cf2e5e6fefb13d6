#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# genomes.sh BUILD DATA OUT.csv [CASE...]: what people do with two genomes, by the program as they
# call it: two yeasts of 16 chromosomes, shuffled and five of them turned, and the same joined in
# order; a circle with an inversion and a moved piece, cut elsewhere; VCF of two haplotypes of 250
# Mbp, beyond the alignment itself; the look before the work, as a share of the run; and `compare`
# beside minimap2 with as many threads, in CPU seconds, also of a yeast with planted differences.
# Results are checked first: paths by `rhomb verify`, VCF by bcftools consensus where it is
# installed, planted SNPs by their number. Each is run RUNS times (3) after two that warm the
# caches, and the medians are compared with what is promised. CASE is yeasts, circles, haplotypes,
# look, compare or matrix, whose guide is to be that of `distance`. DEVICE (auto) is a selector.
set -u -o pipefail

usage='Usage: genomes.sh BUILD DATA OUT.csv [yeasts|circles|haplotypes|look|compare|matrix]...'
[ $# -ge 3 ] || { echo "$usage" >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
. "$here/../tests/support/genomes.sh"
build=$(realpath "$1") data=$(realpath "$2") out=$(realpath "$3")
shift 3
[ $# -gt 0 ] || set -- yeasts circles look haplotypes compare matrix
runs=${RUNS:-3} device=${DEVICE:-auto}
rhomb=$build/host/cli/rhomb
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
output=$scratch/output
cd "$scratch" || exit 1

# report FIELD: the number of a field of report.json.
report() { tr -d '\t\n' <report.json | grep -o "\"$1\":[0-9.e+-]*" | head -n 1 | cut -d : -f 2; }

# timed COMMAND...: into `seconds`, `cpu` and, in MiB, `memory`.
timed()
{
    local i
    rm -f log
    for ((i = -1; i <= runs; i++)); do
        time_command log 3000 "$@" || { fail "$*: $(tail -n 3 "$output.err")"; return 1; }
        [ "$i" -gt 0 ] || rm log
    done
    seconds=$(summary log 1 | cut -d ' ' -f 1)
    cpu=$(summary log 2 | cut -d ' ' -f 1)
    memory=$(awk '/peak memory/ { n = $(NF - 1); print $NF == "GiB" ? 1024 * n : n }' "$output.err")
}

# row CASE BASES SECONDS PROMISED VERIFIED_BY COMMAND: what is promised is for SECONDS.
row()
{
    local within name
    name=$(sed -n 's/.*, device \(.*\), real .*/\1/p' "$output.err")
    within=$(awk -v a="$3" -v b="$4" 'BEGIN { print a <= b ? "yes" : "no" }')
    [ -s "$out" ] || csv date commit machine device case bases runs seconds promised_seconds within \
        wall_median_seconds cpu_median_seconds peak_mib verified_by command >"$out"
    csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$(describe_machine)" "$name" "$1" "$2" "$runs" \
        "$3" "$4" "$within" "$seconds" "$cpu" "$memory" "$5" "$6" >>"$out"
    printf '%-28s %10s s, promised %s: %s\n' "$1" "$3" "$4" "$within"
}

# same_query TARGET QUERY VCF: whether bcftools makes the query from it.
same_query()
{
    command -v bcftools >/dev/null || return 0
    [ "$(bcftools consensus -f "$1" "$3" 2>/dev/null | grep -v '^>' | tr -d '\n' | tr '[:lower:]' '[:upper:]' | md5sum)" = \
        "$(bases "$2" | md5sum)" ]
}

# Sixteen pairs share a device; the joined pair has their bases in one record each.
yeasts()
{
    local own base
    make_yeasts "$data"
    base=$(stat -c %s target.fa)
    timed "$rhomb" align -v --device "$device" --match best -o out.paf target.fa query.fa || return
    "$rhomb" verify --quiet out.paf target.fa query.fa >/dev/null || fail 'yeasts: a wrong path'
    [ "$(wc -l <out.paf)" = 16 ] || fail 'yeasts: not all have found theirs'
    own=$seconds
    row 'yeasts, 16 pairs, PAF' "$base" "$seconds" 60 'rhomb verify' 'align --match best -o out.paf'
    timed "$rhomb" align -v --device "$device" --match best -o out.vcf.gz target.fa query.fa || return
    row 'yeasts, 16 pairs, VCF' "$base" "$seconds" 60 'the program itself' \
        'align --match best -o out.vcf.gz'
    { echo '>t' && cat first.txt; } >joined_t.fa
    { echo '>q' && cat second.txt; } >joined_q.fa
    timed "$rhomb" align -v --device "$device" -o out.paf joined_t.fa joined_q.fa || return
    "$rhomb" verify --quiet out.paf joined_t.fa joined_q.fa >/dev/null || fail 'joined: a wrong path'
    row 'yeasts, 16 pairs and joined' "$base" "$own" \
        "$(awk -v s="$seconds" 'BEGIN { print 1.3 * s }')" 'rhomb verify' 'align -o out.paf'
}

circles()
{
    local circle
    bases "$data/caulobacter_CB15.fa.gz" >caulobacter.txt
    low_gc 4000000 >low.txt
    for circle in caulobacter low; do
        rearrange $circle
        timed "$rhomb" align -v --device "$device" --blocks -o out.paf $circle.target.fa \
            $circle.query.fa || return
        "$rhomb" verify --quiet out.paf $circle.target.fa $circle.query.fa >/dev/null ||
            fail "$circle: a wrong path"
        [ "$(grep -c 'NM:i:0' out.paf)" = 7 ] || fail "$circle: not seven blocks without edits"
        row "$circle, rearranged, blocks" "$(stat -c %s $circle.txt)" "$seconds" 10 'rhomb verify' \
            'align --blocks -o out.paf'
    done
}

# What VCF takes beyond the library's call and reading.
haplotypes()
{
    local beyond
    "$build/bench/rhomb_bench" --write h --only '250 M haplotypes' similar >/dev/null || return
    runs=1 timed "$rhomb" align -v --device "$device" -o out.vcf.gz --report report.json h.target.fa \
        h.query.fa || return
    same_query h.target.fa h.query.fa out.vcf.gz || fail 'haplotypes: another query'
    beyond=$(awk -v a="$(report total)" -v b="$(report library)" -v c="$(report read)" \
        'BEGIN { print a - b - c }')
    row 'haplotypes, VCF' 250000000 "$beyond" 10 'bcftools consensus' 'align -o out.vcf.gz'
    rm -f h.*
}

# The look is promised to take a twentieth of the run, or 0.3 s where that is more.
look()
{
    local pair target query took
    for pair in mt_human,mt_orang c4_chm13,c4_hg002 enm002_human,enm002_chimp \
        caulobacter_CB15,caulobacter_NA1000 yeast_S288C,yeast_sacCer3 CP000051,AE002160; do
        target=$data/${pair%,*}.fa.gz query=$data/${pair#*,}.fa.gz
        timed "$rhomb" distance -v --device "$device" "$target" "$query" || return
        took=$(awk '/sketch: / { n = $(NF - 1); print $NF == "ms" ? n / 1000 : $NF == "us" ? n / 1e6 : n }' "$output.err")
        row "look, ${pair%,*}" "$(bases "$target" | wc -c)" "$took" \
            "$(awk -v s="$seconds" 'BEGIN { print (s > 6 ? s / 20 : 0.3) }')" 'no result' 'distance -v'
    done
}

# planted FILE: target.fa, a yeast, and query.fa, the same with 0.6 % SNPs, five transitions for two
# transversions, an indel each 1,000 bases, and 25 kb of each 700 replaced; into `snps` how many.
planted()
{
    bases "$1" | fold -w 100 | awk 'BEGIN { srand(5); print ">t" >"target.fa"; print ">q" >"query.fa" }
        { print >"target.fa" }
        NR % 7000 >= 3000 && NR % 7000 < 3250 {
            for (line = ""; length(line) < length;) line = line substr("ACGT", 1 + int(4 * rand()), 1)
            print line >"query.fa"
            next
        }
        {
            line = ""
            for (i = 1; i <= length; i++) {
                base = substr($0, i, 1)
                at = index("ACGT", base)
                if (at > 0 && rand() < 0.006) {
                    snps++
                    base = substr(rand() < 5 / 7 ? "GTAC" : rand() < 0.5 ? "CATG" : "TGCA", at, 1)
                }
                if (rand() < 0.0005) base = base substr("ACGT", 1 + int(4 * rand()), 1)
                if (rand() >= 0.0005) line = line base
            }
            print line >"query.fa"
        }
        END { print snps }' >snps
    snps=$(cat snps)
}

# All that `compare` does with target.fa and query.fa is to take at most six times what minimap2's
# alignments do, and on a GPU no longer than those.
compare_files()
{
    local promised wall
    timed minimap2 -t 2 -cx asm5 target.fa query.fa || return
    promised=$(awk -v s="$cpu" 'BEGIN { print 6 * s }') wall=$seconds
    timed bash -c 'rm -rf out && exec "$0" compare -v --device "$1" -o out target.fa query.fa' \
        "$rhomb" "$device" || return
    "$rhomb" verify --quiet out/alignments.paf target.fa query.fa >/dev/null || fail "$1: a wrong path"
    if grep -q ', device \(pthread\|basic\|cpu\)' "$output.err"; then
        row "compare, $1, CPU" "$(bases target.fa | wc -c)" "$cpu" "$promised" \
            'rhomb verify' 'compare -o out; promised: 6 times minimap2 -t 2 -cx asm5'
    else
        row "compare, $1" "$(bases target.fa | wc -c)" "$seconds" "$wall" \
            'rhomb verify' 'compare -o out; promised: minimap2 -t 2 -cx asm5'
    fi
}

compare()
{
    local pair
    for pair in saureus_COL,saureus_USA300 caulobacter_CB15,caulobacter_NA1000 yeast_sacCer3,yeast_S288C; do
        gzip -dc "$data/${pair%,*}.fa.gz" >target.fa && gzip -dc "$data/${pair#*,}.fa.gz" >query.fa
        compare_files "${pair%,*}" || return
    done
    planted "$data/yeast_S288C.fa.gz"
    compare_files 'yeast_S288C, planted' || return
    cp out/report.json . && awk -v planted="$snps" -v found="$(report snps)" -v ts="$(report transitions)" \
        'BEGIN { exit !(found > 0.99 * planted && found < 1.01 * planted && ts / (found - ts) > 2.3) }' ||
        fail "planted: $(report snps) SNPs for $snps, $(report transitions) transitions"
}

# A matrix of two records takes what `distance` takes for them, by the same guide.
matrix()
{
    local pair target query alone distance
    for pair in CP000051,AE002160 caulobacter_CB15,caulobacter_NA1000; do
        target=$data/${pair%,*}.fa.gz query=$data/${pair#*,}.fa.gz
        timed "$rhomb" distance -v --device "$device" "$target" "$query" || return
        alone=$cpu distance=$(tail -n 1 "$output" | cut -f 5)
        timed "$rhomb" matrix -v --device "$device" "$target" "$query" || return
        [ "$(tail -n 1 "$output" | cut -f 2)" = "$distance" ] || fail "matrix, $pair: not $distance"
        row "matrix, ${pair%,*}" "$(bases "$target" | wc -c)" "$cpu" \
            "$(awk -v s="$alone" 'BEGIN { print 1.2 * s }')" 'rhomb distance' \
            'matrix; CPU seconds; promised: 1.2 times distance'
    done
}

for case in "$@"; do
    case $case in
    yeasts | circles | haplotypes | look | compare | matrix) "$case" || failed=yes ;;
    *) echo "$usage" >&2 && exit 2 ;;
    esac
done
[ -z "$failed" ]
