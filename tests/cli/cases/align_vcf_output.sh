# SPDX-License-Identifier: MIT
# needs: device
# VCF files: the name says so, an index comes beside what is compressed, and both are complete or not
# there.
printf '>t\nACGTCATGCTTGACCTGATTTTTTTTNNacgrACGA\n' >t.fa
printf '>q one\nGTACGTCTTGCTTGACTGATTTTNNACGTACGACC\n' >q.fa
try rhomb align --quiet -o out.vcf.gz t.fa q.fa
try rhomb align --quiet -o out.VCF t.fa q.fa
try rhomb align --quiet --format vcf -o out.bgz t.fa q.fa
ls
for name in out.vcf.gz out.bgz; do
    gzip -dc $name | cmp - out.VCF
    gzip -dc $name.tbi | head -c 3 && echo
done
mkdir folder.vcf.gz.tbi
try rhomb align --quiet -o folder.vcf.gz t.fa q.fa
ls folder.vcf.gz 2>/dev/null


# A full disk, written to as it is and compressed, and a reader that has gone.
if [ -w /dev/full ]; then
    ln -s /dev/full full.vcf
    ln -s /dev/full full.vcf.gz
    try rhomb align --quiet -o full.vcf t.fa q.fa
    try rhomb align --quiet -o full.vcf.gz t.fa q.fa
    rm full.vcf full.vcf.gz
fi
without_reader rhomb align --quiet --format vcf t.fa q.fa
ls *full* 2>/dev/null
