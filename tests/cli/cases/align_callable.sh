# SPDX-License-Identifier: MIT
# needs: device
# The intervals that are aligned, in a file beside the alignment.
printf '>t\nACGTCATGCTTGACCTGATTTTTTTTNNacgrACGA\n' >t.fa
printf '>q one\nGTACGTCTTGCTTGACTGATTTTNNACGTACGACC\n' >q.fa
try rhomb align --quiet -o out.vcf.gz --callable out.bed --report report.json t.fa q.fa
cat out.bed
rhomb align --quiet -o out.paf --callable out.bed.gz -r t:5-30 t.fa q.fa
gzip -dc out.bed.gz
try rhomb align --quiet -o out.paf --callable - --max-distance 2 t.fa q.fa
try rhomb align --quiet -o out.paf --callable - t.fa t.fa
ls
try rhomb align --callable t.fa -o x.paf t.fa q.fa
try rhomb align --callable missing/x.bed t.fa q.fa
if [ -w /dev/full ]; then
    ln -s /dev/full full.bed
    try rhomb align --quiet --callable full.bed -o x.paf t.fa q.fa
fi
ls x.* 2>/dev/null
