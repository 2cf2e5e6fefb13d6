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

apart
# --max-distance below, at and above the distance (3), and where a look at the lengths is enough.
printf '>t\nACGTACGTACGTACGTACGT\n' >t.fa
printf '>q\nACGTTCGTACCTACGTACG\n' >q.fa
printf '>e\n' >e.fa
for limit in 0 2 3 1K 9G; do
    try rhomb distance --no-header -K $limit t.fa q.fa
done
try rhomb distance --no-header --max-distance 0 t.fa t.fa
try rhomb distance --no-header --max-distance 19 t.fa e.fa
try rhomb distance --no-header --max-distance 20 t.fa e.fa
try rhomb distance --no-header --max-distance 0 e.fa e.fa

# What the limit saved of a small tile's launches, and what the end diagonal did.
{ printf '>f\n'; for i in 1 2 3 4 5 6 7 8 9; do printf 'ACGTTGCAGATCCATGTTGACCAGTAGGCA\n'; done; } >f.fa
{ printf '>g\n'; for i in 1 2 3 4 5 6 7 8 9; do printf 'CATTGACGGTACCTGAACGTTAGCCATTGG\n'; done; } >g.fa
for limit in 120 1K; do
    rhomb distance -v --engine wavefront -K $limit \
        --tune group=2,items=2,scores=1,launches=1,directions=1 f.fa g.fa 2>&1 | grep pruning:
done

apart
# One edit in two million bases does not print as similarity 1.
awk 'BEGIN { print ">long"; for (i = 0; i < 31250; i++)
    print "ACGTTGCAACGGTTCCAAGTCTGATTACAGATACATTTGGGCCCAAATGCATGCATCGATCGAT" }' >long.fa
sed '20000s/GATTACA/GATCACA/' long.fa >edited.fa
try rhomb distance --no-header long.fa edited.fa
try rhomb distance --no-header -K 0 long.fa edited.fa

apart
# Bytes outside the alphabet: status 3, the message says which and where.
printf '>t\nACGTACGT\n' >t.fa
printf '>bad\nACGT*CGT\n' >bad.fa
try rhomb distance t.fa bad.fa
try rhomb distance bad.fa t.fa
try rhomb distance --dry-run t.fa bad.fa
try rhomb distance --no-header --alphabet bytes t.fa bad.fa

apart
# The full report: valid JSON with these members. Values that belong to the machine are masked.
mask() {
    sed -E \
        -e '/"(device|plan|work|seconds)":/,/}/s/("[a-z_]+":).*[^{,](,?)$/\1 .../' \
        -e 's/("(start|cpu_seconds|peak_rss_bytes)":).*/\1 .../'
}
printf '>t\nACGTACGTACGTacgtNNR\n' >t.fa
printf '>q "quoted"\nACGTACGTACGTACGTACG\n' >'q "x".fa'
rhomb distance --json --quiet t.fa 'q "x".fa' >report.json
echo "=> $?"
as_json report.json
mask <report.json | rows_of_json

rhomb distance --json --quiet --max-distance 1 t.fa 'q "x".fa' >limit.json
as_json limit.json
sed -n '/"result"/,/}/p' limit.json

# A name that is no UTF-8 becomes valid text.
printf '>caf\351\nACGT\n' >latin1.fa
rhomb distance --json --quiet -o latin1.json latin1.fa latin1.fa
as_json latin1.json
grep '"name":.*caf' latin1.json
