# SPDX-License-Identifier: MIT
# Signals while a file is read, where nothing of the library could look at a flag; and a reader of
# standard output that has gone.
printf '>t\nACGT\n' >t.fa
mkfifo pipe
sleep 20 >pipe &
sleeper=$!
for signal in INT TERM; do
    for threads in 1 2; do
        try timeout --preserve-status -k 20 -s $signal 1 rhomb distance -t $threads -o out.tsv - t.fa <pipe
        try timeout --preserve-status -k 20 -s $signal 1 rhomb distance -t $threads -o out.tsv t.fa - <pipe
    done
done
try timeout --preserve-status -k 20 -s INT 1 rhomb align -o out.paf --report out.json - t.fa <pipe
kill $sleeper
try ls

{ sleep 0.3; rhomb help; echo "=> $?" >status; } | true
cat status
{ trap '' PIPE; sleep 0.3; rhomb help; echo "=> $?" >status; } | true
cat status
