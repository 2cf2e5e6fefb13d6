# SPDX-License-Identifier: MIT
# needs: device
# verify --whole: rows that align and batch write, and what becomes of them when some are dropped.
awk 'BEGIN {
    srand(7)
    for (i = 1; i <= 2000; i++) t = t substr("ACGT", int(4 * rand()) + 1, 1)
    for (i = 1; i <= 2000; i++) {
        if (i == 1500) q = q "TTGGCATTACGGATCATTGCATTAGGCCATTACAGGATCAT"
        if (i <= 600 || i > 700) q = q (rand() < 0.01 ? "A" : substr(t, i, 1))
    }
    print ">t\n" t >"t.fa"
    print ">q\n" q >"q.fa"
}'
cost=$(rhomb distance --quiet --no-header t.fa q.fa | cut -f 5)
rhomb align --quiet t.fa q.fa -o one.paf
rhomb align --quiet t.fa q.fa --chunk 300 -o chunks.paf
for file in one.paf chunks.paf; do
    rhomb verify --whole $file t.fa q.fa | sed "s/edits $cost/edits COST/"
done
# Rows dropped at the beginning, in the middle and at the end, all of them; twice; exchanged.
for change in 1d 3d 7d d 2p '1,6p' '2{h;d};3G'; do
    sed "$change" chunks.paf >changed.paf
    rhomb verify --quiet changed.paf t.fa q.fa || echo "=> $?"
    rhomb verify --whole changed.paf t.fa q.fa 2>messages
    echo "$change => $?"
    sed -E 's/[0-9]+/N/g' messages
done
cat one.paf one.paf >twice.paf
try rhomb verify --whole twice.paf t.fa q.fa
sed 1,2d chunks.paf >changed.paf
rhomb verify --all --whole changed.paf t.fa q.fa 2>&1 | sed -E 's/query positions [0-9]+ to [0-9]+/query positions .../'

# Gaps: no row has them, and they cost the rest.
rhomb align --quiet t.fa q.fa --split-at 30 -o split.paf
rhomb verify --whole --quiet split.paf t.fa q.fa 2>messages
echo "=> $?"
rhomb verify --whole --split-at 30 split.paf t.fa q.fa >line
echo "=> $?"
sed -E 's/.*edits ([0-9]+); whole pairs 1, gaps between records [1-9][0-9]* \(.*, edits ([0-9]+)( to ([0-9]+))?\)$/\1 \2 \4/' line >sums
read -r edits least most <sums
[ $((edits + least)) -le "$cost" ] && [ $((edits + ${most:-$least})) -ge "$cost" ] || cat line
rhomb verify --whole --split-at 1K split.paf t.fa q.fa 2>messages
echo "=> $?"

# Many pairs, and a query that has no row of its own.
printf '>a\nACGT\n>b\nAC\n>c\n\n' >many.fa
rhomb batch --quiet --cigar --format paf many.fa many.fa -o batch.paf
try rhomb verify --whole batch.paf many.fa many.fa
printf 'a\t4\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n' >unaligned.paf
try rhomb verify --whole unaligned.paf many.fa many.fa
try rhomb verify --whole --all unaligned.paf many.fa many.fa
# Beside others it is one that has no partner; those are whole, or not.
sed '$d' batch.paf | cat - unaligned.paf >some.paf
try rhomb verify --whole some.paf many.fa many.fa
printf '>q\nACGTA\n>a\nACGT\n' >five.fa
printf 'q\t5\t0\t4\t+\ta\t4\t0\t4\t4\t4\t255\tcg:Z:4=\n' | cat unaligned.paf - >some.paf
try rhomb verify --whole some.paf many.fa five.fa
: >empty.paf
try rhomb verify --whole empty.paf t.fa q.fa
try rhomb verify --whole --all empty.paf t.fa q.fa
# Both strands, on which gaps may be told as well.
printf '>f\nACGTTTGACC\n' >f.fa
printf '>r\nGGTCAACGT\n' >r.fa
printf 'r\t9\t5\t9\t-\tf\t10\t0\t4\t4\t4\t255\tcg:Z:4=\nr\t9\t0\t5\t-\tf\t10\t5\t10\t5\t5\t255\tcg:Z:5=\n' >strand.paf
try rhomb verify --whole --split-at 1 strand.paf f.fa r.fa
try rhomb verify --whole strand.paf f.fa r.fa

