# SPDX-License-Identifier: MIT
# Files that cannot be used: status 3, and the message names the file.
printf '>a\nACGT\n' >good.fa
mkdir folder
: >empty.fa
printf '\n\n' >blank.fa
printf 'ACGT\n' >headless.fa
printf '\177ELF\002\001\001\000\000>x\nACGT\n' >binary
awk 'BEGIN { print ">z"; for (i = 0; i < 20000; i++) print "ACGT" i % 7 "GATTACA" i }' |
    tr 0123456789 ACGTACGTAC | gzip -n >whole.gz
head -c 200 whole.gz >truncated.gz
head -c 5 whole.gz >header_only.gz
printf '@r\nACGT\n+\nIII\n' >short_quality.fq
try rhomb distance missing.fa good.fa
try rhomb distance good.fa missing.fa
try rhomb distance missing.fa --dry-run good.fa
try rhomb distance folder good.fa
for file in empty.fa blank.fa headless.fa binary truncated.gz header_only.gz short_quality.fq; do
    try rhomb distance "$file" good.fa
done
try rhomb distance - good.fa </dev/null
try rhomb distance good.fa - <truncated.gz
