# SPDX-License-Identifier: MIT
# needs: device
# A program that writes wrong records notices that, and no file appears.
printf '>t\nACGTCATG\n' >t.fa
printf '>q\nACGTCTTG\n' >q.fa
echo old >out.vcf
try rhomb align --quiet --format vcf t.fa q.fa
try rhomb align --quiet -o out.vcf t.fa q.fa
try rhomb align --quiet -o out.vcf.gz t.fa q.fa
try rhomb align --quiet -o out.vcf.gz --max-allele 10 t.fa q.fa
cat out.vcf
ls
