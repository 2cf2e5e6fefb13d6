# SPDX-License-Identifier: MIT
# needs: plot
# Every option of the help is in the manual page and in the completion, and the other way round; the
# completion works.
for command in distance align batch verify plot devices; do
    rhomb help $command | grep -o -E -e '--[a-z][a-z-]+' | sort -u
done | sort -u >options
grep -o -E -e '--[a-z][a-z-]+' "$RHOMB_SOURCE/host/cli/rhomb.bash" | sort -u >completed
sed -n 's/^\.It .*Fl Fl \([a-z-]*\).*/--\1/p' "$RHOMB_SOURCE/host/cli/rhomb.1" | sort -u >manual
grep -v -x -e --version completed | diff options - && echo "completion: same"
grep -v -x -e --version manual | diff options - && echo "manual: same"
(
    . "$RHOMB_SOURCE/host/cli/rhomb.bash"
    complete_words() { COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _rhomb; echo "${COMPREPLY[*]}"; }
    complete_words rhomb d
    complete_words rhomb align --format ''
    complete_words rhomb plot --p
    complete_words rhomb plot --format ''
    complete_words rhomb distance --threads ''
)
