# SPDX-License-Identifier: MIT
# needs: device
# Distances of small files in every form that is accepted.
printf '>t some words\nACGTACGTAC\nGTACGT\n' >t.fa
printf '>q\nACGTTCGTACGTACG\n' >q.fa
try rhomb distance t.fa q.fa
try rhomb distance q.fa t.fa
try rhomb distance --no-header t.fa t.fa

printf '>crlf\r\nACGTACGTAC\r\nGTACGT\r\n' >crlf.fa
printf '>lower\nacgtacgtacgtacgt\n' >lower.fa
printf '>ambiguous\nACGTNCGTACGTRCGT\n' >ambiguous.fa
printf '@read\nACGTTCGTACGTACG\n+\nIIIIIIIIIIIIIII\n' >q.fq
printf '>no_newline\nACGTACGTACGTACGT' >no_newline.fa
printf '>empty\n' >empty.fa
for file in crlf.fa lower.fa ambiguous.fa q.fq no_newline.fa empty.fa; do
    try rhomb distance --no-header t.fa "$file"
done
try rhomb distance --no-header empty.fa empty.fa
try rhomb distance --no-header --quiet t.fa lower.fa
try rhomb distance --no-header ambiguous.fa ambiguous.fa

gzip -n <t.fa >t.fa.gz
try rhomb distance --no-header t.fa.gz q.fa
try rhomb distance --no-header - q.fa <t.fa
try rhomb distance --no-header t.fa - <q.fq
try rhomb distance --no-header - q.fa <t.fa.gz

printf '>one\nACGTACGT\n>a:b\nTTTT\n' >many.fa
try rhomb distance --no-header -r one -q a:b many.fa many.fa
try rhomb distance --no-header -r one:3-6 --query-region '{a:b}:2-3' many.fa many.fa
try rhomb distance --no-header -r one:5 -q one:1-4 many.fa many.fa

printf '>text\nhello,world\n' >text.fa
printf '>text\nHello,World\n' >Text.fa
try rhomb distance --no-header text.fa Text.fa
try rhomb distance --no-header --alphabet bytes text.fa Text.fa
try rhomb distance --no-header --tune group=64,scores=8,prune=off t.fa q.fa