apart
# What `rhomb align` and `rhomb batch` write, `rhomb verify` finds right, of the oddest pairs as well.
printf '>empty\n' >empty.fa
printf '>a\nA\n' >a.fa
printf '>c\nc\n' >c.fa
printf '>n\nNNNNNNNNNN\n' >n.fa
printf '>m\nnnNNnnnN\n' >m.fa
printf '>iupac\nACGTURYKMSWBDHVN\n' >iupac.fa
printf '>t\nACGTCATGCTTgacctgatgcagtcaNNRGATC\n' >t.fa
printf '>\nACGTTTGA\n' >nameless.fa
printf '>.\nACGTTGA\n' >dot.fa
printf '>b\\s\nACGTTA\n' >backslash.fa
printf '>\\\\t\\n\\\nACGTAA\n' >backslashes.fa
printf '>x:1-3\nACGT\n>x\nTTTTTT\n' >colon.fa
printf '>{*}|"%%s"\303\244\nACGA\n' >signs.fa
# round_trip TARGET QUERY [OPTION...]: says only what is wrong.
round_trip() {
    local target=$1 query=$2
    shift 2
    rhomb align --quiet "$@" -o out.paf $target $query && rhomb verify --quiet out.paf $target $query &&
        return
    echo "align $* $target $query:"
    cat out.paf
}
pairs=0
while read -r target query; do
    round_trip $target.fa $query.fa --cs --chunk 3
    pairs=$((pairs + 1))
done <<'END'
empty n
a empty
a c
n m
iupac t
t iupac
t t
dot nameless
backslashes backslash
signs signs
END
echo "$pairs pairs"
round_trip colon.fa a.fa -r '{x:1-3}'
round_trip colon.fa a.fa -r '{x}:2-3'
round_trip backslash.fa backslashes.fa -r '{b\s}:2-5' -q '{\\t\n\}:1-3'
round_trip empty.fa empty.fa --cs
cat out.paf
round_trip nameless.fa backslash.fa --cs
cat out.paf

# The names of many pairs.
cat empty.fa nameless.fa backslash.fa a.fa signs.fa >targets.fa
cat empty.fa dot.fa backslashes.fa t.fa n.fa >queries.fa
rhomb batch --cigar --format paf --quiet targets.fa queries.fa -o batch.paf
try rhomb verify batch.paf targets.fa queries.fa

# A name as it stands goes before what it may mean; what no record has is told as it stands.
printf 'b\\\\s\t6\t0\t6\t+\tb\\s\t6\t0\t6\t6\t6\t255\tcg:Z:6=\n' >both.paf
try rhomb verify both.paf backslash.fa backslash.fa
(cat backslash.fa && printf '>b\\\\s\nACGTTT\n') >both.fa
try rhomb verify both.paf backslash.fa both.fa
printf '>b\\s\nA\n' >>both.fa
sed 's/^b/c/' both.paf >neither.paf
try rhomb verify neither.paf backslash.fa backslash.fa
try rhomb verify both.paf both.fa backslash.fa
# A row without a path is right where there is nothing in it.
printf 'empty\t0\t0\t0\t+\tempty\t0\t0\t0\t0\t0\t255\tNM:i:1\n' >edits.paf
try rhomb verify edits.paf empty.fa empty.fa
printf 'a\t1\t0\t0\t+\ta\t1\t1\t1\t1\t0\t255\n' >matches.paf
try rhomb verify matches.paf a.fa a.fa
printf 'a\t1\t0\t0\t+\ta\t1\t0\t1\t0\t1\t255\n' >one.paf
try rhomb verify one.paf a.fa a.fa
