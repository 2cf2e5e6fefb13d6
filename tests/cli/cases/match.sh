# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Files of many records: how they find partners, what is left, and what is wrong with it.
make_sequences 'BEGIN {
    a = bases(2500); b = bases(2000); c = bases(3000); d = bases(1500)
    print ">chrA\n" a "\n>chrB\n" b "\n>chrC\n" c "\n>chrD\n" d "\n>alone\n" bases(1200) >"target.fa"
    other = substr(c, 1, 699) "GG" substr(c, 702)
    print ">chrC\n" tolower(reversed(other)) "\n>chrX\n" bases(1000) "\n>chrA\n" substr(a, 1, 2000) >"query.fa"
    print ">chrD\n" substr(d, 601) substr(d, 1, 600) "\n>empty\n\n>chrB\n" b >"query.fa"
    print ">same\n" b "\n>same\n" c >"twice.fa"
    print ">first\n" a "\n>second\n" a "\n>third\n" bases(900) >"double.fa"
    print ">one\n" a >"one.fa"
    print ">c1\n" substr(c, 1501) "\n>c2\n" reversed(substr(a, 1201)) "\n>c3\n" substr(a, 1, 1150) >"contigs.fa"
    print ">c4\n" substr(c, 1, 1490) "\n>c5\n" bases(700) >"contigs.fa"
    print ">chrA\n" substr(a, 1, 999) "NN" substr(a, 1002) >"letters.fa"
    print ">ACGT\n<ACGA" >"pair.seq"
    print ">chrA\n" a "J\n>chrB\n" b >"letter.fa"
}'
try rhomb distance target.fa query.fa
for mode in names order best; do
    try rhomb distance --match $mode target.fa query.fa
done
try rhomb distance --quiet --match names --strand auto --rotate auto target.fa query.fa
sed '2s/^./N/' one.fa >near.fa
for query in one near double target; do
    try rhomb distance --match best double.fa $query.fa
done
printf '# a list\nchrA chrA\nchrC\tchrC\t-\n\nchrC chrX\n' >list
try rhomb distance --match list --score wfa --no-header target.fa query.fa
# Each pair has its own seconds: chrB, which has no edits, follows chrA.
rhomb distance --quiet --no-header --match names target.fa query.fa |
    awk -F '\t' '$3 == "chrA" { first = $NF } $3 == "chrB" { print $NF < first ? "its own" : "not its own: " $0 }'
rhomb distance --quiet --json --match best target.fa query.fa >out.json && as_json out.json
sed -n '/"pairs"/,$p' out.json
try rhomb align --match best -o out.paf --unaligned rest.bed target.fa query.fa
cut -f 1-13 out.paf
cat rest.bed
try rhomb verify --whole out.paf target.fa query.fa
rhomb align --quiet --match names --strand auto --rotate auto --format sam target.fa query.fa | cut -c 1-60
try rhomb align --quiet --match best --blocks -o out.paf --unaligned rest.bed target.fa query.fa
cut -f 1-13 out.paf
cat rest.bed
try rhomb verify out.paf target.fa query.fa
# Contigs: blocks of several queries in one target.
try rhomb align --match best --blocks --unaligned rest.bed -o out.paf target.fa contigs.fa
cut -f 1-13 out.paf
cat rest.bed
rhomb align --quiet --match best -o three.paf --jobs 3 target.fa query.fa
rhomb align --quiet --match best -o one.paf target.fa query.fa
cmp one.paf three.paf && echo same
# Pairs are looked at by one thread or several. With -v lines say where the time went.
for threads in 1 4; do
    rhomb align -v --match best -t $threads -o threads.paf target.fa query.fa 2>&1 |
        grep -cE ': (files read after|[0-9]+ pairs, 1 at a time: |the pairs, together: )'
    cmp one.paf threads.paf && echo same
done
cat query.fa | rhomb align --quiet --match best -o pipe.paf target.fa -
cmp one.paf pipe.paf && echo same
# With indexes the bases are read when they are needed.
if command -v samtools >/dev/null; then samtools faidx target.fa && samtools faidx query.fa; fi
rhomb align --quiet --match best -o indexed.paf target.fa query.fa
cmp one.paf indexed.paf && echo same
# A limit that is exceeded, and by blocks.
try rhomb align --match order -K 0 -o none.paf one.fa query.fa
try rhomb align --match order --blocks -K 0 -o none.paf one.fa letters.fa
try rhomb align --match names --rotate 1 -K 0 -o none.paf one.fa one.fa
# Plans: which pairs, or blocks, where the figures are the device's. No kernel is built.
planned() {
    echo "\$ rhomb $*"
    RHOMB_CACHE_DIR=$PWD/kernels rhomb "$@" 2>messages >plan
    echo "=> $?"
    mask_messages <messages
    cut -f 1-10,12 plan | sed 's/: about .*, at worst .*/: TIME/; s/: device memory .*/: MEMORY/'
    awk -F '\t' '/^[^#]/ && !($13 >= 0 && $13 <= $14 && $15 >= 0 && $11 ~ /^[a-z]+$/) { print "wrong: " $0 }
        /^[^#]/ { sum += $13; worst += $14 } END { print sum <= worst ? "a sum" : "no sum" }' plan
    ls kernels 2>/dev/null
}
planned distance --match names --dry-run target.fa query.fa
planned distance --match best --part 2/2 --score wfa --dry-run target.fa query.fa
printf 'one chrA\n' >list
planned distance --match list --no-sketch --dry-run one.fa letters.fa
planned align --match best --resume none --dry-run -o none.sam --unaligned none.bed target.fa query.fa
planned align --match best --blocks --dry-run target.fa contigs.fa
rm -f plan messages
# What is wrong.
try rhomb distance --match order pair.seq query.fa
try rhomb distance --match best target.fa twice.fa
try rhomb distance --match nothing target.fa query.fa
printf 'chrA chrZ\n' >list
try rhomb distance --match list target.fa query.fa
printf 'chrA\n' >list
try rhomb distance --match list target.fa query.fa
printf 'chrA chrA x\n' >list
try rhomb distance --match list target.fa query.fa
printf 'chrA chrA\nchrA chrA\n' >list
try rhomb distance --match list target.fa query.fa
try rhomb distance --match names target.fa letter.fa
try rhomb distance --match names --rotate 2200 target.fa query.fa
try rhomb distance --match names one.fa query.fa
try rhomb distance --match order /dev/null query.fa
rm -f ./*.fai
ls
