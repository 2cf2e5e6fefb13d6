# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Rearranged genomes: blocks in every format, and what is in none of them.
make_sequences 'BEGIN {
    a = bases(2000); b = bases(1500); c = bases(1800); d = bases(1200); e = bases(900)
    write("target", a b c d e)
    write("query", substr(a, 1, 999) "TT" substr(a, 1002) reversed(b) d bases(300) substr(c, 1, 900) "N" substr(c, 902))
    write("same", a b c d e)
    write("other", bases(4000))
    write("short", substr(a, 1, 300))
    print ">empty" >"empty.fa"
    print ">runs\n" a "NNNNNNNNNNNNNNNNNNNNNNNN" tolower(reversed(b)) c >"runs.fa"
}'
try rhomb align -o all.paf target.fa query.fa
try rhomb align --blocks -o blocks.paf --unaligned rest.bed target.fa query.fa
cat blocks.paf rest.bed
try rhomb verify blocks.paf target.fa query.fa
try rhomb align --quiet --blocks --format tsv target.fa query.fa
try rhomb align --quiet --blocks --score wfa --chunk 500 --cs -o blocks.paf.gz target.fa query.fa
try rhomb verify blocks.paf.gz target.fa query.fa
rhomb align --quiet --blocks --format sam target.fa query.fa | cut -c 1-80
rhomb align --quiet --blocks -o blocks.json target.fa query.fa && as_json blocks.json
sed -n '/"alignments"/,$p' blocks.json | sed 's/"operations".*/.../; /^\[/d'
rhomb align --quiet --blocks -r target:1001-7400 -q query:501-5000 target.fa query.fa >part.paf
cut -f 1-11 part.paf
try rhomb verify part.paf target.fa query.fa
try rhomb align --blocks target.fa same.fa
try rhomb align --blocks -K 0 -o limited.paf target.fa query.fa
cut -f 1-11 limited.paf
try rhomb align --blocks target.fa runs.fa
# A bad letter of a block: the bases from which it is counted, and the file.
sed 's/^[ACGT]/J/' query.fa | try rhomb align --blocks target.fa -
sed 's/^\([ACGT]*\)N/\1J/' query.fa >letter.fa
try rhomb align --blocks target.fa -q query:11-6800 letter.fa
# Nothing in common, or nothing at all.
try rhomb align --blocks target.fa other.fa
try rhomb align --blocks target.fa short.fa
try rhomb align --quiet --blocks --format sam --unaligned rest.bed target.fa short.fa
cat rest.bed
try rhomb align --quiet --blocks target.fa empty.fa
try rhomb align --quiet --blocks empty.fa target.fa
# The plan: which blocks there are; the figures are the device's.
for query in query.fa other.fa; do
    try rhomb align --blocks --dry-run target.fa $query | grep -v '^# kernels' | cut -f 1-10,12 |
        sed 's/: about .*, at worst .*/: TIME/; s/: device memory .*/: MEMORY/'
done
try rhomb align --blocks --unaligned query.fa target.fa query.fa
ls

apart
# --match best --blocks: several targets for a query, where they share substantial blocks; and without
# --blocks, to whom the best partner of a record belongs.
make_sequences 'BEGIN {
    a = bases(4000); b = bases(5000); c = bases(3000); repeat = bases(300)
    c = substr(c, 1, 1000) repeat substr(c, 1301)
    print ">A\n" a "\n>B\n" b "\n>C\n" c >"target.fa"
    print ">AB\n" a b "\n>C\n" c >"fused.fa"
    print ">qAB\n" substr(a, 1, 999) substr(a, 1001, 500) substr(b, 2001) "\n>qC\n" c >"reciprocal.fa"
    print ">qBA\n" substr(b, 1, 2000) reversed(substr(a, 1501)) >"reciprocal.fa"
    # The repeat of C is in A instead, and a piece of B in C.
    print ">qA\n" substr(a, 1, 2000) repeat substr(a, 2001) "\n>qB\n" substr(b, 1, 2000) substr(b, 3001) >"moved.fa"
    print ">qC\n" substr(c, 1, 1000) substr(c, 1301, 700) substr(b, 2001, 1000) substr(c, 2001) >"moved.fa"
    print ">left\n" substr(a, 1, 1800) substr(b, 1, 100) "\n>right\n" substr(a, 1901) "\n>AC\n" substr(a, 1, 500) c >"parts.fa"
    x = bases(1500); y = bases(700); twice = bases(600); z = bases(700)
    print ">D\n" x y twice z "\n>E\n" bases(500) twice >"repeats.fa"
    print ">x\n" x "\n>yz\n" y twice z >"contigs.fa"
}'
for name in fused reciprocal moved; do
    try rhomb align --match best --blocks -o out.paf --unaligned rest.bed target.fa $name.fa
    cut -f 1-13 out.paf
    cat rest.bed
    try rhomb verify out.paf target.fa $name.fa
