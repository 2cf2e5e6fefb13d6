#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_vcf_tools.sh TEST_VCF_PAIRS [PAIRS]: bcftools takes what Rhomb writes of 100 random pairs, or so many, as
# targets of one file. `consensus` makes the queries of the targets, case aside, also of a record for each
# difference; `norm` finds nothing
# to change, but refuses IUPAC codes other than N, so that records with them are left out there.
set -u -o pipefail

command -v bcftools samtools bgzip >/dev/null || exit 77
. "$(dirname "$0")/script.sh"
"$1" "$work" "${2:-100}" || exit $?
cd "$work" || exit 1

# sequences FILE: one line a record, of the name and the bases in upper case.
sequences()
{
    awk '/^>/ { if (n++) print ""; printf "%s\t", substr($1, 2); next } { printf "%s", toupper($0) }
         END { print "" }' "$1"
}

samtools faidx t.fa || fail 'no index'
for name in t a; do
    bgzip -k $name.vcf && bcftools index $name.vcf.gz || fail 'no index'
    bcftools consensus -s q -H 1 -f t.fa $name.vcf.gz >made.fa 2>messages ||
        fail "bcftools consensus: $name.vcf: $(cat messages)"
    diff <(sequences q.fa) <(sequences made.fa) >differences ||
        fail "bcftools consensus makes other queries of $name.vcf: $(cut -c 1-200 differences | head -n 5)"
done

grep '^#' t.vcf >plain.vcf
grep -v '^#' t.vcf | awk -F '\t' '$4 $5 !~ /[^ACGTN]/' >>plain.vcf
bcftools norm --no-version --check-ref e -f t.fa plain.vcf >norm.vcf 2>messages ||
    fail "bcftools norm: $(cat messages)"
diff <(grep -v '^#' plain.vcf) <(grep -v '^#' norm.vcf) >differences ||
    fail "bcftools norm changes records: $(cut -c 1-200 differences | head -n 5)"
[ "$(grep -vc '^#' norm.vcf)" -gt 1000 ] || fail 'hardly any records'
