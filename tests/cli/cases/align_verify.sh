# SPDX-License-Identifier: MIT
# needs: device
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
