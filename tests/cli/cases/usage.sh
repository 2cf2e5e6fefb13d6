# SPDX-License-Identifier: MIT
# Usage errors: status 2, nothing on standard output, the nearest thing there is.
try rhomb
try rhomb distnace a b
try rhomb frobnicate
try rhomb --vresion
try rhomb -x
try rhomb help devics
try rhomb help distance devices
try rhomb distance
try rhomb distance a
try rhomb distance a b c
try rhomb distance - -
try rhomb distance --jsn a b
try rhomb distance --frobnicate a b
try rhomb distance --d a b
try rhomb distance -Z a b
try rhomb distance --json=yes a b
try rhomb distance a b --max-distance
try rhomb distance a b -K
for number in '' x -1 1.5 12x 1KK 9223372036854775808 9223372036854776K; do
    try rhomb distance -K "$number" a b
done
try rhomb distance --alphabet protein a b
try rhomb distance --engine magic a b
for tuning in '' group group=x group=3000000000 shape=round prune=maybe speed=9 group=64,,items=2 \
    bases=1.5 sweep-block=-1; do
    try rhomb distance --tune "$tuning" a b
done
try rhomb align
try rhomb align a
try rhomb align --jsno a b
try rhomb align --format psl a b
# What minimap2's letters are here.
for letter in -x -a -c; do
    for command in align distance batch verify; do
        try rhomb $command $letter a b
    done
done
for number in '' 0 x -1; do
    try rhomb align --chunk "$number" a b
done
try rhomb align --split-at 0 a b
try rhomb align --chunk 5 --format tsv a b
try rhomb align --cs -o out.sam a b
try rhomb align --report - a b
try rhomb devices extra
try rhomb devices --calibrate -d 1
try rhomb devices --jsno
# The name of a file to write that is empty, as of a variable that is not set, is told at once.
try rhomb distance -o '' missing.fa missing.fa
try rhomb align --output '' missing.fa missing.fa
try rhomb align -o out.paf --report= missing.fa missing.fa
try rhomb batch -o '' missing.fa
