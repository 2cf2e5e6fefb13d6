# SPDX-License-Identifier: MIT
# Every option of the help is in the manual page and in the completion, and the other way round.
for command in distance align batch verify devices; do
    rhomb help $command | grep -o -E -e '--[a-z][a-z-]+' | sort -u
done | sort -u >options
grep -o -E -e '--[a-z][a-z-]+' "$RHOMB_SOURCE/host/cli/rhomb.bash" | sort -u >completed
sed -n 's/^\.It .*Fl Fl \([a-z-]*\).*/--\1/p' "$RHOMB_SOURCE/host/cli/rhomb.1" | sort -u >manual
grep -v -x -e --version completed | diff options - && echo "completion: same"
grep -v -x -e --version manual | diff options - && echo "manual: same"
