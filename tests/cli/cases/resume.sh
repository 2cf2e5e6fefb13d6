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
for format in sam json paf.gz; do
    name=whole.$format
    # shellcheck disable=SC2086 # options
    rhomb align $arguments -o "$name" target.fa query.fa
    rhomb align $arguments --resume -o "out.$format" target.fa query.fa
    rm -f "out.$format"
done
# shellcheck disable=SC2086 # options
try limited 8 rhomb align $arguments --resume -o out.sam target.fa query.fa
ls out.*
cut -d ' ' -f 1-2 out.sam.resume | sed 1d
# Other options, other inputs.
try rhomb align --match names --quiet --score wfa --resume -o out.sam target.fa query.fa
sed '2s/.$/N/' query.fa >other.fa
try rhomb align --match names --quiet --resume -o out.sam target.fa other.fa
# What was not complete is done again, and what was is not.
printf 'garbage' >>out.sam.partial
printf 'rest 0 5 7 chr' >>out.sam.resume
try rhomb align --match names --resume --unaligned rest.bed -o out.sam target.fa query.fa
ls out.*
sed '/^@PG/d' out.sam | cmp - <(sed '/^@PG/d' whole.sam) && echo same
cat rest.bed
# Compressed: what is complete are whole blocks.
# shellcheck disable=SC2086 # options
(limited 1 rhomb align $arguments --chunk 100 --resume -o out.paf.gz target.fa query.fa) >/dev/null 2>&1
# shellcheck disable=SC2086 # options
try rhomb align $arguments --chunk 100 --resume -o out.paf.gz target.fa query.fa
rhomb align --quiet --match names --chunk 100 target.fa query.fa | cmp - <(zcat out.paf.gz) && echo same
# The callable intervals grow along.
for name in call.bed call.bed.gz; do
    arguments="--match names --quiet --callable $name"
    # shellcheck disable=SC2086 # options
    rhomb align $arguments -o whole.sam target.fa query.fa
    mv $name whole.callable
    # shellcheck disable=SC2086 # options
    limited 8 rhomb align $arguments --resume -o out.sam target.fa query.fa 2>/dev/null
    cut -d ' ' -f 1-4,7 out.sam.resume | sed 1d
    printf 'garbage' >>$name.partial
    try rhomb align --match names --quiet --resume -o out.sam target.fa query.fa
    # shellcheck disable=SC2086 # options
    try rhomb align $arguments --resume -o out.sam target.fa query.fa
    cmp <(zcat -f $name) <(zcat -f whole.callable) && echo same
    ls call.*
    rm -f call.*
done
# shellcheck disable=SC2086 # options
limited 8 rhomb align --quiet --match names --callable call.bed --resume -o out.sam target.fa query.fa 2>/dev/null
: >call.bed.partial
try rhomb align --quiet --match names --callable call.bed --resume -o out.sam target.fa query.fa
rm -f out.sam.* call.*
try rhomb align --match names --callable - --resume -o out.sam target.fa query.fa
arguments='--match names --quiet --unaligned rest.bed'
try rhomb distance --quiet --match names --resume -o out.tsv target.fa query.fa
cut -f 1-8 out.tsv
# A file that lacks what it had.
# shellcheck disable=SC2086 # options
limited 8 rhomb align $arguments --resume -o out.sam target.fa query.fa 2>/dev/null
: >out.sam.partial
# shellcheck disable=SC2086 # options
try rhomb align $arguments --resume -o out.sam target.fa query.fa
try rhomb align --resume -o out.sam target.fa query.fa
try rhomb align --match names --resume target.fa query.fa
# Values that differ at their end.
long=$(head -c 150 /dev/zero | tr '\0' s)
limited 1 rhomb align --match names --quiet --resume --sample "${long}1" -o out.vcf target.fa query.fa 2>/dev/null
rhomb align --match names --quiet --resume --sample "${long}2" -o out.vcf target.fa query.fa 2>&1 | cut -c 1-80
rm out.vcf.*
# A link is followed, and what is beside it is beside the file.
rm -f out.sam*
mkdir folder
ln -s folder/out.sam out.sam
# shellcheck disable=SC2086 # options
limited 8 rhomb align $arguments --resume -o out.sam target.fa query.fa 2>/dev/null
ls out.* folder
# shellcheck disable=SC2086 # options
rhomb align $arguments --resume -o out.sam target.fa query.fa
ls out.* folder
mkfifo pipe.sam
try rhomb align --match names --quiet --resume -o pipe.sam target.fa query.fa
ls pipe.*