done
# Of a query's records one is the primary one, which of several runs is the first.
rhomb align --quiet --match best --blocks --format sam target.fa reciprocal.fa | grep -v '^@' | cut -f 1-6
rhomb align --quiet --match best --blocks --format tsv target.fa reciprocal.fa
rhomb align --quiet --match best --blocks --format json target.fa reciprocal.fa >out.json && as_json out.json
sed -n '/"unaligned"/,$p' out.json
# VCF has the records of a target in order, whichever query they are of: here the second one is first.
make_sequences 'BEGIN {
    a = bases(4000)
    print ">A\n" a >"one.fa"
    print ">right\n" substr(a, 1801, 100) substr(a, 1904, 597) "TTT" substr(a, 2501) >"two.fa"
    print ">left\n" substr(a, 1, 1200) "T" substr(a, 1201, 700) substr(a, 1903, 98) >"two.fa"
}'
# They overlap as it is asked for; best gives what both have to one of them.
printf 'A\tleft\nA\tright\n' >both.txt
try rhomb align --match both.txt --blocks -o two.vcf.gz one.fa two.fa
zcat two.vcf.gz | grep -v '^##[^r]'
ls two.vcf*
# What lies within another one ends nothing.
awk 'NR == 2 { print ">outer\n" substr($0, 1, 3000) "\n>inner\n" substr($0, 1001, 1000) }' one.fa >nested.fa
printf 'A\touter\nA\tinner\n' >nested.txt
rhomb align --quiet --match nested.txt --blocks --unaligned nested.bed one.fa nested.fa | cut -f 1-9
cat nested.bed
rhomb align --quiet --match best --blocks one.fa two.fa | cut -f 1-12
try rhomb align --quiet --match best --blocks --format vcf target.fa reciprocal.fa | grep -v '^##[^r]'
# What is left out of a query is known after its last target: also by another run, and by a part.
awk '/^>/ { name = $0; next } { print name "\n" "ACGTTGCATT" $0 "TTGACCATGA" }' reciprocal.fa >longer.fa
printf '>q\n%0400d\n' 0 | tr 0 A >>longer.fa
export RHOMB_CACHE_DIR=$PWD/cache
align() {
    rhomb align --quiet --match best --blocks --unaligned "$1.bed" "${@:2}" target.fa longer.fa
}
# Symbolic ones end where END says. A run that was stopped goes on with its counts.
make_sequences 'BEGIN {
    a = bases(4000); b = bases(3000)
    for (i = 1; i < 100; i++)
        other = other substr(b, 30 * i - 29, 30) "T"
    print ">A\n" a "\n>B\n" b >"long.fa"
    print ">left\n" substr(a, 1, 1799) substr(a, 1860, 140) "\n>right\n" substr(a, 1801, 39) substr(a, 1900) >"short.fa"
    print ">other\n" other substr(b, 2971) >"short.fa"
}'
printf 'A\tleft\nA\tright\nB\tother\n' >three.txt
symbolic() {
    rhomb align --match three.txt --blocks --max-allele 40 "$@" long.fa short.fa 2>&1 | grep -e overlap -e symbolic
}
# Compilers write longer files than are allowed below. Kernels are compiled at the first use, stored at the
# second, and unpacked by PoCL when they are first loaded.
for _ in 1 2; do
    symbolic -o whole.vcf >first.log
done
symbolic -o whole.vcf
grep '<' whole.vcf | grep -v '^#' | cut -f 1-5,8
(ulimit -f 6 && symbolic --resume kept -o short.vcf)
symbolic --resume kept -o short.vcf
cmp <(grep -v '^##' short.vcf) <(grep -v '^##' whole.vcf) && echo same
for format in paf sam; do
    align whole --format $format >whole
    align out --resume kept -o out.$format
    cmp <(sed '/^@PG/d' out.$format) <(sed '/^@PG/d' whole) && cmp out.bed whole.bed && echo same
done
(ulimit -f 6 && align out --resume kept -o out.sam) 2>&1 | sed 's/^rhomb: //'
align out --resume kept -o out.sam
cmp <(sed '/^@PG/d' out.sam) <(sed '/^@PG/d' whole) && cmp out.bed whole.bed && echo same
cat out.bed
align whole >whole
for n in 2 3; do
    for ((k = 1; k <= n; k++)); do
        align "part.$k" --part "$k/$n" >"part.$k"
    done
    cat $(seq -f 'part.%g' "$n") | cmp - whole && cat $(seq -f 'part.%g.bed' "$n") | cmp - whole.bed && echo "parts: $n"
    wc -l $(seq -f 'part.%g' "$n")
done
# One partner each: who has the others' best one. That left has a bit of B is not enough.
try rhomb align --match best -o out.paf target.fa fused.fa
try rhomb align --match best -o out.paf target.fa reciprocal.fa
try rhomb align --match best -o out.paf target.fa parts.fa
cut -f 1-10 out.paf
try rhomb distance --match best target.fa parts.fa
# By bases: contig x has more minimizers that are unique than yz, which has more bases in common.
try rhomb distance --match best repeats.fa contigs.fa
