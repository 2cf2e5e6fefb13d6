# SPDX-License-Identifier: MIT
# needs: device
# Files that are read at the same time: what comes out, and which of several errors, is the same
# with any number of threads. And a reader that waits for its input does not keep the other's error.
awk 'BEGIN { print ">t"; for (i = 0; i < 40000; i++) print substr("ACGTTGCAAC", i % 7 + 1, 3 + i % 4) }' |
    gzip >t.fa.gz
gzip -dc t.fa.gz | sed '100s/A/C/' >q.fa
: >empty.fa
for threads in 1 8; do
    try rhomb distance --no-header -t $threads t.fa.gz q.fa
    try rhomb distance --no-header --threads $threads - q.fa <t.fa.gz
    try rhomb distance -t $threads missing.fa empty.fa
    try rhomb distance -t $threads empty.fa missing.fa
    try rhomb distance -t $threads --device nothing-like-it t.fa.gz empty.fa
    rhomb distance -t $threads --json --quiet t.fa.gz q.fa | sed -n '/"\(length\|md5\)":/p'
done
# The target cannot be read, while the query never ends: nothing is written to this pipe, and it stays
# open. Who waits for it waits until ctest ends the test.
mkfifo pipe
exec {writer}<>pipe
for threads in 1 2; do
    try rhomb distance -t $threads missing.fa - <pipe
done
exec {writer}>&-

# Overlapping stages are told as such, and only they.
rhomb distance -v -t 2 t.fa.gz q.fa 2>&1 >/dev/null | grep -c 'time: read .* alongside open .* alongside build'
rhomb distance -v -t 1 t.fa.gz q.fa 2>&1 >/dev/null | grep -c 'time: read [^,]*, open .* alongside build'

apart
# Signals while a file is read, where nothing of the library could look at a flag; and a reader of
# standard output that has gone.
printf '>t\nACGT\n' >t.fa
for signal in INT TERM; do
    for threads in 1 2; do
        interrupt $signal rhomb distance -t $threads -o out.tsv - t.fa
        interrupt $signal rhomb distance -t $threads -o out.tsv t.fa -
    done
done
interrupt INT rhomb align -o out.paf --report out.json - t.fa
interrupt ABRT rhomb align -o out.paf --report out.json - t.fa # a driver that aborts
try ls

without_reader env --default-signal rhomb help
without_reader env --ignore-signal=PIPE rhomb help
