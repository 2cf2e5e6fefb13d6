# SPDX-License-Identifier: MIT
# needs: device
# Many pairs: the same bytes with any number of threads and any way of reading; a reader that goes
# away, a disk that is full, a pair that is no short one.
# awk's own random numbers differ from awk to awk.
letters='function below(n) { seed = (seed * 75 + 74) % 65537; return int(seed * n / 65537) }
    function letter() { return substr("ACGT", 1 + below(4), 1) }'
awk "$letters"'BEGIN { for (i = 0; i < 30000; i++) { s = t = ""
    for (n = below(60); n > 0; n--) { c = letter(); s = s c
        if (below(20)) t = t c; if (!below(20)) t = t "A" }
    print ">" s; print "<" t } }' >pairs.seq
awk 'NR % 2 == 0 { print ">" NR / 2; print substr($0, 2) }' pairs.seq >t.fa
awk 'NR % 2 == 1 { print ">" (NR + 1) / 2; print substr($0, 2) }' pairs.seq | gzip >q.fa.gz
for format in tsv paf json; do
    rhomb batch --quiet --cigar --format $format -t 1 pairs.seq >expected
    wc -l <expected
    rhomb batch --quiet --cigar --format $format -t 7 pairs.seq | cmp - expected
    rhomb batch --quiet --cigar --format $format t.fa q.fa.gz | cmp - expected
    rhomb batch --quiet --cigar --format $format --tune workers=5,job-bases=4096 - <pairs.seq | cmp - expected
done
tail -n 1 expected >row.json
as_json row.json

# A reader that has gone.
rhomb batch --quiet pairs.seq | head -n 2
echo "=> ${PIPESTATUS[0]}"
{ trap '' PIPE; rhomb batch --quiet pairs.seq; echo "=> $?" >status; } | head -n 2
cat status

# A 30 kbp pair in the middle.
{
    head -n 20 pairs.seq
    awk "$letters"'BEGIN { for (i = 0; i < 30000; i++) s = s letter()
        print ">" s; print "<" substr(s, 1, 10000) "N" substr(s, 10002, 9998) substr(s, 20001) }'
    tail -n 20 pairs.seq
} >mixed.seq
{ rhomb batch --quiet --cigar pairs.seq | head -n 11; printf '11\t29999\t11\t30000\t2\t0.999933\n'
  rhomb batch --quiet --cigar --no-header pairs.seq | tail -n 10; } | cut -f 2,4-6 >expected
rhomb batch --quiet --cigar mixed.seq | cut -f 2,4-6 | cmp - expected

# A signal while input is waited for leaves nothing behind.
a_long_input() {
    yes '>ACGT
<ACGA' | head -c 500000
}
for threads in 1 2; do
    interrupt INT rhomb batch --quiet -t $threads -o out.tsv -
done
ls out.tsv* 2>&1

if [ -w /dev/full ]; then
    rhomb batch --quiet pairs.seq 2>&1 >/dev/full
    echo "=> $?"
fi
