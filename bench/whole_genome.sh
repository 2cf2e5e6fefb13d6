#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# whole_genome.sh PROGRAMS OUT.csv DEVICE[,DEVICE...]: two haplotypes of a whole genome as large as the
# human one, 24 records, 3.1 Gbp, by the program as a user types it: distances, PAF and VCF, by the first
# device and by all of them; then minimap2 with all cores of the same machine, whose answer is a heuristic
# one, for at most LIMIT (300) seconds. PROGRAMS holds rhomb, make_pair and, if they are to run, minimap2
# and bcftools; in PROGRAMS/lib are the shared libraries that the machine lacks.
#
# The PAF is verified by `rhomb verify`, its edits are to be those of the distances and its bytes the
# same by all devices, and bcftools consensus is to make three of the records' queries from the VCF.
# SCALE (1) makes all records smaller; WAYS (distance paf vcf minimap2) leaves some out.
set -u -o pipefail

usage='Usage: whole_genome.sh PROGRAMS OUT.csv DEVICE[,DEVICE...]'
[ $# -eq 3 ] || { echo "$usage" >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
programs=$(realpath "$1") out=$(realpath "$2") devices=$3
rhomb=$programs/rhomb limit=${LIMIT:-300} ways=${WAYS:-distance paf vcf minimap2}
commit=${RHOMB_BENCH_COMMIT:-$(git -C "$here" describe --always --dirty --abbrev=12 --exclude='*')}
PATH=$programs:$PATH
enter_scratch "$programs"

# The lengths of GRCh38's chromosomes 1 to 22, X and Y.
lengths=(248956422 242193529 198295559 190214555 181538259 170805979 159345973 145138636 138394717
    133797422 135086622 133275309 114364328 107043718 101991189 90338345 83257441 80373285 58617616
    64444167 46709983 50818468 156040895 57227415)

# target.fa and query.fa: records chr1 to chr24, each with the same edits a base and 150 long indels.
generate()
{
    local record made
    for record in {1..24}; do
        make_pair --length "$(awk -v n="${lengths[record - 1]}" -v s="${SCALE:-1}" 'BEGIN { printf "%d", n * s }')" \
            --seed "$record" --substitutions 0.001 --indels 0.0002 \
            --long-indels "$(awk -v s="${SCALE:-1}" 'BEGIN { print s < 1 ? 1 : 150 }')" \
            "t$record" "q$record" 2>/dev/null &
    done
    wait
    for record in {1..24}; do
        sed "1s/.*/>chr$record/" "t$record" >>target.fa && sed "1s/.*/>chr$record/" "q$record" >>query.fa
        rm "t$record" "q$record"
    done
    made=$(grep -c '>' target.fa)
    [ "$made" = 24 ] && [ "$(grep -c '>' query.fa)" = 24 ] || { fail "$made records are made, not 24"; exit 1; }
}

# row WAY DEVICES RECORDS SECONDS CPU RESULT VERIFIED_BY COMMAND: devices are a number, 0 for the host's cores.
row()
{
    local memory name
    name=$(sed -n 's/.*, device \(.*\), real .*/\1/p' "$output.err")
    name=$([ "$2" = 0 ] && echo "$(nproc) cores" || echo "$2 x $name")
    memory=$(awk '/peak memory/ { n = $(NF - 1); print $NF == "GiB" ? 1024 * n : n }' "$output.err")
    [ -s "$out" ] || csv date commit machine device way records bases wall_seconds cpu_seconds peak_mib \
        distance verified_by command >"$out"
    csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$(describe_machine)" "$name" "$1" "$3" "$bases" "$4" "$5" \
        "$memory" "$6" "$7" "$8" >>"$out"
    tail -n 1 "$out"
}

# timed SECONDS COMMAND...: into `seconds` and `cpu`.
timed()
{
    local most=$1
    shift
    rm -f log
    time_command log "$most" "$@" || { fail "$*: $(tail -n 3 "$output.err")"; return 1; }
    seconds=$(summary log 1 | cut -d ' ' -f 1) cpu=$(summary log 2 | cut -d ' ' -f 1)
}

# The edits that the rows of PAF have together.
edits() { tr '\t' '\n' <"$1" | awk -F : '$1 == "NM" { n += $3 } END { printf "%.0f", n }'; }

# same_records FILE.vcf.gz: bcftools makes three of the queries from their targets.
same_records()
{
    local record
    bcftools index --force "$1" || return
    for record in chr21 chr22 chr24; do
        cmp <(samtools faidx target.fa "$record" | bcftools consensus "$1" 2>/dev/null | grep -v '^>' | tr -d '\n' | tr '[:lower:]' '[:upper:]') \
            <(samtools faidx query.fa "$record" | grep -v '^>' | tr -d '\n' | tr '[:lower:]' '[:upper:]') || return
    done
}

distance()
{
    timed 600 "$rhomb" distance -v --match names --device "$1" target.fa query.fa || return
    expected=$(awk 'NR > 1 { n += $5 } END { printf "%.0f", n }' "$output")
    row distance "$2" 24 "$seconds" "$cpu" "$expected" '' 'rhomb distance --match names'
}

paf()
{
    local by=''
    timed 600 "$rhomb" align -v --match names --device "$1" -o out.paf target.fa query.fa || return
    if [ -f first.paf ]; then
        cmp first.paf out.paf || fail "$2: other bytes than one device"
        by='the bytes of one device'
    else
        cp "$output.err" paf.err
        "$rhomb" verify --quiet out.paf target.fa query.fa >/dev/null || fail "$2: a wrong path"
        cp paf.err "$output.err" && cp out.paf first.paf
        by='rhomb verify'
    fi
    [ "$(edits out.paf)" = "${expected:-$(edits out.paf)}" ] || fail "$2: $(edits out.paf) edits, not $expected"
    row paf "$2" 24 "$seconds" "$cpu" "$(edits out.paf)" "$by" 'rhomb align --match names -o out.paf'
}

vcf()
{
    local by=''
    timed 600 "$rhomb" align -v --match names --device "$1" -o out.vcf.gz target.fa query.fa || return
    cp "$output.err" vcf.err
    if command -v bcftools >/dev/null && command -v samtools >/dev/null; then
        same_records out.vcf.gz || fail "$2: bcftools makes another query"
        by='bcftools consensus, three records'
    fi
    cp vcf.err "$output.err"
    row vcf "$2" 24 "$seconds" "$cpu" "${expected-}" "$by" 'rhomb align --match names -o out.vcf.gz'
}

# What minimap2 has written when its time is over: it writes a target's rows together.
other()
{
    local begin=$SECONDS records status
    timeout "$limit" minimap2 -t "$(nproc)" -cx asm5 target.fa query.fa >other.paf 2>"$output.err"
    status=$?
    [ $status = 0 ] || [ $status = 124 ] || { fail "minimap2 ends with $status"; return; }
    records=$(cut -f 1 other.paf | sort -u | wc -l)
    row minimap2 0 "$records" $((SECONDS - begin)) '' '' '' \
        "minimap2 -t $(nproc) -cx asm5$([ $status = 0 ] || echo ", stopped after $limit s")"
}

generate
bases=$(grep -v '^>' target.fa | tr -d '\n' | wc -c)
# The first runs on a machine build kernels.
make_pair --length 200000 small.target.fa small.query.fa 2>/dev/null
for device in "${devices%%,*}" "$devices"; do
    "$rhomb" align --quiet --match order --device "$device" -o small.paf small.target.fa small.query.fa || exit 1
    for way in distance paf vcf; do
        [[ " $ways " != *" $way "* ]] || $way "$device" "$(tr , '\n' <<<"$device" | wc -l)"
    done
    [[ $devices == *,* ]] || break
done
[[ " $ways " != *' minimap2 '* ]] || ! command -v minimap2 >/dev/null || other
[ -z "$failed" ]
