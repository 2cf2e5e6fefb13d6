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

apart
# Names in files of pairs, one target of many queries, and rows that come when the input pauses.
printf '>ACGT\tq1 words\n<ACGA\tt1\n>CC\n<C\n>\tempty\n<A\t \n>A\tq"4\n<\tt\\4\r\n' >named.seq
try rhomb batch --cigar named.seq
try rhomb batch --format json named.seq
try rhomb batch --cigar --format paf named.seq
printf '>AC\tq1\n<AC\tt1\n>A!\tq2\n<AC\tt2\n>A C\tq3\n<AC\tt3\n' >bad.seq
try rhomb batch bad.seq
try rhomb batch --keep-going bad.seq

printf '>t words\nACGT\nACGT\n' >one.fa
printf '@a\nACGTACGA\n+\nIIIIIIII\n@b\n\n+\n\n@c\nACGT\n+\nIIII\n' >many.fq
try rhomb batch --cigar --one-to-many one.fa many.fq
try rhomb batch --no-header --one-to-many - many.fq <one.fa
cat many.fq many.fq | try rhomb batch --no-header -K 3 --one-to-many one.fa -
try rhomb batch --one-to-many many.fq one.fa
try rhomb batch --one-to-many /dev/null many.fq

# A program that writes a pair and waits for its row; the header comes first of all.
converse() {
    coproc batch { rhomb batch --quiet "$@" --flush -; }
    local in=${batch[1]} out=${batch[0]} row pid=$batch_PID
    read -r -t 60 row <&$out && echo "$row"
    for i in 1 2 3; do
        printf '>ACGT\tq%d\n<AC' $i >&$in
        printf 'GA\n' >&$in
        read -r -t 60 row <&$out && echo "$row"
    done
    printf '>A\n<C' >&$in
    exec {in}>&-
    cat <&$out
    wait $pid
    echo "=> $?"
}
converse
converse -t 1 --cigar

# The same rows as without, from a file and from a pipe, and whatever comes before an error.
rhomb batch --quiet named.seq >expected
rhomb batch --quiet --flush named.seq | cmp - expected
cat named.seq | rhomb batch --quiet --flush - | cmp - expected
rhomb batch --quiet --flush -o out.tsv named.seq
cmp out.tsv expected
printf '>AC\n<AC\nodd\n' | try rhomb batch --flush -
gzip -nc named.seq | try rhomb batch --flush -
gzip -nc named.seq >named.seq.gz
rhomb batch --quiet --flush named.seq.gz | cmp - expected

apart
# With a scoring, and other than end to end: every format, and options that do not fit. A scoring is a
# set of programs: there are three.
printf '>GATTACAGATTACAGGGATTACATTTACA\n<GATTACATATTACAGATTACATTTACA\n>TTTTACGTACGTCCCC\n<GGACGTACGTGG\n>\n<ACGT\n>ACGTACGTAC\n<ACGTACGTACGTTTT\n' >pairs.seq
matches='--score match:2,4,4,2'
try rhomb batch --score wfa --cigar pairs.seq
try rhomb batch $matches pairs.seq
try rhomb batch $matches --cigar --format json pairs.seq
try rhomb batch --score affine2p:5,8,2,24,1 --cigar --format paf pairs.seq
try rhomb batch --score wfa --max-distance 10 --no-header pairs.seq
try rhomb batch --score edit --no-header pairs.seq
try rhomb batch --mode local $matches --cigar pairs.seq
try rhomb batch --mode local $matches --ends-only --format json pairs.seq
try rhomb batch --mode local $matches --format json pairs.seq
try rhomb batch --mode ends-free --free-ends 4 --score wfa --cigar pairs.seq
try rhomb batch --mode ends-free --free-ends 0,0,0,5 --cigar --no-header pairs.seq
try rhomb batch --mode extend $matches --cigar pairs.seq
try rhomb batch --mode extend $matches --z-drop 10 --end-bonus 20 --format json pairs.seq

# The score of local alignments in PAF is that of their paths.
printf '>1\nGATTACATATTACAGATTACATTTACA\n' >target.fa
printf '>1\nCCCGATTACAGATTACAGGGATTACATTTACACC\n' >query.fa
try rhomb batch --quiet --mode local $matches --cigar --format paf -o local.paf target.fa query.fa
cat local.paf
try rhomb verify local.paf target.fa query.fa

try rhomb batch --mode local pairs.seq
try rhomb batch --mode extend --score wfa pairs.seq
try rhomb batch --score affine:40000,39998,1 pairs.seq
