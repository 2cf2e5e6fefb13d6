# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: command samtools
# Formats with several paths, on both strands: an inversion by --blocks, and a query that is turned.
make_sequences 'BEGIN {
    a = bases(900); b = bases(700); c = bases(800)
    changed = substr(b, 1, 299) "GG" substr(b, 303, 200) "TTTTT" substr(b, 503)
    write("target", a b c)
    write("query", a reversed(changed) substr(c, 1, 400) "N" substr(c, 402))
    write("turned", reversed(a changed c))
}'
samtools faidx target.fa
blocks() {
    rhomb align --quiet --blocks "$@" target.fa query.fa || echo "=> $?"
}
blocks --format vcf --callable intervals.bed | grep -v '^##[^r]'
cat intervals.bed
blocks --format chain
blocks --format chain --chain-direction query-to-target
blocks --format maf | cut -c 1-60
for name in out.bam out.cram; do
    blocks --md -o $name
    samtools view -T target.fa $name target:1000-1100 | cut -f 1-6
done
blocks -o out.vcf.gz
ls
try rhomb align --quiet --blocks --format vcf --max-allele 1 -o max.vcf target.fa query.fa
grep '^##rhomb_loss' max.vcf

# Of a turned query the records are of its other strand.
turned() {
    rhomb align --quiet --strand auto "$@" target.fa turned.fa || echo "=> $?"
}
turned --format vcf | grep -v '^##[^r]'
turned --format chain
turned --format chain --chain-direction query-to-target
turned --format maf | cut -c 1-60
turned --format bam | samtools view - | cut -f 1-6
