# SPDX-License-Identifier: MIT
# Files that cannot be used: status 3, and the message names the file.
printf '>a\nACGT\n' >good.fa
printf ">b\nACGT\n" >secret.fa
chmod 000 secret.fa
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
# Root may read everything.
[ "$(id -u)" = 0 ] && echo 'rhomb: error: cannot use the input file: secret.fa: cannot be opened: Permission denied' ||
    rhomb distance secret.fa good.fa 2>&1

# Several records: never silently the first.
printf '>one\nACGT\n>two words\nAC\nGT\n>three\nA\n' >many.fa
printf '>one\nACGT\n>one\nAC\n' >twice.fa
try rhomb distance many.fa good.fa
try rhomb distance -r four many.fa good.fa
try rhomb distance -r one twice.fa good.fa
for region in one:0-2 one:3-2 one:x-2 one:9-10 '{one:1-2' :1-2 ''; do
    try rhomb distance -r "$region" many.fa good.fa
done
try rhomb distance -q two good.fa good.fa
try rhomb distance good.fa many.fa
# A file of pairs is for another command.
printf '>ACGT\n<ACGA\n>ACGT\n<ACGG\n' >two.seq
try rhomb distance good.fa two.seq
try rhomb align --match order two.seq good.fa
