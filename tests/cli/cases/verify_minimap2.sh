# SPDX-License-Identifier: MIT
# needs: command minimap2
# What minimap2 writes about a generated pair, on both strands, in each of its notations.
awk 'BEGIN {
    srand(7)
    for (i = 0; i < 30000; i++) { t = t substr("ACGT", int(4 * rand()) + 1, 1); }
    t = substr(t, 1, 9000) "NNNNNNNNNNRYK" substr(t, 9014)
    for (i = 1; i <= 30000; i++) {
        c = substr(t, i, 1); r = rand()
        if (r < 0.01) c = substr("ACGT", int(4 * rand()) + 1, 1)
        else if (r < 0.013) c = ""
        else if (r < 0.016) c = c substr("ACGTN", int(5 * rand()) + 1, 1)
        q = q c
    }
    print ">t\n" t >"t.fa"
    print ">q\n" q "\n>half\n" tolower(substr(q, 8000, 9000)) >"q.fa"
}'
tail -n 1 q.fa | rev | tr acgtryk tgcayrm | sed '1i>reverse' >>q.fa
for options in -c '-c --eqx' --cs '--cs=long' '-c --cs --eqx --paf-no-hit'; do
    # shellcheck disable=SC2086 # several options
    minimap2 $options t.fa q.fa >mm.paf 2>messages || cat messages
    # The operations of the alignments are minimap2's choice, and may be another version's other one.
    rhomb verify mm.paf t.fa q.fa | sed -E 's/(bases|edits) [0-9]+/\1 .../g'
    [ "$(cut -f 5 mm.paf | sort -u | tr -d '\n')" = '+-' ] || echo 'not both strands'
    grep -q 'nn:i:[1-9]' mm.paf || echo 'no N in it'
    sed -E '1s/NM:i:([0-9])/NM:i:1\1/' mm.paf >wrong.paf
    rhomb verify wrong.paf t.fa q.fa 2>messages
    echo "$options => $?"
    sed -E 's/[0-9]+, but the path has [0-9]+/.../' messages
done
# AS by the presets' scores, N and IUPAC codes included; not by other scores.
for preset in asm5 asm10 asm20 map-ont; do
    minimap2 -c -x $preset t.fa q.fa >mm.paf 2>messages || cat messages
    grep -q 'nn:i:[1-9]' mm.paf || echo 'no N in it'
    rhomb verify --quiet --score $preset mm.paf t.fa q.fa
    echo "$preset => $?"
    rhomb verify --quiet --score wfa mm.paf t.fa q.fa 2>messages
    echo "wfa => $?"
done
