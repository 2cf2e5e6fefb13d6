# SPDX-License-Identifier: MIT
# needs: device
# --score: scaled unit costs with every engine, the score column, limits in penalties, what no engine
# computes, and every pair that needs none.
printf '>t\nACGTACGTACGTACGTACGT\n' >t.fa
printf '>q\nACGTTCGTACCTACGTACG\n' >q.fa
printf '>e\n' >e.fa
try rhomb distance --score edit t.fa q.fa
for engine in auto wavefront bitparallel; do
    try rhomb distance --no-header --engine $engine --score affine:2,0,2 t.fa q.fa
done
try rhomb distance --score match:2,0,0,1 t.fa q.fa
for limit in 5 6; do
    try rhomb distance --no-header -K $limit --score affine:2,0,2 t.fa q.fa
done
try rhomb distance --no-header -K 5 --score match:2,0,0,1 t.fa q.fa

# Nothing to compute: identical, empty, or further apart than the limit whatever the bases are.
for score in wfa asm5 asm10 asm20 map-ont affine2p:5,8,2,24,1; do
    try rhomb distance --no-header --score $score t.fa t.fa
    try rhomb distance --no-header --score $score t.fa e.fa
done
try rhomb distance --no-header --score asm5 e.fa e.fa
try rhomb distance --no-header -K 7 --score wfa t.fa q.fa
try rhomb distance --no-header -K 10 --score map-ont t.fa e.fa

try rhomb distance --engine wavefront --score wfa t.fa q.fa
try rhomb distance --engine wavefront --score affine:9999,20000,1 t.fa q.fa

# Directions that meet just before a batch of launches ends, for costs that look back far.
printf '>t\nGTGATTAGACCTACGAACCTGCAC\n' >far.fa
printf '>q\nTCAGGGGGTGATAACA\n' >farther.fa
printf '>t\nU\n' >short.fa
printf '>q\nSHTYRCVUW\n' >codes.fa
for engine in wavefront bitparallel; do
    try rhomb distance --no-header --engine $engine --score affine:1,0,1000 far.fa farther.fa
    try rhomb distance --no-header --engine $engine --score affine:1,0,1000 short.fa codes.fa
done
for limit in 8007 8008 8009; do
    try rhomb distance --no-header --engine wavefront -K $limit --score affine:1,0,1000 far.fa farther.fa
done

# In words, in the plan and in JSON.
words() { "$@" 2>&1 >/dev/null | grep scoring; }
words rhomb distance -v --score map-ont t.fa e.fa
words rhomb distance -v --score affine:2,0,2 t.fa q.fa
words rhomb distance -v --score affine:2,0,2 -K 1 t.fa q.fa
words rhomb distance -v t.fa q.fa
rhomb distance --quiet --dry-run --score affine:2,0,2 t.fa q.fa | grep -E '^(scoring|distance)'
rhomb distance --quiet --json --score asm20 t.fa e.fa >score.json
as_json score.json
sed -n '/"scoring"/,/}/p; /"result"/,/}/p' score.json | rows_of_json

apart
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
for score in affine:03,0,3 match:2,0,0,1; do
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
sed -n '/"scoring"/,/}/p; /"result"/,/}/p' score.json | rows_of_json
for pair in 't.fa t.fa' 'e.fa t.fa' 't.fa e.fa' 'e.fa e.fa'; do
    try rhomb align --quiet --score match:2,0,0,1 $pair
done
# Limits are penalties.
try rhomb align --quiet -K 10 --score affine:2,0,2 t.fa q.fa
words() { "$@" 2>&1 >/dev/null | grep scoring; }
words rhomb align -v --score match:2,0,0,1 t.fa q.fa
rhomb align --quiet --dry-run --score affine:2,0,2 t.fa q.fa | grep -E '^(scoring|distance)'
# Gaps that cost something to open: two of them that save three matches with wfa, which costs 6 + 18 *
# 2 and 6 + 16 * 2; one with asm20, which costs 26 + 34 and leaves one of the matches.
printf '>t\nCGATTCAAATGAAGTCCCTGAGAGGCTTGTGGGTCCGGAAATGTGCCATCGGCAGCAGGCC\n' >gap_t.fa
printf '>q\nCGATTCAAATGAGGGCGGCAGCAGGCC\n' >gap_q.fa
try rhomb align --quiet gap_t.fa gap_q.fa
for score in wfa asm20; do
    for engine in auto wavefront bitparallel; do
        rhomb align --quiet --engine $engine --score $score gap_t.fa gap_q.fa -o $engine.paf
        cmp $engine.paf auto.paf
    done
    try cat auto.paf
    try rhomb verify auto.paf gap_t.fa gap_q.fa
    rhomb distance --quiet --no-header --score $score gap_t.fa gap_q.fa | cut -f 5,6
    try rhomb align --quiet --score $score gap_q.fa gap_t.fa
    try rhomb align --quiet --score $score --split-at 12 gap_t.fa gap_q.fa
    try rhomb align --quiet --score $score --chunk 40 gap_t.fa gap_q.fa
done
try rhomb align --quiet --format tsv --score wfa gap_t.fa gap_q.fa
rhomb align --quiet --format sam --score asm20 gap_t.fa gap_q.fa | sed -n '4p' | cut -f 6,12-
rhomb align --quiet --format json --score asm20 gap_t.fa gap_q.fa >score.json
as_json score.json
sed -n '/"result"/,/}/p' score.json | rows_of_json
for limit in 79 80; do
    try rhomb align -K $limit --score wfa gap_t.fa gap_q.fa
done
rhomb align --quiet --dry-run --score wfa gap_t.fa gap_q.fa | grep -E '^(scoring|distance)'
# One sequence empty, and no gap at all.
try rhomb align --quiet --score asm20 e.fa gap_q.fa
try rhomb align --quiet --score wfa gap_t.fa gap_t.fa

try rhomb align --score affine:9999,20000,1 --engine wavefront t.fa q.fa
