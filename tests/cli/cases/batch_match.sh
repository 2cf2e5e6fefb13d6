# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Batches of two files whose records are in other orders, on other strands, or in one file only.
make_sequences 'BEGIN {
    a = bases(1500); b = bases(1200); c = bases(1300)
    print ">a\n" a "\n>b\n" b "\n>c\n" c "\n>alone\n" bases(400) >"target.fa"
    print ">c\n" reversed(substr(c, 1, 699) "GG" substr(c, 702)) "\n>x\n" bases(1000) "\n>empty\n" >"query.fa"
    print ">a\n" substr(a, 1, 740) substr(a, 744) "\n>b\n" b >"query.fa"
    # The places on the other strand: 20 bases before, 50 after what is alike.
    print ">c\n" bases(20) reversed(substr(c, 101, 200)) bases(50) >"part.fa"
    print ">b\nACGTJ\n>a\n" a >"letter.fa"
}'
for mode in names order best; do
    try rhomb batch --match $mode target.fa query.fa
done
try rhomb batch target.fa query.fa
printf '# a list\nc c -\n\na a\na x +\n' >list
try rhomb batch --match list --keep-going --no-header target.fa query.fa
try rhomb batch --quiet --match best --format json --cigar target.fa query.fa
try rhomb batch --quiet --match best --cigar -o out.paf target.fa query.fa
cat out.paf
try rhomb verify out.paf target.fa query.fa

# Places are those of the record, whichever strand is aligned.
printf 'c c -\n' >list
for format in tsv json paf; do
    try rhomb batch --quiet --match list --mode local --score match:2,4,4,2 --cigar -o part.$format target.fa part.fa
    cat part.$format
done
try rhomb verify part.paf target.fa part.fa
try rhomb batch --quiet --no-header --match list --mode local --score match:2,4,4,2 --ends-only target.fa part.fa
try rhomb batch --quiet --no-header --match list --mode extend --score match:2,4,4,2 target.fa query.fa

# The same with an index, from a pipe, and with one thread.
rhomb batch --quiet --match best target.fa query.fa >expected
cat query.fa | rhomb batch --quiet --match best target.fa - | cmp - expected
rhomb batch --quiet -t 1 --match best target.fa query.fa | cmp - expected
# Records of 64 kb and more are read again.
awk 'BEGIN { for (i = 0; i < 70000; i++) {
        random = (random * 16807 + 7) % 2147483647
        base = 1 + int(random / 1000) % 4
        text = text substr("ACGT", base, 1)
        other = substr("TGCA", base, 1) other
    }
    print ">long\n" text >"long.fa"
    print ">reversed\n" substr(other, 1, 30000) substr(other, 30002) >"reversed.fa" }'
cat target.fa >>long.fa
cat query.fa >>reversed.fa
rhomb batch --quiet --match best long.fa reversed.fa >expected
head -n 2 expected
if command -v samtools >/dev/null; then samtools faidx long.fa && samtools faidx reversed.fa; fi
rhomb batch --quiet --match best long.fa reversed.fa | cmp - expected
rhomb distance --quiet --match best long.fa reversed.fa | sed -n 2p | cut -f 1-7
# More pairs than a chunk has, in another order.
awk 'BEGIN { for (i = 1; i <= 9000; i++) print ">r" i "\nACGT" >"many.fa"
    for (i = 9000; i > 0; i--) print ">r" i "\nACGT" (i % 2 ? "" : "A") >"turned.fa" }'
rhomb batch --quiet --match names many.fa turned.fa | awk '!/^#/ { n++; good += $1 == $3 && $1 == "r" n && $5 == (n % 2 ? 0 : 1) && $7 == "+" }
    END { print n, good }'

# What is wrong.
try rhomb batch --match nothing target.fa query.fa
try rhomb batch --match names target.fa missing.fa
try rhomb batch --match names many.fa query.fa
try rhomb batch --match names target.fa letter.fa
try rhomb batch --match names --keep-going target.fa letter.fa
# What was kept of a run that was stopped counts, also pairs without a result.
export RHOMB_CACHE_DIR=$PWD/cache
sed '2s/^/J/' many.fa >bad.fa
arguments='--quiet --match names --keep-going --tune job-bases=4096'
# shellcheck disable=SC2086 # options
{
    for _ in 1 2 3; do # compilers write longer files
        rhomb batch $arguments bad.fa turned.fa >expected 2>/dev/null
    done
    (ulimit -f 100 && try rhomb batch $arguments --resume kept -o out.tsv bad.fa turned.fa)
    grep -qa pairs kept && echo kept
    try rhomb batch $arguments --resume kept bad.fa turned.fa --format json
    try rhomb batch $arguments --resume kept -o out.tsv bad.fa turned.fa
}
cmp expected out.tsv
rm -rf cache ./*.fai
ls
