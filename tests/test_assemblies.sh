#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_assemblies.sh RHOMB DATA: what people do with two genomes, on real ones. A circle that was cut
# elsewhere, with an inversion and a moved piece, is warned of, and its blocks have no edits; the same
# with 27 % GC. Two yeasts of 16 chromosomes, shuffled and five of them turned, find their partners,
# and each pair is verified. Prints what it took.
set -eu -o pipefail

rhomb=$(realpath "$1") data=$(realpath -m "${RHOMB_DATA:-$2}")
[ -e "$data/caulobacter_CB15.fa.gz" ] || exit 77
"$rhomb" devices >/dev/null 2>&1 || exit 77
[[ $("$rhomb" --version) != *without*sketches* ]] || exit 77
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/support/genomes.sh"
. "$(dirname "$0")/script.sh"
cd "$work"

# check_blocks NAME
check_blocks()
{
    local begin=$SECONDS
    "$rhomb" distance --max-distance 10 "$1.target.fa" "$1.query.fa" 2>words >/dev/null
    grep -q 'blocks, 1 inverted' words || fail "$1: no word of the inversion: $(cat words)"
    grep -q 'start elsewhere on a circle' words || fail "$1: no word of the start: $(cat words)"
    "$rhomb" align --quiet --blocks --unaligned rest.bed -o out.paf "$1.target.fa" "$1.query.fa"
    "$rhomb" verify out.paf "$1.target.fa" "$1.query.fa"
    [ "$(wc -l <out.paf)" = 7 ] || fail "$1: $(wc -l <out.paf) blocks"
    [ "$(grep -c 'NM:i:0' out.paf)" = 7 ] || fail "$1: blocks with edits"
    [ "$(awk '$5 == "-" && $4 - $3 > 119980' out.paf | wc -l)" = 1 ] || fail "$1: not the inversion"
    awk -v name="$1" '{ left += $3 - $2 } END { print name ": " left + 0 " bases in no block"; exit left > 200 }' rest.bed
    echo "$1: $((SECONDS - begin)) s"
}

bases "$data/caulobacter_CB15.fa.gz" >caulobacter.txt
rearrange caulobacter
check_blocks caulobacter
low_gc 4000000 >low.txt
rearrange low
check_blocks low

make_yeasts "$data"
begin=$SECONDS
"$rhomb" align --match best -o out.paf target.fa query.fa
echo "yeasts: $((SECONDS - begin)) s"
"$rhomb" verify out.paf target.fa query.fa
awk '{ t = $6; q = $1; sub("chr", "", t); sub("q", "", q); if (t == q && ($5 == "-") == (q % 3 == 0)) good++ }
    END { print good " of 16 pairs"; exit good != 16 }' out.paf || fail 'not all chromosomes have found theirs'
