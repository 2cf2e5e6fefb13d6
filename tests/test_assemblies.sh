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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
    echo "test_assemblies: $*" >&2
    exit 1
}

# bases FILE: those of all records, in one line.
bases() { zcat -f "$1" | grep -v '^>' | tr -d '\n' | tr acgtn ACGTN; }
reversed() { rev | tr ACGT TGCA; }
# part FILE BEGIN END: a range of a file that is one line, 0-based.
part() { head -c "$3" "$1" | tail -c $(($3 - $2)); }

# rearrange NAME: 120 kb inverted, 100 kb moved, another start.
rearrange()
{
    local n a b c
    n=$(stat -c %s "$1.txt")
    a=$((n / 8)) b=$((n / 2)) c=$((n * 4 / 5))
    {
        part "$1.txt" 0 $a
        part "$1.txt" $a $((a + 120000)) | reversed
        part "$1.txt" $((a + 120000)) $b
        part "$1.txt" $((b + 100000)) $c
        part "$1.txt" $b $((b + 100000))
        part "$1.txt" $c "$n"
    } >"$1.moved"
    { echo '>target' && cat "$1.txt" && echo; } >"$1.target.fa"
    { echo '>query' && part "$1.moved" $((n / 3)) "$n" && part "$1.moved" 0 $((n / 3)) && echo; } >"$1.query.fa"
}

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
awk 'BEGIN { srand(7); for (i = 0; i < 4000000; i++) printf "%s", substr("ATGC", rand() < 0.73 ? 1 + int(2 * rand()) : 3 + int(2 * rand()), 1) }' >low.txt
rearrange low
check_blocks low

# The same chromosomes of both, as an alignment has them.
first='220325 813171 341554 1546391 604732 270417 1091198 581389 439977 751673 666850 1075713 930344 777615 1091587 954213'
second='230218 813184 316620 1531933 576874 270161 1090940 562643 439888 745751 666816 1078177 924431 784333 1091291 948066'
bases "$data/yeast_S288C.fa.gz" >first.txt
bases "$data/yeast_sacCer3.fa.gz" >second.txt
at=0 number=0
for length in $first; do
    number=$((number + 1))
    echo ">chr$number" && part first.txt $at $((at + length)) && echo
    at=$((at + length))
done >target.fa
at=0 number=0
for length in $second; do
    number=$((number + 1))
    { echo ">q$number" && part second.txt $at $((at + length)) | if [ $((number % 3)) = 0 ]; then reversed; else cat; fi && echo; } \
        >"q$(((number * 7) % 17)).record"
    at=$((at + length))
done
cat q*.record >query.fa
begin=$SECONDS
"$rhomb" align --match best -o out.paf target.fa query.fa
echo "yeasts: $((SECONDS - begin)) s"
"$rhomb" verify out.paf target.fa query.fa
awk '{ t = $6; q = $1; sub("chr", "", t); sub("q", "", q); if (t == q && ($5 == "-") == (q % 3 == 0)) good++ }
    END { print good " of 16 pairs"; exit good != 16 }' out.paf || fail 'not all chromosomes have found theirs'
