# SPDX-License-Identifier: MIT
# needs: device
# Rows of short pairs: every form of input, every format, limits.
printf '>ACGTACGT\n<ACGTTCGT\n>\n<ACG\n>\n<\n>ACGTNN\n<acgtna\n>GGACGTACGTACGT\n<ACGTACGTACGTTT\n' >pairs.seq
try rhomb batch pairs.seq
try rhomb batch --cigar --no-header pairs.seq
try rhomb batch --cigar --format paf pairs.seq
try rhomb batch --format paf pairs.seq
try rhomb batch --cigar --format json pairs.seq
try rhomb batch --no-header --cigar -K 2 pairs.seq
try rhomb batch --cigar -K 2 --format paf pairs.seq
try rhomb batch --cigar -K 2 --format json pairs.seq
try rhomb batch --no-header -K 0 pairs.seq
try rhomb batch --alphabet bytes --no-header pairs.seq

# The same pairs in other clothes: CRLF, blank lines, no end of the last line, gzip, a pipe.
rhomb batch --quiet --cigar pairs.seq >expected
sed 's/$/\r/' pairs.seq >crlf.seq
{ echo; sed 'n;G' pairs.seq; } >blank.seq
head -c -1 pairs.seq >cut.seq
gzip -n <pairs.seq >pairs.seq.gz
for file in crlf.seq blank.seq cut.seq pairs.seq.gz; do
    rhomb batch --quiet --cigar $file | cmp - expected
    rhomb batch --quiet --cigar - <$file | cmp - expected
    cat $file | rhomb batch --quiet --cigar -t 1 - | cmp - expected
done

# Similarities half way between two decimals are the same as `rhomb distance` has them.
# 640 has a factor of 5, so that a double is on one side or the other of what is half way.
for half in 128:1 128:3 128:5 128:7 640:1 640:3 640:5 640:7 640:99; do
    awk -v n=${half#*:} -v letters=${half%:*} 'BEGIN { for (i = 0; i < letters; i++) {
        s = s "A"; t = t (i < n ? "C" : "A") }
        print ">s\n" s >"s.fa"; print ">t\n" t >"t.fa" }'
    rhomb batch --quiet --no-header s.fa t.fa
    rhomb distance --quiet --no-header s.fa t.fa | cut -f 1-6
done

# Two files of records; names that need care.
printf '>t1 words\nACGT\nACGT\n>t2\n\n>t\\3"\nACGTACGT\n' >t.fa
printf '@q1\nACGTTCGT\n+\nIIIIIIII\n@q2\nAC\n+\nII\n@q3\nACGTACG\n+\nIIIIIII\n' >q.fq
gzip -n <q.fq >q.fq.gz
try rhomb batch --cigar t.fa q.fq.gz
try rhomb batch --cigar --no-header t.fa - <q.fq
try rhomb batch --format json - q.fq <t.fa
try rhomb batch --format paf t.fa q.fq

: >empty
try rhomb batch empty
try rhomb batch empty empty
try rhomb batch --format json - </dev/null
try rhomb batch -o out.tsv pairs.seq
cat out.tsv
rhomb batch -v pairs.seq 2>&1 >/dev/null | sed -E 's/[0-9.]+(e-?[0-9]+)?( [kMGT]?)?( ?[nmu]?s| [KMG]?i?B)?([,;/ )]|$)/N\4/g' | grep -E '^rhomb: (pairs|work|time): '
