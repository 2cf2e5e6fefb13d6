# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Queries on the other strand, and circles that were cut elsewhere: every output says so, and verify and
# plot follow.
awk 'function write(name, sequence) { print ">" name "\n" sequence >(name ".fa") }
function reversed(sequence,    i, other) {
    for (i = length(sequence); i > 0; i--)
        other = other substr("TGCA", index("ACGT", substr(sequence, i, 1)), 1)
    return other
}
BEGIN {
    random = 1
    for (i = 0; i < 3000; i++) {
        random = (random * 16807) % 2147483647
        text = text substr("ACGT", 1 + int(random / 1000) % 4, 1)
    }
    changed = substr(text, 1, 499) "TT" substr(text, 502, 1000) substr(text, 1512) "ACGT"
    write("circle", text)
    write("reverse", reversed(changed))
    write("rotated", substr(changed, 1001) substr(changed, 1, 1000))
    write("both", reversed(substr(changed, 1001) substr(changed, 1, 1000)))
    write("short", substr(text, 1, 60))
    print ">codes\nACGTRYKMBVDHSWNUacgtn" >"codes.fa"
    print ">back\nnacgtANWSDHBVKMRYACGT" >"back.fa"
}'
for query in reverse rotated both circle; do
    try rhomb distance --strand auto --rotate auto circle.fa $query.fa
done
try rhomb distance --strand - circle.fa reverse.fa
try rhomb distance --strand + circle.fa reverse.fa
try rhomb distance --strand - circle.fa circle.fa
try rhomb distance --rotate auto circle.fa both.fa
try rhomb distance --strand - --rotate 1000 --no-header circle.fa both.fa
try rhomb distance --strand - --no-header codes.fa back.fa
rhomb distance --json --strand auto --rotate auto --quiet circle.fa both.fa | grep -E '"(strand|rotation|distance)"'
for query in reverse rotated both; do
    for format in paf sam tsv; do
        try rhomb align --quiet --strand auto --rotate auto --format $format -o $query.$format circle.fa $query.fa
    done
    cut -f 1-12 $query.paf
    try rhomb verify --whole $query.paf circle.fa $query.fa
    grep -v ^@ $query.sam | cut -f 2-6
    cat $query.tsv
    try rhomb align --quiet --strand auto --rotate auto --chunk 700 --cs -o $query.paf circle.fa $query.fa
    try rhomb verify --whole $query.paf circle.fa $query.fa
done
# A region of the query; regions keep the positions of their records.
try rhomb align --quiet --strand - -q reverse:1001-2500 -r circle:494-2000 -o part.paf circle.fa reverse.fa
cut -f 1-12 part.paf
try rhomb verify part.paf circle.fa reverse.fa
# What is wrong.
try rhomb distance --rotate 3K circle.fa reverse.fa
try rhomb distance --strand auto --rotate 3K circle.fa reverse.fa
try rhomb distance --rotate 1 circle.fa /dev/null
try rhomb distance --strand auto short.fa short.fa
# A rotation that is not one: bases are missing where the strand begins again.
awk -F '\t' -v OFS='\t' 'NR == 2 { $3 = 3; $12 = 254 } { print }' rotated.paf >missing.paf
try rhomb verify --whole missing.paf circle.fa rotated.fa
head -n 1 rotated.paf >half.paf
try rhomb verify --whole half.paf circle.fa rotated.fa
