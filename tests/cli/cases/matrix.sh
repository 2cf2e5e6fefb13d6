# SPDX-License-Identifier: MIT
# needs: device
# All pairs of records: formats, values, limits, names, and going on after a run that was stopped.
printf '>a one\nACGTACGTAC\n>b\nACGTTCGTAC\n>empty\n>c\nacgtacgNNNNN\n' >all.fa
printf '>b\nACGTTCGTACC\n' | gzip -n >b.fa.gz
try rhomb matrix all.fa
try rhomb matrix --similarity all.fa
try rhomb matrix --lower all.fa
try rhomb matrix -K 4 all.fa
try rhomb matrix -K 4 --similarity all.fa
try rhomb matrix -K 4 --limit-as NA all.fa
try rhomb matrix -K 4 --limit-as 0.5 --similarity all.fa
try rhomb matrix -K 4 --limit-as 1000 --format phylip all.fa
try rhomb matrix --score wfa all.fa
try rhomb matrix --score affine:2,0,2 all.fa
try rhomb matrix --score affine:2,0,2 --similarity all.fa
try rhomb matrix --format phylip all.fa
try rhomb matrix all.fa --lower -o lower.phy
cat lower.phy
# Records of several files: a name that two have gets its file.
try rhomb matrix all.fa b.fa.gz
gzip -dc b.fa.gz | try rhomb matrix --quiet - all.fa
head -n 4 all.fa | try rhomb matrix -
printf '>x\nA\n' >x.fa
try rhomb matrix x.fa
# A bad letter has a name and a file.
printf '>y\nAJ\n>b\nJ\n' >letter.fa
try rhomb matrix letter.fa
try rhomb matrix x.fa letter.fa
head -n 2 letter.fa | try rhomb matrix x.fa -

# --resume keeps what there is, goes on after a line that was cut, and refuses what is not its own.
try rhomb matrix --resume kept all.fa -o first.tsv
head -c -9 kept >cut
try rhomb matrix --resume cut all.fa -o second.tsv
cmp kept cut && cmp first.tsv second.tsv
try rhomb matrix --resume kept all.fa -o third.tsv
cmp first.tsv third.tsv
try rhomb matrix --resume kept --lower all.fa
try rhomb matrix --resume kept -K 3 all.fa
try rhomb matrix --resume kept all.fa b.fa.gz
: >nothing
try rhomb matrix --quiet --resume nothing all.fa -o fourth.tsv
cmp kept nothing
for at in 1 19 100 $(($(wc -c <kept) - 90)); do
    { head -c "$at" kept && printf x && tail -c +$((at + 2)) kept; } >damaged
    try rhomb matrix --resume damaged all.fa
done
try rhomb matrix --resume b.fa.gz all.fa
try rhomb matrix --resume none/kept all.fa
[ -e none ] || echo 'no folder'

# What cannot be.
try rhomb matrix missing.fa
printf '>z\nACXGT\n' >z.fa
try rhomb matrix all.fa z.fa
try rhomb matrix all.fa all.fa
printf '>y\nA\n>y\nC\n' >twice.fa
try rhomb matrix twice.fa
for value in '' nan .5 5. -1 1e3 '1 2'; do
    try rhomb matrix -K 5 --limit-as "$value" all.fa 2>&1 | head -n 2
done
try rhomb matrix -o all.fa all.fa
try rhomb matrix --tune group=3 all.fa
