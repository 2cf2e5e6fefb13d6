# SPDX-License-Identifier: MIT
# needs: device
# needs: sketch
# Long insertions and deletions are in the report's table by length whatever the costs are, which leave them in pieces
# or not, and wherever records end.
make_sequences 'BEGIN {
    a = bases(30000); b = bases(30000); c = bases(30000); d = bases(110000); e = bases(30000); f = bases(30000)
    print ">t\n" a b c d e f >"t.fa"
    query = a bases(10000) b bases(15000) c bases(20000) d f
    for (i = 400; i < length(query); i += 400)
        changed = changed substr(query, i - 399, 399) "A"
    print ">q\n" changed substr(query, i - 399) >"q.fa"
    print ">t\n" substr(a, 1, 15000) b e substr(c, 1, 15000) >"short.t.fa"
    print ">q\n" substr(a, 1, 15000) bases(10000) b substr(c, 1, 15000) >"short.q.fa"
}'
indels() {
    rhomb align --quiet "$@" -o out.paf
    echo "$*: $(wc -l <out.paf)"
    rhomb report out.paf "${@: -2}" | grep -e ' 5000 to' -e 'an indel between' -e 'bases of both'
}
for cut in '' '--split-at 1000' --similar-only; do
    for blocks in '' --blocks '--match best --blocks'; do
        # shellcheck disable=SC2086
        indels $blocks $cut t.fa q.fa
    done
    for score in wfa asm5 asm20; do
        # shellcheck disable=SC2086
        indels --score "$score" $cut short.t.fa short.q.fa
    done
done
