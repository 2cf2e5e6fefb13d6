# SPDX-License-Identifier: MIT
# needs: device
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
