# SPDX-License-Identifier: MIT
# needs: device
# Where output goes: the name says format and compression, a file is complete or not there, and a place
# that cannot be written is an error.
printf '>t\nACGTCATGCTTGACCTGA\n' >t.fa
printf '>q\nACGTCTTGCTTGACTGA\n' >q.fa
printf '>bad\nAC!T\n' >bad.fa
rhomb align --quiet t.fa q.fa >expected.paf
mkdir named
while read -r name command; do
    # shellcheck disable=SC2086 # options
    rhomb $command --quiet -t 2 -o named/$name t.fa q.fa || echo "=> $?"
    printf '%-12s %s\n' $name "$(gzip -dcf <named/$name | head -n 1 | cut -c 1-20)"
    gzip -t <named/$name 2>/dev/null && echo compressed
done <<'END'
out.SAM align
OUT.Tsv.GZ align
out.PAF.gz align
out.paf.bgz align
out.json.BgZ align
out.txt align
out.gz align
paf align
.paf align
out.v.1 align
sam.rows align --format sam
distance.txt distance
out.json distance
out.phy matrix --format phylip
batch.jsonl batch --format json
batch.TSV batch
batch.paf batch
END
gzip -dc named/out.PAF.gz | cmp - expected.paf
rhomb align --quiet -o named/out.BAM t.fa q.fa
ls -A named
# A name that ends in what a command does not write is refused.
for ending in bcf delta coords psl bed fa png xlsx gaf aln clustal 2bit wig bw tab xml yaml fai; do
    rhomb align -o out.$ending t.fa q.fa 2>&1 | grep -o "not write $ending "
done | cut -d ' ' -f 3 | paste -s -d ' '
try rhomb batch -o batch.rows t.fa q.fa

# What was there stays until there is something better.
cp expected.paf out.paf
ln -s out.paf link.paf
try rhomb align -o link.paf --report report.json t.fa bad.fa
try rhomb align -o out.paf --dry-run t.fa bad.fa
cmp out.paf expected.paf
try rhomb align --quiet -o link.paf t.fa t.fa
grep -o 'cg.*' out.paf
# Nor is a link lost that leads to nothing yet.
mkdir folder
ln -s folder/later.paf later.paf
try rhomb align --quiet -o later.paf t.fa q.fa
readlink link.paf later.paf
cmp folder/later.paf expected.paf
ln -s round.tsv about.tsv
ln -s about.tsv round.tsv
for place in round.tsv missing/out.tsv .; do
    try rhomb distance -o $place t.fa q.fa
done
try rhomb align -o out.paf --report missing/report.json t.fa q.fa
try rhomb distance --quiet --no-header -o - t.fa q.fa
# A cache that cannot be written costs time only.
for cache in /dev/null/cache off; do
    try rhomb distance --quiet --no-header --cache-dir $cache t.fa q.fa
done
ls

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
try rhomb align --quiet --format paf -o /dev/null t.fa /dev/null

# What SAM cannot hold.
printf '>t,1\nACGT\n' >comma.fa
try rhomb align --quiet --format sam comma.fa q.fa
try rhomb align --quiet --format sam --alphabet bytes bad.fa bad.fa

# A file that may not grow: nothing of it stays, and what was there does.
printf '>long\n%5000s\n' '' | tr ' ' A >long.fa
printf '>e\n' >e.fa
try rhomb align --quiet -o long.tsv long.fa e.fa
(ulimit -f 4 && try rhomb align --quiet -o limited.tsv long.fa e.fa) | cat # what comes before is longer
(ulimit -f 4 && rhomb align --quiet -o long.tsv long.fa e.fa 2>/dev/null) || echo "=> $?"
(ulimit -f 0 && rhomb help >limited.txt 2>/dev/null) || echo "=> $?"
wc -c <long.tsv
rhomb align --quiet -o same.paf long.fa long.fa
(ulimit -f 1 && try rhomb report -o limited.json same.paf long.fa long.fa) | cat
ls limited.tsv limited.json 2>/dev/null

# A full disk, written to as it is and compressed.
if [ -w /dev/full ]; then
    ln -s /dev/full full.paf
    ln -s /dev/full full.paf.gz
    try rhomb align -o full.paf t.fa q.fa
    try rhomb align -o full.paf.gz t.fa q.fa
    try rhomb align -o out.paf --report full.paf t.fa q.fa
fi
