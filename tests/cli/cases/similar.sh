# SPDX-License-Identifier: MIT
# needs: device
# needs: command bcftools
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
