# SPDX-License-Identifier: MIT
# needs: device
# A name that ends in what a command does not write is refused, or in another format than --format.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
for ending in bcf maf chain delta coords psl bed fa png xlsx gaf aln clustal 2bit wig bw tab \
    xml yaml fai lz4 lzma lz Z zip br; do
    try rhomb align --quiet -o out.$ending t.fa q.fa
done
try rhomb align --quiet -o sam.rows --format sam t.fa q.fa
try rhomb align --quiet -o json.json --format json t.fa q.fa
try rhomb align --quiet -o out.v.1 t.fa q.fa
try rhomb distance --quiet -o out.txt t.fa q.fa
try rhomb distance --quiet -o out.json t.fa q.fa
try rhomb matrix --quiet --format phylip -o out.phy t.fa q.fa
try rhomb batch --quiet --format json -o batch.jsonl t.fa q.fa
for ending in TSV json paf rows; do
    try rhomb batch --quiet -o batch.$ending t.fa q.fa
done
rhomb align --quiet -o good.paf t.fa q.fa
for name in *.[^f]*; do
    printf '%-12s %s\n' "$name" "$(head -c 12 "$name" | head -n 1)"
done
