# SPDX-License-Identifier: MIT
# needs: plot
# needs: sketch
# Help and version: on standard output with status 0, and the same by every way to ask for it. The
# short help is one screen of 24 x 80 with options of the long one, and its examples are good command
# lines. The options are those of the manual page, and of the completion.
try rhomb --version
try rhomb help
try rhomb
for option in --help -h; do
    rhomb $option | cmp - <(rhomb help)
done
commands='compare distance align batch matrix verify report plot devices'
named() { grep -o -E -e '--[a-z][a-z-]+' "$1" | sort -u; }
for command in $commands help; do
    rhomb $command -h >short 2>errors || echo "rhomb $command -h => $?"
    [ ! -s errors ] || cat errors
    head -n 1 short
    tail -n 1 short
    [ "$(wc -l <short)" -le 24 ] || echo "rhomb $command -h: more than 24 lines"
    rhomb help $command >long
    rhomb $command --help | cmp long -
    rhomb --help $command | cmp long -
    rhomb -h $command | cmp long -
    grep -n '.\{81\}' short long
    named long >>options
    comm -23 <(named short) <(named long) | grep -v -x -e --help
    sed -n "s/^  rhomb $command //p" short | while read -r arguments; do
        # shellcheck disable=SC2086 # words
        OCL_ICD_VENDORS=$PWD rhomb $command $arguments >printed 2>&1 </dev/null
        [ $? != 2 ] || cat printed
    done
done
sed -n 's/^\.It .*Fl Fl \([a-z-]*\).*/--\1/p' "$RHOMB_SOURCE/host/cli/rhomb.1" | sort -u >manual
sort -u options | diff - <(grep -v -x -e --version manual) && echo "manual: same"
apart
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
