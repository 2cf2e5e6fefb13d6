# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# Alignments in every format. The pair has one alignment of its cost, so that all engines write it.
printf '>t some words\nACGTCATGCTTgacctgatgcagtcaNNRGATC\n' >t.fa
printf '>q\nTACGTCTTGCTTGACCTGTGCAGTCACTAAAAGNNRGAT\n' >q.fa
printf '>e\n' >e.fa
for format in paf sam tsv json; do
    rhomb align --quiet --format $format t.fa q.fa >out.$format
    echo "=> $?"
    [ $format = json ] || cat out.$format
done
try rhomb align --no-header --format tsv t.fa q.fa
sed -n -E -e '/"result"/,/}/p' -e '/"(operations|matches|mismatches|inserted|deleted)":.*[0-9]/p' \
    -e '/"operations":.*\[/,$p' out.json
as_json out.json
rhomb align --json --quiet t.fa q.fa | sed -n '/"operations":.*\[/,$p' >by_name
sed -n '/"operations":.*\[/,$p' out.json | cmp - by_name
for engine in wavefront bitparallel; do
    rhomb align --quiet --engine $engine t.fa q.fa | cmp - out.paf
done

# PAF records end at long gaps and after every so many bases of the target.
try rhomb align --quiet --cs t.fa q.fa
try rhomb align --quiet --split-at 2 --cs t.fa q.fa
try rhomb align --quiet --chunk 10 t.fa q.fa
try rhomb align --quiet --split-at 1 --chunk 1K t.fa q.fa

# Regions of records, bytes as symbols, and empty sequences.
try rhomb align --quiet -r t:5-12 -q q:6-13 t.fa q.fa
printf '>text\nhello,world\n' >text.fa
printf '>text\nHello,World!\n' >Text.fa
try rhomb align --alphabet bytes text.fa Text.fa
try rhomb align --alphabet bytes --format tsv text.fa Text.fa
try rhomb align t.fa t.fa
for pair in 't.fa e.fa' 'e.fa t.fa' 'e.fa e.fa'; do
    try rhomb align --quiet $pair
    try rhomb align --quiet --split-at 5 $pair
    try rhomb align --quiet --no-header --format tsv $pair
done

# There is no alignment beyond the limit.
for format in paf sam tsv; do
    try rhomb align --max-distance 3 --format $format t.fa q.fa
done
rhomb align --max-distance 3 --json t.fa q.fa 2>/dev/null >limit.json
as_json limit.json
grep -E '"(distance|alignment|operations)":.*null' limit.json

apart
# Regions keep the names, lengths and positions of their records, with an index and without.
awk 'BEGIN {
    random = 1
    for (i = 0; i < 4000; i++) {
        random = (random * 16807) % 2147483647
        letter = substr("ACGT", 1 + int(random / 1000) % 4, 1)
        target = target letter
        if (i != 1500)
            query = query (i % 400 == 399 ? "acgt" : letter)
    }
    print ">chrT one\n" target "\n>other\nACGT" >"t.fa"
    print ">other\nACGT\n>ctg:Q two\nTT" query >"q.fa"
}'
regions=(-r chrT:1,001-3,000 -q '{ctg:Q}:1009-3,022')
try rhomb align --quiet "${regions[@]}" --cs t.fa q.fa
try rhomb align --quiet "${regions[@]}" --chunk 1000 --split-at 3 t.fa q.fa
try rhomb align --quiet "${regions[@]}" --format tsv t.fa q.fa
rhomb align --quiet "${regions[@]}" --format sam t.fa q.fa | cut -f 1-6 | grep -v '^@PG'
rhomb align --quiet -r chrT -q ctg:Q --format sam t.fa q.fa | grep -o '@SQ.*'
rhomb align --quiet "${regions[@]}" --json t.fa q.fa >regions.json
as_json regions.json
sed -n '/"target":/,$p' regions.json | grep -E '"(name|length|record[a-z_]*)":'

# The rows are right of the whole files, and so they are drawn.
rhomb align --quiet "${regions[@]}" --cs t.fa q.fa -o regions.paf
try rhomb verify regions.paf t.fa q.fa
rhomb plot -v regions.paf -o regions.svg 2>&1 | grep -o 'records [0-9]*'
rhomb plot --quiet -r chrT:1501-1600 regions.paf -o part.svg || echo "=> $?"
try rhomb plot --quiet -r chrT:1-900 regions.paf -o part.svg

# The same with what an index knows, of a pipe, and of a compressed file.
printf 'chrT\t4000\t10\t4000\t4001\nother\t4\t4018\t4\t5\n' >t.fa.fai
rhomb align --quiet "${regions[@]}" --cs t.fa q.fa | cmp - regions.paf
rhomb align --quiet "${regions[@]}" --cs t.fa - <q.fa | cmp - regions.paf
gzip t.fa
rhomb align --quiet "${regions[@]}" --cs t.fa.gz q.fa | cmp - regions.paf

# A distance is named as it was asked for.
rhomb distance --quiet --no-header "${regions[@]}" t.fa.gz q.fa | cut -f 1-5

apart
# Long gaps beside single changes, which the path has in pieces: --split-at finds them all the same.
awk 'function letters(count, text) {
    while (count-- > 0)
        text = text substr("ACGT", 1 + int(4 * rand()), 1)
    return text
}
BEGIN {
    srand(3)
    t = letters(40000)
    for (i = 1; i <= 40000; i++) {
        letter = substr(t, i, 1)
        if (rand() < 0.02)
            letter = substr("ACGT", 1 + (index("ACGT", letter) + int(3 * rand())) % 4, 1)
        if (i == 10001)
            q = q letters(3000)
        if (i <= 25000 || i > 27000)
            q = q letter
    }
    print ">t\n" t >"t.fa"
    print ">q\n" q >"q.fa"
}'
rhomb align --quiet t.fa q.fa -o whole.paf || echo "=> $?"
grep -E '[0-9]{4}[ID]' whole.paf
rhomb align --quiet --split-at 500 t.fa q.fa -o split.paf || echo "=> $?"
rhomb verify --quiet split.paf t.fa q.fa || echo "=> $?"
# What lies between records: about where, and by about how many bases one side is longer.
awk -F '\t' 'NR > 1 { printf "target %dK: %+d00 in the query\n", 5 * int(($8 + end) / 10000 + 0.5),
                      ($3 - query - ($8 - end)) / 100 + ($8 - end > $3 - query ? -0.5 : 0.5) }
             { query = $4; end = $9 }
             END { print NR " rows, left out at the ends: " $2 - query + $7 - end }' split.paf
# Of other lengths, and together with chunks.
for length in 1900 2500 10K; do
    echo "$length: $(rhomb align --quiet --split-at $length t.fa q.fa | wc -l)"
done
rhomb align --quiet --split-at 500 --chunk 4K --cs t.fa q.fa -o chunks.paf || echo "=> $?"
rhomb verify --quiet chunks.paf t.fa q.fa || echo "=> $?"
sum() { awk -F '\t' '{ target += $9 - $8; query += $4 - $3; matches += $10; columns += $11 }
                     END { print target, query, matches, columns }' "$1"; }
cmp <(sum split.paf) <(sum chunks.paf)
# A path that is nothing but a gap is a row, and whole.
printf '>t\nACGTACGTAC\n' >one.fa
printf '>q\n' >none.fa
try rhomb align --split-at 5 one.fa none.fa -o gap.paf
rhomb verify --whole --split-at 5 gap.paf one.fa none.fa
