# SPDX-License-Identifier: MIT
# needs: device
# Chains and MAF, which have blocks of bases beside each other; intervals that are aligned; VCF. Files are
# complete or not there.
printf '>t\nACGTCATGCTTGACCTGATTTTTTTTNNacgrACGA\n' >t.fa
printf '>q one\nGTACGTCTTGCTTGACTGATTTTNNACGTACGACC\n' >q.fa
printf '>e\n' >e.fa
printf '>bad(1)\nACGT\n' >bad.fa
try rhomb align --quiet --format chain t.fa q.fa
try rhomb align --quiet --format chain --chain-direction query-to-target t.fa q.fa
try rhomb align --quiet --format maf t.fa q.fa
try rhomb align --quiet --format maf --score wfa --split-at 4 t.fa q.fa
for format in chain maf; do
    try rhomb align --quiet --format $format --chunk 10 -r t:3-30 -q q:5-30 t.fa q.fa
    try rhomb align --quiet --format $format e.fa q.fa
    try rhomb align --quiet --format $format --max-distance 1 t.fa q.fa
done

# The intervals that are aligned, in a file beside the alignment.
try rhomb align --quiet -o out.vcf.gz --callable out.bed --report report.json t.fa q.fa
cat out.bed
rhomb align --quiet -o out.paf --callable out.bed.gz -r t:5-30 t.fa q.fa
gzip -dc out.bed.gz
try rhomb align --quiet -o out.paf --callable - --max-distance 2 t.fa q.fa
try rhomb align --quiet -o out.paf --callable - t.fa t.fa
try rhomb align --callable missing/x.bed t.fa q.fa

# VCF: its head and records, and what it cannot hold.
try rhomb align --quiet --format vcf t.fa q.fa
try rhomb align --quiet --format vcf --score wfa --sample 'child 1' t.fa q.fa | grep -v '^##'
try rhomb align --format vcf --max-allele 1 t.fa q.fa | grep -v '^##[FSf]'
try rhomb align --quiet --format vcf -r t:5-20 -q q:6-20 t.fa q.fa | grep -v '^##[^r]'
try rhomb align --max-distance 3 -o far.vcf t.fa q.fa
grep -v '^##[^r]' far.vcf
try rhomb align --quiet --format vcf t.fa t.fa | grep -v '^##'
try rhomb align --format vcf t.fa e.fa | grep -v '^##'
try rhomb align --quiet -o out2.vcf e.fa q.fa
try rhomb align --quiet --format vcf bad.fa q.fa
try rhomb align --quiet --format vcf e.fa e.fa | grep -v '^##'
try rhomb align --format vcf --sample "$(printf 'a\tb')" t.fa q.fa
# Names that bcftools takes for regions.
printf '>q\nACGTGATG\n' >other.fa
for name in HLA:00001 chr1:1-1000; do
    printf '>%s\nACGTCATG\n' $name >region.fa
    try rhomb align -o region.vcf region.fa other.fa
    try rhomb align -o region.sam region.fa other.fa
done

# The name says what a file is; an index comes beside a VCF that is compressed.
for name in out.chain out.chain.gz out.maf out.maf.gz out.VCF; do
    rhomb align --quiet -o $name t.fa q.fa || echo "=> $?"
    printf '%-14s %s\n' $name "$(gzip -dcf $name | head -n 1)"
done
try rhomb align --quiet --format vcf -o out.bgz t.fa q.fa
for name in out.vcf.gz out.bgz; do
    gzip -dc $name | cmp - out.VCF
    gzip -dc $name.tbi | head -c 3 && echo
done
mkdir folder.vcf.gz.tbi
try rhomb align --quiet -o folder.vcf.gz t.fa q.fa
ls

# A full disk, written to as it is and compressed, and a reader that has gone.
if [ -w /dev/full ]; then
    for name in full.chain full.maf.gz full.vcf full.vcf.gz; do
        ln -s /dev/full $name
        try rhomb align --quiet -o $name t.fa q.fa
    done
    ln -s /dev/full full.bed
    try rhomb align --quiet --callable full.bed -o x.paf t.fa q.fa
    rm full.*
fi
for format in maf vcf; do
    without_reader rhomb align --quiet --format $format t.fa q.fa
done
ls ./*full* x.* 2>/dev/null
