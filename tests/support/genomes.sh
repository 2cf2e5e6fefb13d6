# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Genomes as people compare them, made of real sequences, in the current folder. Sourced by
# test_assemblies.sh and by bench/genomes.sh. Needs bash, awk, coreutils and gzip alone.

# bases FILE: those of all records, in one line.
bases() { zcat -f "$1" | grep -v '^>' | tr -d '\n' | tr acgtn ACGTN; }
reversed() { rev | tr ACGT TGCA; }
# part FILE BEGIN END: a range of a file that is one line, 0-based.
part() { head -c "$3" "$1" | tail -c $(($3 - $2)); }

# rearrange NAME: 120 kb inverted, 100 kb moved, another start.
rearrange()
{
    local n a b c
    n=$(stat -c %s "$1.txt")
    a=$((n / 8)) b=$((n / 2)) c=$((n * 4 / 5))
    {
        part "$1.txt" 0 $a
        part "$1.txt" $a $((a + 120000)) | reversed
        part "$1.txt" $((a + 120000)) $b
        part "$1.txt" $((b + 100000)) $c
        part "$1.txt" $b $((b + 100000))
        part "$1.txt" $c "$n"
    } >"$1.moved"
    { echo '>target' && cat "$1.txt" && echo; } >"$1.target.fa"
    { echo '>query' && part "$1.moved" $((n / 3)) "$n" && part "$1.moved" 0 $((n / 3)) && echo; } >"$1.query.fa"
}

# low_gc LENGTH: random bases, 27 % G and C.
low_gc()
{
    awk -v n="$1" 'BEGIN {
        srand(7)
        for (i = 0; i < n; i++)
            printf "%s", substr("ATGC", rand() < 0.73 ? 1 + int(2 * rand()) : 3 + int(2 * rand()), 1)
    }'
}

# make_yeasts DATA: target.fa and query.fa, two yeasts of 16 chromosomes, the same of both as an
# alignment has them; in the query shuffled, and each third one turned.
make_yeasts()
{
    local at number length
    local first='220325 813171 341554 1546391 604732 270417 1091198 581389 439977 751673 666850 1075713 930344 777615 1091587 954213'
    local second='230218 813184 316620 1531933 576874 270161 1090940 562643 439888 745751 666816 1078177 924431 784333 1091291 948066'
    bases "$1/yeast_S288C.fa.gz" >first.txt
    bases "$1/yeast_sacCer3.fa.gz" >second.txt
    at=0 number=0
    for length in $first; do
        number=$((number + 1))
        echo ">chr$number" && part first.txt $at $((at + length)) && echo
        at=$((at + length))
    done >target.fa
    at=0 number=0
    for length in $second; do
        number=$((number + 1))
        {
            echo ">q$number"
            part second.txt $at $((at + length)) |
                if [ $((number % 3)) = 0 ]; then reversed; else cat; fi
            echo
        } >"q$(((number * 7) % 17)).record"
        at=$((at + length))
    done
    cat q*.record >query.fa
}
