# SPDX-License-Identifier: MIT
# needs: plot
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
