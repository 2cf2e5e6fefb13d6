# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Blocks that are cut into stretches, forward and inverted, with a replaced piece and a long insertion: the same rows.
make_sequences 'BEGIN {
    a = bases(12000); b = bases(15000); c = bases(10000); d = bases(9000)
    print ">t\n" a b c bases(1000) d >"t.fa"
    query = a reversed(b) substr(c, 1, 5000) bases(900) substr(c, 5001) bases(1000) d
    for (i = 300; i < length(query); i += 300)
        changed = changed substr(query, i - 299, 299) (i % 900 == 0 ? "" : "A")
    print ">q\n" changed substr(query, i - 299) >"q.fa"
}'
for score in edit wfa; do
    rhomb align --quiet --blocks --score $score t.fa q.fa -o whole.paf
    rhomb align --quiet --blocks --score $score --cut 2K t.fa q.fa -o cut.paf
    diff <(cut -f 1-9,14 cut.paf) <(cut -f 1-9,14 whole.paf) && echo "$score: as good as without"
    rhomb verify --quiet cut.paf t.fa q.fa || echo "=> $?"
done
cut -f 1-9 cut.paf
grep -o 'st:i:.*tp' cut.paf
rhomb align --quiet --match best --blocks --score wfa --cut 2K t.fa q.fa | cmp - cut.paf
try rhomb align --cut 2K t.fa q.fa
try rhomb align --cut 2K --blocks -K 9 t.fa q.fa
try rhomb align --cut 2K --blocks --json t.fa q.fa
