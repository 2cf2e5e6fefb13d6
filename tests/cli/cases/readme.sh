# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# needs: sketch
# Every command with output in README prints what it shows.
. "$RHOMB_SOURCE/tests/cli/recipes.sh"
compare_recipes README.md

# Each option of the commands in its lists exists.
grep -E '^(zcat .*\| )?rhomb [a-z]+ ' "$RHOMB_SOURCE/README.md" | sed -e 's/ *#.*//' -e 's/^zcat .*| //' |
    while read -r _ command rest; do
        rhomb help "$command" >help 2>/dev/null || echo "README.md: no command $command"
        for word in $(grep -o -E -e '(^| )--?[a-zA-Z][a-z-]*' <<<"$rest"); do
            grep -q -E -e "^ .*$word([ ,]|\$)" help || echo "README.md: $command has no option $word"
        done
    done
