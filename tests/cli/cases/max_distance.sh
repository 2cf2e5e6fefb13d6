# SPDX-License-Identifier: MIT
# needs: device
# --max-distance below, at and above the distance (3), and where a look at the lengths is enough.
printf '>t\nACGTACGTACGTACGTACGT\n' >t.fa
printf '>q\nACGTTCGTACCTACGTACG\n' >q.fa
printf '>e\n' >e.fa
for limit in 0 1 2 3 4 1K 9G; do
    try rhomb distance --no-header -K $limit t.fa q.fa
done
try rhomb distance --no-header --max-distance 0 t.fa t.fa
try rhomb distance --no-header --max-distance 19 t.fa e.fa
try rhomb distance --no-header --max-distance 20 t.fa e.fa
try rhomb distance --no-header --max-distance 0 e.fa e.fa

# What the limit saved of a small tile's launches, and what the end diagonal did.
{ printf '>f\n'; for i in 1 2 3 4 5 6 7 8 9; do printf 'ACGTTGCAGATCCATGTTGACCAGTAGGCA\n'; done; } >f.fa
{ printf '>g\n'; for i in 1 2 3 4 5 6 7 8 9; do printf 'CATTGACGGTACCTGAACGTTAGCCATTGG\n'; done; } >g.fa
for limit in 120 1K; do
    rhomb distance -v --engine wavefront -K $limit \
        --tune group=2,items=2,scores=1,launches=1,directions=1 f.fa g.fa 2>&1 | grep pruning:
done
