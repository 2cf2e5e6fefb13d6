# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# A circle that was cut elsewhere has no relocations, on either strand, whether the records say so
# or not; then an event says where it was cut. What moved from the middle to an end is no circle.
awk 'BEGIN {
    random = 7
    for (i = 0; i < 9000; i++) {
        random = (random * 16807) % 2147483647
        text = text substr("ACGT", 1 + int(random / 1000) % 4, 1)
    }
    print ">t\n" text >"t.fa"
    print ">q\n" substr(text, 4001, 999) "TT" substr(text, 5002) substr(text, 1, 4000) >"q.fa"
}'
{ echo '>q' && sed 1d q.fa | rev | tr ACGT TGCA; } >r.fa
for query in q.fa r.fa; do
    rhomb align --quiet --rotate auto --strand auto t.fa $query >out.paf
    cut -f 1-9 out.paf
    rhomb report out.paf t.fa $query | grep -iE 'reloc|invers|transloc|insertions'
    sed 's/\tro:i:[0-9]*//' out.paf >plain.paf
    rhomb report plain.paf t.fa $query | grep -iE 'reloc'
    rhomb report --format tsv plain.paf t.fa $query
done
{ echo '>q' && sed 1d t.fa | cut -c 3001-6000 && sed 1d t.fa | cut -c 1-3000 && sed 1d t.fa | cut -c 6001-; } >m.fa
rhomb align --quiet --match best --blocks t.fa m.fa >moved.paf
rhomb report --format tsv moved.paf t.fa m.fa
