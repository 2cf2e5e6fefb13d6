# SPDX-License-Identifier: MIT
# needs: plot
# Every option of the help is in the manual page, and the other way round; completion works.
commands='compare distance align batch matrix verify report plot devices'
for command in $commands; do
    rhomb help $command | grep -o -E -e '--[a-z][a-z-]+' | sort -u
done | sort -u >options
sed -n 's/^\.It .*Fl Fl \([a-z-]*\).*/--\1/p' "$RHOMB_SOURCE/host/cli/rhomb.1" | sort -u >manual
grep -v -x -e --version manual | diff options - && echo "manual: same"
(
    . "$RHOMB_SOURCE/host/cli/rhomb.bash"
    complete_words() { COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _rhomb; echo "${COMPREPLY[*]}"; }
    complete_words rhomb ''
    complete_words rhomb d
    complete_words rhomb help v
    complete_words rhomb align --format ''
    complete_words rhomb plot --p
    complete_words rhomb plot --format ''
    complete_words rhomb verify -
    complete_words rhomb devices ''
    complete_words rhomb distance --score ''
    complete_words rhomb distance --threads ''
    touch a.fa
    complete_words rhomb distance ''
    complete_words rhomb distance --match ''
    complete_words rhomb batch --cigar -o ''
    complete_words rhomb align --cigar ''
    complete_words rhomb distance --strand ''
    complete_words rhomb distance -t ''
    for command in $commands; do
        complete_words rhomb "$command" -- | tr ' ' '\n' | sort >completed
        rhomb help "$command" | sed -n -E 's/^ .{5}(--[a-z-]+).*/\1/p' | sort | diff - completed
    done
)
