# SPDX-License-Identifier: MIT
# needs: device
# needs: command CrossMap
# CrossMap lifts every base that is aligned, in both directions, and no other.
awk 'BEGIN {
    srand(7)
    for (i = 0; i < 3000; i++) {
        base = substr("ACGT", 1 + int(4 * rand()), 1)
        target = target base
        change = rand()
        if (change < 0.05)
            query = query substr("ACGT", 1 + int(4 * rand()), 1)
        else if (change < 0.08)
            query = query base "ACCA"
        else if (change > 0.11)
            query = query base
    }
    print ">t\n" target >"t.fa"
    print ">q\n" query >"q.fa"
}'
rhomb align --quiet t.fa q.fa | grep -o 'cg:Z:[^	]*' | cut -c 6- | awk 'BEGIN { t = q = 0 } {
    while (match($0, /^[0-9]+[=XID]/)) {
        run = substr($0, 1, RLENGTH - 1) + 0
        op = substr($0, RLENGTH, 1)
        $0 = substr($0, RLENGTH + 1)
        for (; run > 0; run--) {
            if (op == "=" || op == "X")
                print "t\t" t "\t" t + 1 "\tq\t" q "\t" q + 1
            t += op != "I"
            q += op != "D"
        }
    }
}' >pairs
cut -f 1-3 pairs >t.bed
cut -f 4-6 pairs >q.bed
rhomb align --quiet -o there.chain t.fa q.fa
rhomb align --quiet -o back.chain.gz --chain-direction query-to-target t.fa q.fa
rhomb align --quiet -o pieces.chain --chunk 100 t.fa q.fa
for chain in there.chain pieces.chain; do
    CrossMap bed $chain t.bed lifted.bed 2>/dev/null
    cut -f 1-3 lifted.bed | cmp - q.bed && echo $chain
done
CrossMap bed back.chain.gz q.bed lifted.bed 2>/dev/null
cut -f 1-3 lifted.bed | cmp - t.bed && echo back.chain.gz
seq 0 2999 | awk '{ print "t\t" $1 "\t" $1 + 1 }' >all.bed
CrossMap bed there.chain all.bed lifted.bed 2>/dev/null
cut -f 1-3 lifted.bed | cmp - q.bed && echo all
