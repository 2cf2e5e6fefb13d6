# SPDX-License-Identifier: MIT
# needs: device
# needs: command samtools
# A file that is another one before all of its records were read again: the pairs before the first one
# that is missing are completed where their rows are seen, or are gone on with.
make_sequences 'BEGIN {
    a = bases(66000); b = bases(66000)
    for (k = 1; k <= 40; k++) {
        print ">r" k "\n" a >"target.fa"
        print ">r" k "\n" b >"query.fa"
        print ">s" k "\n" b >"other.fa"
    }
}'
cp query.fa kept.fa
samtools faidx kept.fa
# lose COMMAND...: the file of queries is replaced once they have partners.
lose() {
    local missing
    cp kept.fa query.fa
    cp kept.fa.fai query.fa.fai
    cp other.fa next.fa
    echo "\$ $*, and another file"
    : >log # else the last command's, or no file until the shell in the background has made it
    "$@" >rows 2>log &
    until grep -q ' pairs of ' log || ! kill -0 $! 2>/dev/null; do
        sleep 0.01
    done
    sleep 0.1 # for the first pairs
    mv next.fa query.fa
    wait $!
    echo "=> $?"
    missing=$(sed -n "s/.*no record for '{r\([0-9]*\)}'.*/\1/p" log)
    [ "${missing:-0}" -ge 1 ] || cat log
    seq -f 'r%g' $((missing - 1)) |
        cmp - <(cut -f 1 rows && grep -aoP 'r[0-9]+(?=\t66000\tr)' later 2>/dev/null) && echo 'all pairs before the lost one'
}
for threads in 1 6; do
    lose rhomb distance -t $threads --no-sketch --score wfa --no-header --match names target.fa query.fa
done
lose rhomb distance -t 6 --no-sketch --score wfa --no-header --match names --resume later -o out.tsv \
    target.fa query.fa
