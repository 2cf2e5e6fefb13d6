# SPDX-License-Identifier: MIT
# needs: command dnadiff
# needs: command minimap2
# dnadiff counts what was planted, and so does the report of minimap2's records: 60 SNPs, of which 20
# are transitions, 12 insertions and 6 deletions of 3 bases, an inversion of 4 kb.
awk 'BEGIN {
    srand(7)
    split("A C G T", base, " ")
    partner["A"] = "T"; partner["C"] = "G"; partner["G"] = "C"; partner["T"] = "A"
    other["A"] = "G"; other["C"] = "T"; other["G"] = "A"; other["T"] = "C"
    for (i = 1; i <= 60000; i++) target[i] = base[1 + int(4 * rand())]
    for (i = 1; i <= 60000; i++) letter[i] = target[i]
    for (i = 28001; i <= 32000; i++) letter[i] = partner[target[60001 - i]]
    # An edit every 700 bases, but not at the ends of the inversion.
    for (i = 700; i < 60000; i += 700) {
        if ((i > 27500 && i < 32500) || edits >= 80) continue
        kind = edits++
        if (kind < 20) letter[i] = other[letter[i]]
        else if (kind < 60) letter[i] = partner[letter[i]]
        else if (kind < 72) letter[i] = letter[i] (letter[i] == "A" ? "CCC" : "AAA")
        else letter[i] = letter[i + 1] = letter[i + 2] = ""
    }
    for (i = 1; i <= 60000; i++) { t = t target[i]; q = q letter[i] }
    print ">t\n" t >"t.fa"
    print ">q\n" q >"q.fa"
}'
dnadiff -p diff t.fa q.fa 2>dnadiff.log || cat dnadiff.log
minimap2 -cx asm5 --eqx t.fa q.fa 2>/dev/null >out.paf
rhomb report out.paf t.fa q.fa -o report.txt
dnadiff_says() { awk -v name="$1" '$1 == name { print name, $2, $3; exit }' diff.report; }
report_says() { awk -v name="$1" 'index($0, name) == 1 { print name ":", $(NF - 1), $NF; exit }' report.txt; }
dnadiff_says TotalSNPs
awk '/TotalSNPs/,/TotalGSNPs/' diff.report | awk '$1 == "AG" || $1 == "GA" || $1 == "CT" || $1 == "TC" { split($2, n, "("); sum += n[1] } END { print "transitions", sum }'
dnadiff_says TotalIndels
dnadiff_says Breakpoints
dnadiff_says Inversions
dnadiff_says Relocations
dnadiff_says Translocations
awk '/^SNPs/ { print "SNPs:", $2 } /^  transitions/ { print "transitions:", $2 }' report.txt
report_says indels
sed -n '/Indels/,/Rearr/p' report.txt | awk '$1 == "bases" { print "indel bases:", $2 + $3 }'
awk '/^inversions|^relocations|^translocations/ { print $1 ":", $2 }' report.txt
report_says breakpoints
report_says 'to the other strand'
report_says 'in another order'
# The kinds of substitutions, one by one.
for kind in A.C A.G A.T C.A C.G C.T G.A G.C G.T T.A T.C T.G; do
    theirs=$(awk -v name="${kind/./}" '/TotalSNPs/ { on = 1 } on && $1 == name { split($2, n, "("); print n[1]; exit }' diff.report)
    ours=$(awk -v name="${kind/./>}" '$1 == name { print $2 }' report.txt)
    [ "$theirs" = "$ours" ] || echo "$kind: $ours, dnadiff $theirs"
done
