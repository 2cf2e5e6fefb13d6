# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# A look at a pair before the work: what is said of one that is on the other strand, begins elsewhere,
# is rearranged or not related; and where nothing is to be said.
make_sequences 'BEGIN {
    text = bases(4000)
    for (i = 0; i < 4000; i++) {
        changed = changed (i % 10 < 1 ? "A" : substr(text, i + 1, 1))
        masked = masked (i % 100 < 60 ? "N" : substr(text, i + 1, 1))
    }
    write("forward", text)
    write("reverse", reversed(text))
    write("rotated", substr(text, 1501) substr(text, 1, 1500))
    write("both", reversed(substr(text, 1501) substr(text, 1, 1500)))
    write("inverted", substr(text, 1, 1500) reversed(substr(text, 1501, 1000)) substr(text, 2501))
    write("other", bases(4000))
    write("piece", substr(text, 1, 900))
    write("changed", changed)
    write("masked", masked)
    write("lower", tolower(reversed(text)))
    write("short", substr(text, 1, 399))
    more = bases(12000)
    write("long", more)
    write("element", bases(5000) substr(more, 3001, 400) bases(7000))
    write("turned", reversed(bases(6000) substr(more, 3001, 400) bases(5500)))
    write("ended", substr(more, 1, 6000) bases(3000) substr(more, 10001, 400) bases(2000))
    write("replaced", substr(more, 1, 5500) bases(1200) substr(more, 6801))
    write("inside", substr(more, 3001, 1500))
    write("turned_inside", reversed(substr(more, 3001, 700) "ACGT" substr(more, 3706, 800)))
    write("fifth", substr(more, 3001, 2400))
    write("spread", substr(more, 1, 800) substr(more, 9001, 800))
    write("runs", "NNNNN" substr(text, 1, 2000) "NNNNN" substr(text, 2001) "RYRYRY")
}'
for query in reverse rotated both inverted other piece changed masked lower short runs; do
    try rhomb distance --no-header forward.fa $query.fa
done
# A repeat in common, with the rest unlike; and what has an end, or is replaced.
for query in element turned ended replaced; do
    try rhomb distance --no-header long.fa $query.fa
done
# One that lies within the other, which is more than five times as long.
for query in inside turned_inside fifth spread; do
    try rhomb distance --no-header long.fa $query.fa
done
for query in long turned_inside; do
    try rhomb distance --no-header inside.fa $query.fa
done
sed 's/>.*/>1/' long.fa >one.fa
try rhomb distance --no-header -r 1:2001-11000 one.fa inside.fa
try rhomb align --mode infix -o out.paf long.fa inside.fa
cut -f 1-10 out.paf
try rhomb align -o out.paf long.fa inside.fa
for mode in global infix; do
    try rhomb batch --mode $mode --no-header --one-to-many long.fa inside.fa
done
for mode in order best; do
    try rhomb distance --no-header --match $mode long.fa turned.fa
done
try rhomb align --blocks --match best -o blocks.paf long.fa turned.fa
cut -f 1-9,13 blocks.paf
try rhomb align --blocks -o blocks.paf long.fa ended.fa
cut -f 1-9,13 blocks.paf
try rhomb batch --match best long.fa turned.fa
try rhomb distance --no-header --max-distance 10 forward.fa reverse.fa
try rhomb distance --no-header --quiet forward.fa reverse.fa
try rhomb distance --no-header --no-sketch forward.fa reverse.fa
try rhomb distance --no-header --alphabet bytes forward.fa reverse.fa
try rhomb distance --no-header --threads 1 reverse.fa forward.fa
rhomb distance --dry-run forward.fa reverse.fa 2>&1 >/dev/null | grep -v running
try rhomb align -o out.paf forward.fa inverted.fa
cat forward.fa forward.fa changed.fa >targets.fa
cat reverse.fa other.fa lower.fa >queries.fa
try rhomb batch targets.fa queries.fa
try rhomb batch --no-sketch targets.fa queries.fa
# Records that are too short to be looked at are unlike ten times their bases.
cut -c 1-3990 forward.fa >tenfold.fa
number=0
for file in forward forward forward tenfold short short; do
    sed "s/>.*/>t$((++number))/" $file.fa
done >targets.fa
printf '>none\n>five\nACGTA\n>s1\n%s\n>s2\n%s\n>s3\n%s\n>none2\n' "$(tail -n 1 short.fa)"{,,} >queries.fa
try rhomb distance --no-header --match order targets.fa queries.fa
try rhomb distance --no-header --match order --no-sketch targets.fa queries.fa
try rhomb align --blocks --match order targets.fa queries.fa
# Ten of many pairs are named.
for side in target query; do
    make_sequences 'BEGIN { bases('${#side}' * 1000); for (i = 1; i <= 12; i++) print ">r" i "\n" bases(600) }' >$side.fa
done
try rhomb align --jobs 1 --match order -K 5 --format tsv --no-header target.fa query.fa

apart
# What a sweep is guided by is in the stages and in the report: copies with a substitution in 12 bases.
awk 'function draw(n) {
        random = (random * 16807) % 2147483647
        return int(random / 1000) % n
    }
    BEGIN {
        random = 1
        print ">t" >"t.fa"
        print ">q" >"q.fa"
        for (i = 0; i < 140000; i++) {
            base = 1 + draw(4)
            printf "%s", substr("ACGT", base, 1) >"t.fa"
            printf "%s", substr("ACGTACGT", base + (draw(12) == 0 ? 1 + draw(3) : 0), 1) >"q.fa"
        }
        print "" >"t.fa"
        print "" >"q.fa"
    }'
rhomb distance --engine bitparallel -v t.fa q.fa 2>stages >/dev/null
echo "=> $?"
sed -n 's/.*inspect [^,]*, guide [^,]*, transfer .*/the guide is a stage/p' stages
rhomb distance --engine bitparallel --quiet --json t.fa q.fa |
    awk -F '[:,]' '/"distance"/ { distance = $2 } /"expected_distance"/ { expected = $2 }
        /"guide_bound"/ { bound = $2 } /"guide"/ { guide = $2 }
        END { print (distance <= bound && bound < 1.1 * distance && guide > 0 &&
                     distance < 2 * expected && expected < 2 * distance) }'
rhomb distance --engine bitparallel --no-sketch -v t.fa q.fa 2>&1 >/dev/null | grep -c 'guide'
# A matrix has the same guide, and the same distances with and without.
cat t.fa q.fa >both.fa
for option in '' --no-sketch; do
    rhomb matrix -v $option both.fa 2>notes >"matrix$option.tsv"
    grep -o '[0-9]* of these with a guide' notes
done
cmp matrix.tsv matrix--no-sketch.tsv
rhomb distance --no-header --quiet t.fa q.fa | cut -f 5 | grep -c -f - matrix.tsv
# Its plan too.
rhomb matrix --dry-run --quiet both.fa | awk -F '\t' -v known="$(cut -f 3 matrix.tsv | sed -n 2p)" '
    /^q/ { print $1, $2, $5, $6, ($12 < 2 * known && known < 2 * $12) } /^#/ && !/^# kernels/ { print substr($0, 1, 8) }'
