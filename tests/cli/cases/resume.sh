# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# A run of many pairs that is stopped goes on where it was: here the file may not become longer.
make_sequences 'BEGIN {
    for (k = 1; k <= 5; k++) {
        text = bases(3000)
        print ">chr" k "\n" text >"target.fa"
        print ">chr" k "\n" substr(text, 1, 999) "T" substr(text, 1001) bases(100) >"query.fa"
    }
    print ">more\n" bases(500) >"query.fa"
}'
# limited KILOBYTES COMMAND...: no file may become longer. Programs are there already, because compilers
# write longer files.
export RHOMB_CACHE_DIR=$PWD/cache
limited() {
    (ulimit -f "$1" && shift && "$@")
}
arguments='--match names --quiet --unaligned rest.bed'
for _ in 1 2 3; do
    # shellcheck disable=SC2086 # options
    rhomb align $arguments -o whole.sam target.fa query.fa
done
# shellcheck disable=SC2086 # options
try limited 8 rhomb align $arguments --resume kept -o out.sam target.fa query.fa
ls
cp kept stopped
# Other options, other inputs.
for other in '--score wfa' '-K 5' --no-sketch '--tune words=1' '--callable call.bed' '--cigar M'; do
    # shellcheck disable=SC2086 # options
    try rhomb align --match names --quiet $other --resume kept -o out.sam target.fa query.fa
done
try rhomb align --match order --quiet --resume kept -o out.sam query.fa target.fa
sed '2s/.$/N/' query.fa >other.fa
try rhomb align --match names --quiet --resume kept -o out.sam target.fa other.fa
try rhomb distance --match names --quiet --resume kept target.fa query.fa
cmp kept stopped
# What was not complete is done again, and what was is not.
printf 'garbage' >>kept
try rhomb align --match names --resume kept --unaligned rest.bed -o out.sam target.fa query.fa
ls
sed '/^@PG/d' out.sam | cmp - <(sed '/^@PG/d' whole.sam) && echo same
cat rest.bed
# Standard output has all of it again.
cp stopped kept
rhomb align --match names --quiet --resume kept --format sam target.fa query.fa | sed '/^@PG/d' |
    cmp - <(sed '/^@PG/d' whole.sam) && echo same
# The callable intervals grow along.
for name in call.bed call.bed.gz; do
    arguments="--match names --quiet --callable $name"
    # shellcheck disable=SC2086 # options
    rhomb align $arguments -o whole.sam target.fa query.fa
    mv $name whole.callable
    # shellcheck disable=SC2086 # options
    limited 8 rhomb align $arguments --resume kept -o out.sam target.fa query.fa 2>/dev/null
    # shellcheck disable=SC2086 # options
    try rhomb align $arguments --resume kept -o out.sam target.fa query.fa
    cmp $name whole.callable && echo same
    ls call.* kept
    rm -f call.*
done
# Values that differ at their end.
long=$(head -c 150 /dev/zero | tr '\0' s)
limited 1 rhomb align --match names --quiet --resume kept --sample "${long}1" -o out.vcf target.fa query.fa 2>/dev/null
rhomb align --match names --quiet --resume kept --sample "${long}2" -o out.vcf target.fa query.fa 2>&1 | cut -c 1-100
rm kept
# As version 0.2 has it: beside the output, also where that is a link, which is followed.
rm -f out.sam
mkdir folder
ln -s folder/out.sam out.sam
try limited 8 rhomb align --match names --resume -o out.sam target.fa query.fa
ls folder
try rhomb align --match names -o out.sam target.fa query.fa --resume
ls out.* folder
try rhomb align --match names target.fa query.fa --resume
# The word that follows is the file, whatever it is: an empty one is none, others are refused, and nothing waits.
mkfifo pipe
: >empty
for file in pipe folder /dev/null whole.sam empty; do
    try rhomb distance --match names --quiet --no-header --resume $file target.fa query.fa
    [ $file != empty ] || : >empty
    try rhomb distance --no-sketch --quiet --no-header -r chr1 -q chr1 --resume $file target.fa query.fa
done

# One pair has the file until its output is complete, which here waits for a reader.
make_sequences 'BEGIN { print ">s1\n" bases(60000) >"s1.fa"; print ">s2\n" bases(60000) >"s2.fa" }'
mkfifo slow
align="rhomb align --no-sketch --quiet --cs --engine bitparallel --resume held --resume-every 0.001 s1.fa s2.fa"
$align >slow &
exec 9<slow
head -c 1 <&9 >first
try $align
cat <&9 | wc -c
wait
ls held first
