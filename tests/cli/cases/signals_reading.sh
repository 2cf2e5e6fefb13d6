# SPDX-License-Identifier: MIT
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
