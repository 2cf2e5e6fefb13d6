# SPDX-License-Identifier: MIT
# needs: device
# needs: no sketch
# A program that was built without minimap2's library works, says nothing of a pair, and with -v why.
rhomb --version | grep -o '(built without sketches)'
awk 'BEGIN {
    random = 1
    for (i = 0; i < 1000; i++) {
        random = (random * 16807) % 2147483647
        at = 1 + int(random / 1000) % 4
        text = text substr("ACGT", at, 1)
        other = substr("TGCA", at, 1) other
    }
    print ">forward\n" text >"forward.fa"
    print ">reverse\n" other >"reverse.fa"
}'
try rhomb distance --no-header forward.fa reverse.fa
try rhomb distance --no-header --no-sketch forward.fa reverse.fa
rhomb distance -v forward.fa reverse.fa 2>&1 | grep sketch
try rhomb batch --no-header forward.fa reverse.fa
try rhomb distance --strand auto forward.fa reverse.fa
try rhomb align --rotate auto forward.fa reverse.fa
try rhomb batch --match best forward.fa reverse.fa
try rhomb matrix --by-file forward.fa reverse.fa
try rhomb matrix forward.fa reverse.fa
try rhomb distance --no-header --strand - forward.fa reverse.fa
try rhomb compare forward.fa reverse.fa -o out
