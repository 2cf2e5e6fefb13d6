# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
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
