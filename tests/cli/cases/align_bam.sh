# SPDX-License-Identifier: MIT
# needs: device
# needs: command samtools
# BAM and CRAM: the record of SAM, with an index beside; what they cannot hold; complete or not there.
printf '>t\nACGTCATGCTTGACCTGATTTTTTTTNNacgrACGA\n' >t.fa
printf '>q one\nGTACGTCTTGCTTGACTGATTTTNNACGTACGACC\n' >q.fa
printf '>e\n' >e.fa
try rhomb align --quiet -o out.cram t.fa q.fa
samtools faidx t.fa
for name in out.sam out.bam out.cram; do
    rhomb align --quiet --md -o $name t.fa q.fa || echo "=> $?"
    samtools quickcheck $name || echo "$name: quickcheck"
    samtools view -T t.fa $name
done
ls
rhomb align --quiet --format bam t.fa q.fa | samtools view --no-PG -h - | grep -v '^@PG'
rhomb align --quiet --cigar M -r t:5-20 -q q:6-20 -o part.bam t.fa q.fa
samtools view part.bam
for name in out.bam part.bam out.cram; do
    samtools view -T t.fa $name t:10-11 | cut -f 1-4
done
# A reader finds the target itself.
(cd / && REF_PATH=/ samtools view "$OLDPWD/out.cram" | cut -f 10)
try rhomb align --quiet -o none.bam --max-distance 1 t.fa q.fa
samtools view -c none.bam

try rhomb align --quiet -o out2.bam e.fa q.fa
mkdir folder.bam.bai
try rhomb align --quiet -o folder.bam t.fa q.fa
if [ -w /dev/full ]; then
    ln -s /dev/full full.bam
    ln -s /dev/full full.cram
    try rhomb align --quiet -o full.bam t.fa q.fa
    try rhomb align --quiet -o full.cram t.fa q.fa
    rm full.bam full.cram
fi
without_reader rhomb align --quiet --format bam t.fa q.fa
without_reader rhomb align --quiet --format cram t.fa q.fa
ls *full* *folder* out2* 2>/dev/null
# U is T in SAM, BAM and CRAM, of an alphabet that has one, and what it is in other formats.
printf '>t\nACGUACGUUUGACC\n' >ut.fa
printf '>q\nACGTACGuUUGCCC\n' >uq.fa
samtools faidx ut.fa
for name in u.sam u.bam u.cram; do
    try rhomb align --md -o $name ut.fa uq.fa
    samtools view -T ut.fa $name
done
for options in '--format paf --cs' '--format maf' '--format vcf' '--format sam --alphabet bytes'; do
    # shellcheck disable=SC2086 # options
    rhomb align --quiet $options ut.fa uq.fa | grep -v '^[#@]'
done
