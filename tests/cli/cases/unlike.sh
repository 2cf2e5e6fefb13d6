# SPDX-License-Identifier: MIT
# needs: device
# Sequences that are no more alike than random ones get a note, where nothing else is the reason.
awk 'function write(name, sequence) { print ">" name "\n" sequence >(name ".fa") }
function reversed(sequence,    i, other) {
    for (i = length(sequence); i > 0; i--)
        other = other substr("TGCA", index("ACGT", substr(sequence, i, 1)), 1)
    return other
}
BEGIN {
    random = 1
    for (i = 0; i < 2000; i++) {
        random = (random * 16807) % 2147483647
        text = text substr("ACGT", 1 + int(random / 1000) % 4, 1)
        changed = changed (i % 10 < 3 ? "A" : substr(text, i + 1, 1))
        masked = masked (i % 100 < 60 ? "N" : substr(text, i + 1, 1))
    }
    write("forward", text)
    write("reverse", reversed(text))
    write("shorter", substr(reversed(text), 1, 1700))
    write("piece", substr(text, 1, 900))
    write("changed", changed)
    write("masked", masked)
    write("few", substr(text, 1, 200))
    write("reversed", reversed(substr(text, 1, 200)))
    write("fewer", substr(text, 1, 199))
}'
for query in reverse shorter piece changed masked; do
    try rhomb distance --no-header forward.fa $query.fa
done
try rhomb distance --no-header few.fa reversed.fa
try rhomb distance --no-header fewer.fa reversed.fa
try rhomb distance --no-header --max-distance 10 forward.fa reverse.fa
try rhomb distance --no-header --quiet forward.fa reverse.fa
try rhomb distance --no-header --alphabet bytes forward.fa reverse.fa
try rhomb align -o out.paf forward.fa reverse.fa
awk '{ print ($10 < 0.6 * $11 ? "below" : "above") " 60 %" }' out.paf
try rhomb align -o out.paf forward.fa piece.fa
try rhomb batch forward.fa reverse.fa
