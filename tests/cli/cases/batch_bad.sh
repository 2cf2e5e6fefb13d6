# SPDX-License-Identifier: MIT
# needs: device
# What cannot be used: the rows before it, and an error with file and line; with --keep-going a row.
bad() {
    printf "$1" >bad.seq
    try rhomb batch --no-header bad.seq
    try rhomb batch --no-header --keep-going --cigar bad.seq
}
bad '>AC\n<AC\n>A\n'
bad '>AC\n<AC\n<A\n>A\n>C\n<C\n'
bad '>AC\n<AC\nfoo\nbar\n>C\n<C\n'
bad '>AC\n<AC\n>foo\nbar\n<A\n>C\n<C\n'
bad '>AC\n<AC\n>A C\n<A\n>C\n<C\n'
bad '>AC\n<AC\n>AC\n<A*C\n>C\n<C\n'
# The first of several wins, whichever is found first.
bad '>AC\n<AC\n>!\n<A\n>C\n>C\n<C\n'
try rhomb batch --keep-going bad.seq
try rhomb batch --keep-going --format json bad.seq
try rhomb batch --keep-going --format paf --cigar bad.seq
try rhomb batch --keep-going -o kept.tsv bad.seq
wc -l <kept.tsv
# Rows before the bad pair are kept in a file, too, but not those of a run that failed.
try rhomb batch -o before.tsv bad.seq
cat before.tsv
rhomb batch -o none.tsv -d 'no such device' bad.seq 2>messages
echo "=> $?"
ls none.tsv 2>&1

# A pair that is far apart has its row, before and after one that is not a pair.
awk 'BEGIN { q = t = "A"; while (length(q) < 32768) { q = q q; t = t t }
    gsub("A", "C", q); print ">" q; print "<" t; print ">A" }' >bad.seq
sed -n 3p bad.seq >turned.seq
head -n 2 bad.seq >>turned.seq
for file in bad.seq turned.seq; do
    rhomb batch --keep-going --cigar $file >kept.tsv 2>/dev/null
    echo "=> $?"
    cut -f 1-6 kept.tsv
done

printf '>a\nAC\n>b\nA!\n>c\nG\n' >t.fa
printf '>d\nAC\n>e\nA\n' >q.fa
try rhomb batch --no-header t.fa q.fa
try rhomb batch --keep-going --no-header t.fa q.fa
try rhomb batch --keep-going --no-header q.fa t.fa

# No file of pairs at all.
printf '>chr1 of some kind\nACGT\nACGT\n' >genome.fa
printf 'a,b\n' >table.csv
for file in genome.fa q.fq t.fa.gz table.csv missing .; do
    [ $file != q.fq ] || printf '@r\nA\n+\nI\n' >q.fq
    [ $file != t.fa.gz ] || gzip -n <t.fa | head -c 20 >t.fa.gz
    try rhomb batch --no-header $file
done
try rhomb batch t.fa missing
try rhomb batch missing -d 'no such device'
rhomb batch q.fa t.fa -d 'no such device' 2>messages
echo "=> $?"
sed -n '1s/: no device.*/: .../p' messages

# Truncated gzip: the rows of all pairs that gzip gets out of it, or of one more, as zlib may see
# the last few bases of what is there when gzip does not.
awk 'BEGIN { for (i = 0; i < 40000; i++) {
    print ">" substr("ACGTTGCAACGGATCTAGCTTAGC", i % 7 + 1, 9 + i % 5); print "<ACGTTGCA" substr("GATTACA", 1, i % 8) } }' >whole.seq
rhomb batch --quiet whole.seq >whole.tsv
gzip -n <whole.seq >whole.seq.gz
head -n 2000 whole.seq | gzip -n >some.gz
head -c $(($(wc -c <whole.seq.gz) / 2)) whole.seq.gz >half.gz
head -c $(($(wc -c <some.gz) - 20)) some.gz >short.gz
cat some.gz half.gz >second.gz
head -n 2000 whole.seq | cat - whole.seq >second.seq
rhomb batch --quiet second.seq >second.tsv
for name in half short second; do
    rhomb batch $name.gz >cut.tsv 2>messages
    echo "=> $?"
    grep -v running messages
    rows=$(($(wc -l <cut.tsv) - 1))
    pairs=$(($(gzip -dc $name.gz 2>gzip.messages | wc -l) / 2))
    [ $pairs -gt 500 ] && [ $((rows - pairs)) -ge 0 ] && [ $((rows - pairs)) -le 1 ] ||
        echo "$rows rows of $pairs pairs"
    [ $name = second ] && all=second.tsv || all=whole.tsv
    head -n $((rows + 1)) $all | cmp - cut.tsv
done

# Several failures in one job, whose rows several threads format: the rows before the first one.
awk 'BEGIN { for (i = 1; i <= 3000; i++) {
    print ">ACGTACGT"; print "<ACG" (i % 700 == 0 ? "!" : "T") "ACGT" } }' >several.seq
awk '{ print } NR == 1398 { exit }' several.seq >before.seq
rhomb batch --quiet --cigar -t 4 before.seq >before.tsv
for threads in 1 4; do
    rhomb batch --quiet --cigar -t $threads several.seq >several.tsv 2>messages
    echo "=> $?"
    cat messages
    cmp before.tsv several.tsv
    rhomb batch --quiet --cigar --keep-going -t $threads several.seq >several.tsv 2>messages
    echo "=> $?"
    cat messages
    wc -l <several.tsv
    grep -c '!' several.tsv
done
