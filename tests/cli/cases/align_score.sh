# SPDX-License-Identifier: MIT
# needs: device
# rhomb align --score: the score of each record in every format, with the tag that names the scoring,
# by which rhomb verify finds it right; messages, plan and JSON say what they say for distances.
printf '>t\nACGTCATGCTTgacctgatgcagtcaNNRGATC\n' >t.fa
printf '>q\nTACGTCTTGCTTGACCTGTGCAGTCACTAAAAGNNRGAT\n' >q.fa
printf '>e\n' >e.fa
# Unit costs by any name leave no tag.
try rhomb align --quiet t.fa q.fa
rhomb align --quiet t.fa q.fa >unit.paf
for score in edit affine:1,0,1 match:0,1,0,1; do
    rhomb align --quiet --score $score t.fa q.fa | cmp - unit.paf
done
# The same path, at other prices.
for score in affine:2,0,2 affine:03,0,3 match:2,0,0,1 match:6,0,0,3; do
    rhomb align --quiet --cs --score $score t.fa q.fa -o scored.paf
    cut -f 13-16 scored.paf
    cut -f 1-13,17- scored.paf >cut.paf
    rhomb align --quiet --cs t.fa q.fa | cut -f 1-13,16- | cmp - cut.paf
    try rhomb verify scored.paf t.fa q.fa
    sed -E 's/AS:i:(-?)/AS:i:\11/' scored.paf >wrong.paf
    try rhomb verify wrong.paf t.fa q.fa
    for options in '--split-at 2' '--chunk 5' '--split-at 2 --chunk 5'; do
        rhomb align --quiet --score $score $options t.fa q.fa -o rows.paf
        rhomb verify --quiet rows.paf t.fa q.fa || cat rows.paf
    done
done
try rhomb align --quiet --score match:2,0,0,1 --chunk 10 t.fa q.fa
try rhomb align --quiet --score match:2,0,0,1 --split-at 2 t.fa q.fa
rhomb align --quiet --score match:2,0,0,1 --format sam t.fa q.fa | sed -n '4p' | cut -f 12-
rhomb align --quiet --score affine:2,0,2 --format tsv t.fa q.fa >scored.tsv
rhomb align --quiet --format tsv t.fa q.fa | cmp - scored.tsv
rhomb align --quiet --score match:2,0,0,1 --format json t.fa q.fa >score.json
as_json score.json
sed -n '/"scoring"/,/}/p; /"result"/,/}/p' score.json
for pair in 't.fa t.fa' 'e.fa t.fa' 't.fa e.fa' 'e.fa e.fa'; do
    try rhomb align --quiet --score match:2,0,0,1 $pair
done
# Limits are penalties.
try rhomb align --quiet -K 10 --score affine:2,0,2 t.fa q.fa
words() { "$@" 2>&1 >/dev/null | grep scoring; }
words rhomb align -v --score match:2,0,0,1 t.fa q.fa
rhomb align --quiet --dry-run --score affine:2,0,2 t.fa q.fa | grep -E '^(scoring|distance)'
try rhomb align --score affine:2 t.fa q.fa
