# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command bcftools
# Long insertions and deletions are in the report's table by length whatever the costs are, which leave them in pieces
# or not, and wherever records end.
make_sequences 'BEGIN {
    a = bases(30000); b = bases(30000); c = bases(30000); d = bases(110000); e = bases(30000); f = bases(30000)
    print ">t\n" a b c d e f >"t.fa"
    query = a bases(10000) b bases(15000) c bases(20000) d f
    for (i = 400; i < length(query); i += 400)
        changed = changed substr(query, i - 399, 399) "A"
    print ">q\n" changed substr(query, i - 399) >"q.fa"
    print ">t\n" substr(a, 1, 4000) substr(b, 1, 8000) substr(e, 1, 8000) substr(c, 1, 4000) >"short.t.fa"
    print ">q\n" substr(a, 1, 4000) bases(6000) substr(b, 1, 8000) substr(c, 1, 4000) >"short.q.fa"
}'
indels() {
    rhomb align --quiet "$@" -o out.paf
    echo "$*: $(wc -l <out.paf)"
    rhomb report out.paf "${@: -2}" | grep -e ' 5000 to' -e 'an indel between' -e 'bases of both'
}
for cut in '' '--split-at 1000' --similar-only; do
    for blocks in '' '--match best --blocks'; do
        # shellcheck disable=SC2086
        indels $blocks $cut t.fa q.fa
    done
    for score in wfa asm20; do
        # shellcheck disable=SC2086
        indels --score "$score" $cut short.t.fa short.q.fa
    done
done

apart
# A circle that was cut elsewhere has no relocations, on either strand, whether the records say so
# or not; then an event says where it was cut. What moved from the middle to an end is no circle.
awk 'BEGIN {
    random = 7
    for (i = 0; i < 9000; i++) {
        random = (random * 16807) % 2147483647
        text = text substr("ACGT", 1 + int(random / 1000) % 4, 1)
    }
    print ">t\n" text >"t.fa"
    print ">q\n" substr(text, 4001, 999) "TT" substr(text, 5002) substr(text, 1, 4000) >"q.fa"
}'
{ echo '>q' && sed 1d q.fa | rev | tr ACGT TGCA; } >r.fa
for query in q.fa r.fa; do
    rhomb align --quiet --rotate auto --strand auto t.fa $query >out.paf
    cut -f 1-9 out.paf
    rhomb report out.paf t.fa $query | grep -iE 'reloc|invers|transloc|insertions'
    sed 's/\tro:i:[0-9]*//' out.paf >plain.paf
    rhomb report plain.paf t.fa $query | grep -iE 'reloc'
    rhomb report --format tsv plain.paf t.fa $query
done
{ echo '>q' && sed 1d t.fa | cut -c 3001-6000 && sed 1d t.fa | cut -c 1-3000 && sed 1d t.fa | cut -c 6001-; } >m.fa
rhomb align --quiet --match best --blocks t.fa m.fa >moved.paf
rhomb report --format tsv moved.paf t.fa m.fa

apart
# Similar segments: 4 SNPs and a deletion of 40 bases in 6,000 bases of similar sequence, and 400 random bases in the
# place of 350 others, which makes many more that are dissimilar. Every output has the same.
awk 'BEGIN {
    srand(11)
    split("A C G T", base, " ")
    other["A"] = "G"; other["C"] = "T"; other["G"] = "A"; other["T"] = "C"
    for (i = 1; i <= 6000; i++) target[i] = letter[i] = base[1 + int(4 * rand())]
    for (i = 2001; i <= 2350; i++) letter[i] = ""
    for (i = 1; i <= 400; i++) letter[2001] = letter[2001] base[1 + int(4 * rand())]
    for (i = 1; i <= 4; i++) letter[1300 * i] = other[target[1300 * i]]
    for (i = 4001; i <= 4040; i++) letter[i] = ""
    for (i = 1; i <= 6000; i++) { t = t target[i]; q = q letter[i] }
    print ">t\n" t >"t.fa"
    print ">q\n" q >"q.fa"
}'
rhomb align --quiet -o out.vcf.gz t.fa q.fa
echo "PASS: $(bcftools view -H -f PASS out.vcf.gz | wc -l)"
[ "$(bcftools view -H -f dissimilar out.vcf.gz | wc -l)" -gt 50 ] || echo 'hardly any is dissimilar'
bcftools consensus -f t.fa out.vcf.gz 2>/dev/null | grep -v '>' | tr -d '\n' | cmp - <(grep -v '>' q.fa | tr -d '\n') && echo lossless
rhomb align --quiet -o all.vcf --min-identity 20% t.fa q.fa
grep -c dissimilar all.vcf
grep FILTER= all.vcf

# The report counts the same.
rhomb align --quiet -o out.paf t.fa q.fa
rhomb report --quiet out.paf t.fa q.fa >report.txt
head -n 1 report.txt
grep -E '^(SNPs|indels)' report.txt | awk '{ print $1, $2 + ($1 == "indels" ? $3 : 0) }'
rhomb report --quiet --min-identity 20 out.paf t.fa q.fa | awk '/^SNPs/ { print ($2 > 50 ? "many" : $2) }'

# Records of what is similar alone: they are right, and the report says the same of them.
rhomb align --quiet --similar-only -o similar.paf t.fa q.fa
cut -f 8,9 similar.paf
rhomb verify --quiet similar.paf t.fa q.fa
similar() { rhomb report --quiet --json "$1" t.fa q.fa | sed -n '/"similar":\t{/,/"one_to_one"/p'; }
similar similar.paf | diff - <(similar out.paf) && echo 'the same report'
rhomb align --quiet --similar-only --format chain t.fa q.fa | grep -c chain
rhomb align --quiet --similar-only --format maf t.fa q.fa | grep -c '^a score'
rhomb align --quiet --similar-only --min-identity 20 t.fa q.fa | wc -l
rhomb align --quiet --similar-only --split-at 40 t.fa q.fa | wc -l
printf '>r\nACGGGTCA\n' >r.fa
printf '>s\nTTTTTTAA\n' >s.fa
try rhomb align --quiet --similar-only r.fa s.fa
rhomb align --similar-only r.fa s.fa 2>&1 | grep -v 'no GPU'
