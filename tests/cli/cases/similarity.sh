# SPDX-License-Identifier: MIT
# needs: device
# One edit in two million bases does not print as similarity 1.
awk 'BEGIN { print ">long"; for (i = 0; i < 31250; i++)
    print "ACGTTGCAACGGTTCCAAGTCTGATTACAGATACATTTGGGCCCAAATGCATGCATCGATCGAT" }' >long.fa
sed '20000s/GATTACA/GATCACA/' long.fa >edited.fa
try rhomb distance --no-header long.fa edited.fa
try rhomb distance --no-header -K 0 long.fa edited.fa
try rhomb distance --no-header long.fa long.fa
