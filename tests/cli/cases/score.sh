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
for limit in 5 6 7; do
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
sed -n '/"scoring"/,/}/p; /"result"/,/}/p' score.json
