#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_vcf_real.sh RHOMB FOLDER quick|slow: VCF of real pairs, from RHOMB_DATA, or else FOLDER. bcftools
# makes the query of the target and the records, case aside, and finds nothing to normalise, but for
# records with IUPAC codes other than N, which it refuses.
set -u -o pipefail

rhomb=$(realpath "$1") data=$(realpath "${RHOMB_DATA:-$2}") size=$3
[ -d "$data" ] || exit 77
command -v bcftools samtools bgzip >/dev/null || exit 77
"$rhomb" devices >/dev/null 2>&1
[ $? -ne 4 ] || exit 77
. "$(dirname "$0")/script.sh"
cd "$work" || exit 1

# bases FILE: the bases of its only record.
bases()
{
    grep -v '^>' "$1" | tr -d '\n'
}

# one_line NAME: a record as it is, in one line, as an index needs lines of one length.
one_line()
{
    zcat "$data/$1.fa.gz" >record && { head -n 1 record && bases record && echo; }
}

digest()
{
    bases "$1" | tr '[:lower:]' '[:upper:]' | md5sum
}

# round_trip TARGET QUERY OPTION...
round_trip()
{
    local target=$1 query=$2
    shift 2
    one_line "$target" >t.fa
    one_line "$query" >q.fa
    rm -f t.fa.fai
    "$rhomb" align --quiet "$@" -o out.vcf.gz t.fa q.fa ||
        fail "rhomb align $* -o out.vcf.gz $data/$target.fa.gz $data/$query.fa.gz"
    bcftools consensus -f t.fa out.vcf.gz >made.fa 2>messages || fail "consensus: $(cat messages)"
    [ "$(digest made.fa)" = "$(digest q.fa)" ] || fail "$target, $query, $*: another query"
    bcftools view -H out.vcf.gz >records
    { bcftools view -h --no-version out.vcf.gz && awk -F '\t' '$4 $5 !~ /[^ACGTN]/' records; } >plain.vcf
    bcftools norm --no-version --check-ref e -f t.fa plain.vcf 2>messages | grep -v '^#' |
        cmp - <(grep -v '^#' plain.vcf) || fail "$target, $query, $*: norm: $(cat messages)"
    echo "$target and $query $*: $(wc -l <records) records"
}

pairs='caulobacter_CB15 caulobacter_NA1000
enm002_human enm002_chimp
yeast_S288C yeast_sacCer3
CP000051 AE002160
BA000035 BX927147'
[ "$size" != quick ] || pairs='mt_human mt_orang
mt_human mt_chimp
c4_chm13 c4_hg002'
while read -r target query; do
    round_trip "$target" "$query"
    round_trip "$target" "$query" --score wfa
done <<<"$pairs"
