# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Parts of every kind together are the whole, and no part is wrong about what it is.
make_sequences 'BEGIN {
    for (k = 1; k <= 7; k++) {
        text = bases(300 * k)
        print ">chr" k "\n" text >"target.fa"
        print ">chr" k "\n" substr(text, 1, 99) "T" substr(text, 101) bases(9) >"query.fa"
        print ">" text "\t\n<" substr(text, 5) (k == 3 ? "\tnamed" : "") >"pairs.seq"
    }
    print ">more\n" bases(500) >"query.fa"
    print ">rest\n" bases(500) >"target.fa"
}'
# parts N COMMAND...: the outputs of all parts, in files named by their numbers.
parts() {
    local n=$1 k
    shift
    rm -f part.*
    for ((k = 1; k <= n; k++)); do
        "$@" --quiet --part "$k/$n" >"part.$k"
    done
}
# Rows of a batch: part K has pairs K, K + N, and so on, by their numbers in the input.
for n in 1 2 3 9; do
    rhomb batch --quiet pairs.seq >whole
    parts "$n" rhomb batch pairs.seq
    paste -d '\n' $(seq -f 'part.%g' "$n") | awk -v n="$n" 'NF && (NR == 1 || NR > n)' | cmp - whole &&
        echo "batch of pairs: $n"
    rhomb batch --quiet --no-header --cigar target.fa query.fa >whole
    parts "$n" rhomb batch --no-header --cigar target.fa query.fa
    paste -d '\n' $(seq -f 'part.%g' "$n") | grep . | cmp - whole && echo "batch of records: $n"
done
cut -f 1-4 part.2
parts 3 rhomb batch pairs.seq
cut -f 1-4 part.2
# With --match parts follow each other; some may be empty.
# together NAME N COMMAND...
together() {
    local name=$1 n=$2
    shift 2
    "$@" --quiet >whole
    parts "$n" "$@"
    cat $(seq -f 'part.%g' "$n") | cmp - whole && echo "$name: $n, the first has $(wc -l <part.1)"
}
for n in 1 3 12; do
    together 'batch --match' "$n" rhomb batch --match names --no-header target.fa query.fa
    together 'align --match' "$n" rhomb align --match best --format paf target.fa query.fa
    together 'align --match --blocks' "$n" rhomb align --match best --blocks --format paf target.fa query.fa
    rhomb distance --match order --quiet --no-header target.fa query.fa | cut -f 1-8 >whole
    parts "$n" rhomb distance --match order --no-header target.fa query.fa
    cat $(seq -f 'part.%g' "$n") | cut -f 1-8 | cmp - whole && echo "distance --match: $n"
done
try rhomb distance --match names --part 2/3 target.fa query.fa | cut -f 1-8
# A run that is stopped goes on with its part, and with no other.
try rhomb align --match names --part 2/3 --resume kept --quiet -o out.paf target.fa query.fa
rhomb align --match names --part 2/3 --quiet target.fa query.fa | cmp - out.paf && echo same
# Matrices.
rhomb matrix --quiet target.fa >whole
for n in 1 4 40; do
    rm -f part.*
    for ((k = 1; k <= n; k++)); do
        rhomb matrix --quiet --part "$k/$n" --resume "part.$k" target.fa
    done
    cat $(seq -f 'part.%g' "$n") >kept
    rhomb matrix --quiet --device none --resume kept target.fa | cmp - whole && echo "matrix: $n"
done
rm -f part.*
for k in 1 2 3; do
    try rhomb matrix --part "$k/3" --resume "part.$k" target.fa
done
# Once more, and after the end of its last line is lost.
try rhomb matrix --part 2/3 --resume part.2 --device none target.fa
head -c -3 part.3 >cut && mv cut part.3
cat part.1 part.2 part.3 >kept
try rhomb matrix --resume kept -o out.tsv target.fa
cmp out.tsv whole && echo same
cat part.1 part.3 >kept
try rhomb matrix --resume kept target.fa
try rhomb matrix --part 1/3 --resume part.2 target.fa
cat part.1 part.2 >kept
try rhomb matrix --part 1/3 --resume kept target.fa
# A bad pair stops the part that has it, with its number and line.
printf '>ACGT\n<ACGT\n>AC!T\n<ACGT\n>ACGT\nACGT\n>A\n<A\n' >bad.seq
for k in 1 2; do
    try rhomb batch --part "$k/2" bad.seq
    try rhomb batch --keep-going --part "$k/2" bad.seq
done
