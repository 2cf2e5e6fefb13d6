#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_vcf_tools.sh RHOMB [PAIRS]: bcftools takes what Rhomb writes of 100 random pairs, or so many, as targets of one
# file, with unit costs and affine gaps, which may have an insertion that touches a deletion. `consensus` makes the
# queries of the targets, case aside, also of a record for each difference; `norm` finds nothing to change, but refuses
# IUPAC codes other than N, so that records with them are left out there.
set -u -o pipefail

command -v bcftools samtools bgzip >/dev/null || exit 77
rhomb=$(realpath "$1")
"$rhomb" devices >/dev/null 2>&1
[ $? -ne 4 ] || exit 77
. "$(dirname "$0")/script.sh"
cd "$work" || exit 1

# Of 20 to 5,000 bases, as many in each octave: random edits, repeats of which one has more, long gaps, parts, unlike
# sequences; every third pair with N, or with all codes, or in lower case.
awk -v pairs="${2:-100}" 'function below(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
function letters(n, of,   text) { for (; n > 0; n--) text = text substr(of, 1 + below(length(of)), 1); return text }
function repeats(n, unit,   text) { for (; n > 0; n--) text = text unit; return text }
function edited(text, rate, of,   i, made, kind) {
    for (i = 1; i <= length(text); i++) {
        kind = below(1000) < rate ? below(3) : 3
        made = made (kind == 0 ? letters(1, of) : kind == 1 ? "" : substr(text, i, 1) (kind == 2 ? letters(1, of) : ""))
    }
    return made
}
BEGIN {
    state = 1
    for (i = 0; i < pairs; i++) {
        of = i % 9 == 2 ? "ACGTN" : i % 3 == 1 ? "ACGTNRYSWKMBDHV" : "ACGT"
        n = 20 * 2 ^ below(8); n += below(n)
        t = letters(n, of); q = edited(t, 10 * below(30), of); at = below(length(q))
        if (i % 5 == 1) {
            unit = letters(1 + below(5), of)
            t = t repeats(30, unit) letters(20, of)
            q = substr(t, 1, n) repeats(20 + below(20), unit) substr(t, n + 30 * length(unit) + 1)
        }
        if (i % 5 == 2) q = substr(q, 1, at) letters(1 + n / 4, of) substr(q, at + 1)
        if (i % 5 == 3) q = substr(q, 1, at) substr(q, at + 1 + n / 8) "A"
        if (i % 10 == 4) q = letters(1 + n / 2, of)
        print ">t" i "\n" (i % 9 == 8 ? tolower(t) : t) >"t.fa"
        print ">t" i "\n" q >"q.fa"
    }
}'

# sequences FILE: one line a record, of the name and the bases in upper case.
sequences()
{
    awk '/^>/ { if (n++) print ""; printf "%s\t", substr($1, 2); next } { printf "%s", toupper($0) }
         END { print "" }' "$1"
}

for options in '--score edit' '--score wfa' '--score edit --atomize' '--score wfa --atomize'; do
    # shellcheck disable=SC2086 # options
    "$rhomb" align --quiet --match names $options t.fa q.fa -o t.vcf.gz || fail "rhomb align $options"
    bcftools consensus -f t.fa t.vcf.gz >made.fa 2>messages || fail "bcftools consensus: $options: $(cat messages)"
    diff <(sequences q.fa) <(sequences made.fa) >differences ||
        fail "bcftools consensus makes other queries of $options: $(cut -c 1-200 differences | head -n 5)"
    [[ $options != *atomize ]] || continue
    bcftools view --no-version t.vcf.gz | awk -F '\t' '/^#/ || $4 $5 !~ /[^ACGTN]/' >plain.vcf
    bcftools norm --no-version --check-ref e -f t.fa plain.vcf >norm.vcf 2>messages ||
        fail "bcftools norm: $options: $(cat messages)"
    diff <(grep -v '^#' plain.vcf) <(grep -v '^#' norm.vcf) >differences ||
        fail "bcftools norm changes records of $options: $(cut -c 1-200 differences | head -n 5)"
    [ "$(grep -vc '^#' norm.vcf)" -gt 1000 ] || fail 'hardly any records'
done
