# SPDX-License-Identifier: MIT
# needs: device
# VCF: its head and records, and what it cannot hold.
printf '>t\nACGTCATGCTTGACCTGATTTTTTTTNNacgrACGA\n' >t.fa
printf '>q one\nGTACGTCTTGCTTGACTGATTTTNNACGTACGACC\n' >q.fa
printf '>e\n' >e.fa
printf '>bad(1)\nACGT\n' >bad.fa
try rhomb align --quiet --format vcf t.fa q.fa
try rhomb align --quiet --format vcf --score wfa --sample 'child 1' t.fa q.fa
try rhomb align --format vcf --max-allele 1 t.fa q.fa
try rhomb align --quiet --format vcf -r t:5-20 -q q:6-20 t.fa q.fa
try rhomb align --quiet --format vcf --max-distance 3 t.fa q.fa
try rhomb align --max-distance 3 -o far.vcf t.fa q.fa
try rhomb align --quiet --format vcf t.fa t.fa

# What VCF does not have.
try rhomb align --format vcf t.fa e.fa
try rhomb align --quiet -o out2.vcf e.fa q.fa
try rhomb align --quiet --format vcf bad.fa q.fa
try rhomb align --quiet --format vcf e.fa e.fa
try rhomb align --format vcf --sample "$(printf 'a\tb')" t.fa q.fa
# Names that bcftools takes for regions.
for name in HLA:00001 chr1:1-1000; do
    printf '>%s\nACGTCATG\n' $name >region.fa
    printf '>q\nACGTGATG\n' >other.fa
    try rhomb align -o region.vcf region.fa other.fa
    try rhomb align -o region.sam region.fa other.fa
done
