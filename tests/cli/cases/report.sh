# SPDX-License-Identifier: MIT
# needs: plot
# What alignments tell of two genomes: as text, as JSON, into files, from other programs' records.
printf '>c1 one\nACGTACGTACGGATTACAGG\n>c2\nTTTTCCCC\n>alone\nNNNN\n' >t.fa
printf '>q1\nACGTTCGTACATTACAGGG\n>q2\nGGGGAANA\n' >q.fa
# q1 is c1 with a substitution, a deletion of GG and an insertion of G; q2 the other strand of c2.
{
    printf 'q1\t19\t0\t19\t+\tc1\t20\t0\t20\t17\t21\t60\ttp:A:P\tcg:Z:4=1X5=2D7=1I1=\n'
    printf 'q2\t8\t0\t8\t-\tc2\t8\t0\t8\t7\t8\t60\ttp:A:P\tcs:Z::1*tn:6\n'
    printf 'q2\t8\t0\t4\t-\tc2\t8\t4\t8\t4\t4\t0\ttp:A:S\tcg:Z:4M\n'
    printf 'q3\t9\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\trl:i:0\n'
} >out.paf
try rhomb report out.paf t.fa q.fa
rhomb report --json out.paf t.fa q.fa | rows_of_json
gzip -n <out.paf >out.paf.gz
rhomb report out.paf t.fa q.fa >plain.txt
rhomb report --quiet out.paf.gz t.fa q.fa | sed 's/out.paf.gz/out.paf/' | cmp - plain.txt
rhomb report - t.fa q.fa <out.paf | sed 's/standard input/out.paf/' | cmp - plain.txt
try rhomb report -o out.json out.paf t.fa q.fa
grep -c '"schema":	"rhomb.report.1"' out.json
try rhomb report -o out.txt out.paf t.fa q.fa
cmp out.txt plain.txt
try rhomb report -o q.fa out.paf t.fa q.fa
try rhomb report -o out.tsv out.paf t.fa q.fa
cat out.tsv

# What cannot be reported.
: >empty.paf
try rhomb report --quiet --json empty.paf t.fa q.fa | grep -c '"records":	0'
try rhomb report --alphabet bytes out.paf t.fa q.fa
sed 's/4=1X/5=/; s/17\t21/18\t21/' out.paf >wrong.paf
try rhomb report wrong.paf t.fa q.fa
try rhomb report out.paf q.fa t.fa
try rhomb report t.fa t.fa q.fa
sed 's/\tcg:Z:4M//' out.paf >none.paf
try rhomb report none.paf t.fa q.fa

apart
# A report as a page: the counts of the text above what `rhomb plot` makes of the same records.
printf '>c1\nACGTACGTACGGATTACAGG\n>c2\nTTTTCCCC\n' >'t&.fa'
printf '>q1\nACGTTCGTACATTACAGGG\n>q2\nGGGGAANA\n' >q.fa
{
    printf 'q1\t19\t0\t19\t+\tc1\t20\t0\t20\t17\t21\t60\ttp:A:P\tcg:Z:4=1X5=2D7=1I1=\n'
    printf 'q2\t8\t0\t8\t-\tc2\t8\t0\t8\t7\t8\t60\ttp:A:P\tcs:Z::1*tn:6\n'
} >out.paf
try rhomb report -o out.html out.paf 't&.fa' q.fa
sed -n '/id="report"/,/<\/div>/p' out.html >tables
head -n 12 tables
# The same cells as the text has.
rhomb report out.paf 't&.fa' q.fa | tr -d ' \n' >text
sed 's/&gt;/>/g; s/&amp;/\&/g; s/<[^>]*>//g' tables | tr -d ' \n' | cmp - text
# The rest is the page of the plot, but for the command.
rhomb plot out.paf -o plot.html
sed '/id="report"/,/<\/div>/d' out.html | diff - plot.html | grep '^[<>]'
rhomb report --format html -o - out.paf 't&.fa' q.fa | sed '/^<p>Made/d' >piped
sed '/^<p>Made/d' out.html | cmp - piped
try rhomb report --format html - 't&.fa' q.fa <out.paf
: >empty.paf
try rhomb report -o empty.html empty.paf 't&.fa' q.fa
ls
