# SPDX-License-Identifier: MIT
# needs: device
# Names in files of pairs, one target of many queries, and rows that come when the input pauses.
printf '>ACGT\tq1 words\n<ACGA\tt1\n>CC\n<C\n>\tempty\n<A\t \n>A\tq"4\n<\tt\\4\r\n' >named.seq
try rhomb batch --cigar named.seq
try rhomb batch --format json named.seq
try rhomb batch --cigar --format paf named.seq
printf '>AC\tq1\n<AC\tt1\n>A!\tq2\n<AC\tt2\n>A C\tq3\n<AC\tt3\n' >bad.seq
try rhomb batch bad.seq
try rhomb batch --keep-going bad.seq

printf '>t words\nACGT\nACGT\n' >one.fa
printf '@a\nACGTACGA\n+\nIIIIIIII\n@b\n\n+\n\n@c\nACGT\n+\nIIII\n' >many.fq
try rhomb batch --cigar --one-to-many one.fa many.fq
try rhomb batch --no-header --one-to-many - many.fq <one.fa
cat many.fq many.fq | try rhomb batch --no-header -K 3 --one-to-many one.fa -
try rhomb batch --one-to-many many.fq one.fa
try rhomb batch --one-to-many /dev/null many.fq

# A program that writes a pair and waits for its row; the header comes first of all.
converse() {
    coproc batch { rhomb batch --quiet "$@" --flush -; }
    local in=${batch[1]} out=${batch[0]} row pid=$batch_PID
    read -r -t 60 row <&$out && echo "$row"
    for i in 1 2 3; do
        printf '>ACGT\tq%d\n<AC' $i >&$in
        printf 'GA\n' >&$in
        read -r -t 60 row <&$out && echo "$row"
    done
    printf '>A\n<C' >&$in
    exec {in}>&-
    cat <&$out
    wait $pid
    echo "=> $?"
}
converse
converse -t 1 --cigar

# The same rows as without, from a file and from a pipe, and whatever comes before an error.
rhomb batch --quiet named.seq >expected
rhomb batch --quiet --flush named.seq | cmp - expected
cat named.seq | rhomb batch --quiet --flush - | cmp - expected
rhomb batch --quiet --flush -o out.tsv named.seq
cmp out.tsv expected
printf '>AC\n<AC\nodd\n' | try rhomb batch --flush -
gzip -nc named.seq | try rhomb batch --flush -
gzip -nc named.seq >named.seq.gz
rhomb batch --quiet --flush named.seq.gz | cmp - expected
