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
