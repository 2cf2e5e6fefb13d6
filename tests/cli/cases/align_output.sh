# SPDX-License-Identifier: MIT
# needs: device
# Where alignments go: the name says format and compression, and a file is complete or not there.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
printf '>bad\nAC!T\n' >bad.fa
rhomb align --quiet t.fa q.fa >expected.paf
for name in out.paf out.sam out.tsv out.json out.txt out.paf.gz out.tsv.gz out.gz paf .paf; do
    rhomb align --quiet -t 2 -o $name t.fa q.fa || echo "=> $?"
    case $name in
    *.gz) printf '%-12s %s\n' $name "$(gzip -dc $name | head -n 1 | cut -c 1-20)" ;;
    *) printf '%-12s %s\n' $name "$(head -n 1 $name | cut -c 1-20)" ;;
    esac
done
gzip -dc out.paf.gz | cmp - expected.paf
try rhomb align --quiet --format paf -o out.rows t.fa q.fa
cmp out.rows expected.paf
rm -f paf .paf out.*

# What was there stays until there is something better.
cp expected.paf out.paf
try rhomb align -o out.paf --report report.json t.fa bad.fa
try rhomb align -o out.paf --dry-run t.fa bad.fa
cmp out.paf expected.paf
try rhomb align -o missing/out.paf t.fa q.fa
try rhomb align -o out.paf --report missing/report.json t.fa q.fa
try ls

# The report beside, and the plan.
try rhomb align --quiet -o out.sam --report report.json t.fa q.fa
as_json report.json
grep -E '"(schema|matches|md5)"' report.json
grep -c operations report.json
rhomb align --dry-run --quiet -o plan.paf t.fa q.fa | grep -o '[^ ]* [^ ]* more for .*'
rhomb align --dry-run --quiet --json t.fa q.fa >plan.json
as_json plan.json
grep -o '"path_[a-z_]*".*' plan.json
ls plan.paf 2>/dev/null

# Two outputs have two names, and no input is replaced, whatever it is called.
ln -s q.fa link.fa
try rhomb align -o t.fa t.fa q.fa
try rhomb align --report ./q.fa t.fa q.fa
try rhomb align -o link.fa t.fa q.fa
try rhomb distance -o q.fa t.fa q.fa
try rhomb batch -o t.fa t.fa q.fa
try rhomb align --quiet --format paf -o /dev/null t.fa /dev/null
ls both.paf out.bcf 2>/dev/null
grep -c '>' t.fa q.fa

# What SAM cannot hold.
printf '>t,1\nACGT\n' >comma.fa
try rhomb align --quiet --format sam comma.fa q.fa
try rhomb align --quiet --format sam --alphabet bytes bad.fa bad.fa

# A file that may not grow: nothing of it stays, and what was there does.
printf '>long\n%5000s\n' '' | tr ' ' A >long.fa
printf '>e\n' >e.fa
try rhomb align --quiet -o long.tsv long.fa e.fa
(ulimit -f 4 && try rhomb align --quiet -o limited.tsv long.fa e.fa)
(ulimit -f 4 && rhomb align --quiet -o long.tsv long.fa e.fa 2>/dev/null) || echo "=> $?"
(ulimit -f 0 && rhomb help >limited.txt 2>/dev/null) || echo "=> $?"
wc -c <long.tsv
ls limited.tsv 2>/dev/null

# A full disk, written to as it is and compressed.
if [ -w /dev/full ]; then
    ln -s /dev/full full.paf
    ln -s /dev/full full.paf.gz
    try rhomb align -o full.paf t.fa q.fa
    try rhomb align -o full.paf.gz t.fa q.fa
    try rhomb align -o out.paf --report full.paf t.fa q.fa
fi
