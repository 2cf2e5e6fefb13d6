# SPDX-License-Identifier: MIT
# needs: device
# Alignments in every format. The pair has one alignment of its cost, so that all engines write it.
printf '>t some words\nACGTCATGCTTgacctgatgcagtcaNNRGATC\n' >t.fa
printf '>q\nTACGTCTTGCTTGACCTGTGCAGTCACTAAAAGNNRGAT\n' >q.fa
printf '>e\n' >e.fa
for format in paf sam tsv json; do
    rhomb align --quiet --format $format t.fa q.fa >out.$format
    echo "=> $?"
    [ $format = json ] || cat out.$format
done
try rhomb align --no-header --format tsv t.fa q.fa
sed -n -E -e '/"result"/,/}/p' -e '/"(operations|matches|mismatches|inserted|deleted)":.*[0-9]/p' \
    -e '/"operations":.*\[/,$p' out.json
as_json out.json
rhomb align --json --quiet t.fa q.fa | sed -n '/"operations":.*\[/,$p' >by_name
sed -n '/"operations":.*\[/,$p' out.json | cmp - by_name
for engine in wavefront bitparallel; do
    rhomb align --quiet --engine $engine t.fa q.fa | cmp - out.paf
done

# PAF records end at long gaps and after every so many bases of the target.
try rhomb align --quiet --cs t.fa q.fa
try rhomb align --quiet --split-at 2 --cs t.fa q.fa
try rhomb align --quiet --chunk 10 t.fa q.fa
try rhomb align --quiet --split-at 1 --chunk 1K t.fa q.fa

# Regions of records, bytes as symbols, and empty sequences.
try rhomb align --quiet -r t:5-12 -q q:6-13 t.fa q.fa
printf '>text\nhello,world\n' >text.fa
printf '>text\nHello,World!\n' >Text.fa
try rhomb align --alphabet bytes text.fa Text.fa
try rhomb align --alphabet bytes --format tsv text.fa Text.fa
try rhomb align t.fa t.fa
for pair in 't.fa e.fa' 'e.fa t.fa' 'e.fa e.fa'; do
    try rhomb align --quiet $pair
    try rhomb align --quiet --split-at 5 $pair
    try rhomb align --quiet --no-header --format tsv $pair
done

# There is no alignment beyond the limit.
for format in paf sam tsv; do
    try rhomb align --max-distance 3 --format $format t.fa q.fa
done
rhomb align --max-distance 3 --json t.fa q.fa 2>/dev/null >limit.json
as_json limit.json
grep -E '"(distance|alignment|operations)":.*null' limit.json
