# SPDX-License-Identifier: MIT
# Several records: never silently the first.
printf '>a\nACGT\n' >good.fa
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
