# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# needs: plot
# Two genomes in one command: everything that was planted is in the folder, with its type and place.
make_sequences '# A substitution each 3 kb.
function changed(text,    i, out) {
    for (i = 1500; i <= length(text) - 1500; i += 3000)
        text = substr(text, 1, i - 1) substr("CATG", index("ACGT", substr(text, i, 1)), 1) substr(text, i + 1)
    return text
}
BEGIN {
    a = bases(200000); b = bases(60000); circle = bases(30000)
    print ">a\n" a "\n>circle\n" circle "\n>b\n" b >"target.fa"
    other = substr(a, 1, 30000) bases(9000) substr(a, 40001, 20000)             # replaced
    other = other reversed(substr(a, 60001, 12000)) substr(a, 72001, 23000)     # inverted
    other = other substr(a, 90001, 2000) "ACGTAC" substr(a, 92001, 3000)        # in tandem, an insertion in one
    other = other substr(a, 95001, 25000)
    other = other substr(b, 20001, 8000) substr(a, 120001, 20000)               # of another record
    other = other substr(a, 10001, 6000) substr(a, 140001, 20000)               # once more
    other = other bases(4000) substr(a, 160001, 10000) substr(a, 177001)        # new, and lost
    moved = substr(b, 1, 20000) substr(b, 28001)
    print ">q_b\n" changed(moved) "\n>q_circle\n" changed(substr(circle, 12001) substr(circle, 1, 12000)) >"query.fa"
    print ">q_a\n" changed(other) >"query.fa"
    print ">q_b\n" reversed(changed(moved)) "\n>q_a\n" reversed(changed(other)) >"other.fa"
    print ">q_circle\n" reversed(changed(substr(circle, 12001) substr(circle, 1, 12000))) >"other.fa"
    print ">p\nMKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVK" >"protein.fa"
}'
try rhomb compare target.fa query.fa -o out
ls out
cat out/rearrangements.tsv
# The page says it all; the other files have the same numbers.
grep -c -e '<a href="variants.vcf">' -e '<td class="n">inversion<' -e 'ANI' -e '<svg' out/report.html
head -n 2 out/report.txt
grep -c '"schema":	"rhomb.report.1"' out/report.json
grep -v '^#' out/variants.vcf | awk -F '\t' '$7 == "PASS" && length($4) == 1 && length($5) == 1' | wc -l
try rhomb verify out/alignments.paf target.fa query.fa
cut -f 1-9,13-16 out/alignments.paf | sed 's/\tcg:.*//'
rhomb report -o again.tsv out/alignments.paf target.fa query.fa
cmp again.tsv out/rearrangements.tsv

# The same of the other strand of all queries.
rhomb compare --quiet target.fa other.fa -o other/ | grep -e SNPs -e moved -e copies -e see
cut -f 1-4,8- other/rearrangements.tsv

# Options.
try rhomb compare --quiet --score edit --min-identity 95 -t 1 target.fa query.fa -o edit
rhomb compare --quiet --dry-run target.fa query.fa | cut -f 1-10 | head -n 4

# What cannot be compared leaves nothing; nothing is overwritten.
: >empty.fa
ln -s target.fa link.fa
mkdir full && echo mine >full/file
for input in empty.fa protein.fa none.fa link.fa -; do
    try rhomb compare target.fa $input -o bad
    try rhomb compare --resume $input target.fa -o bad
done
try rhomb compare target.fa query.fa -o full
try rhomb compare target.fa query.fa -o full/.
try rhomb compare target.fa query.fa -o out
try rhomb compare --resume target.fa query.fa -o out
try rhomb compare target.fa query.fa -o query.fa
try rhomb compare target.fa query.fa -o none/out
cat full/file
ls

# Into an empty folder; and one that goes on, which has the same in the end.
mkdir there
rhomb compare --quiet target.fa query.fa -o there >/dev/null
mkdir -p resumed.partial/report.txt
try rhomb compare --quiet --resume target.fa query.fa -o resumed
ls -d resumed*
rmdir resumed.partial/report.txt
rhomb compare --quiet --resume target.fa query.fa -o resumed | tail -n 1
for file in alignments.paf variants.vcf rearrangements.tsv report.txt; do
    cmp out/$file there/$file
    cmp out/$file resumed/$file
done
ls -d resumed*
# What a run that goes on would write is no input; and what was killed leaves nothing in the folder.
mkdir on.partial && cp target.fa on.partial/report.txt
try rhomb compare on.partial/report.txt query.fa -o on --resume
try rhomb compare on.partial/report.txt query.fa -o on/ --resume
mkdir on
try rhomb compare on.partial/report.txt query.fa -o on --resume
rmdir on
mv on.partial/report.txt on.partial/report.html.abcdef
rhomb compare --quiet target.fa query.fa -o on --resume >on.txt
ls on
