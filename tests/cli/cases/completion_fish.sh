# SPDX-License-Identifier: MIT
# needs: plot
# needs: command fish
# Completion for fish: syntax, words after options, and every option of every command.
file=$RHOMB_SOURCE/host/cli/rhomb.fish
mkdir home work
export HOME=$PWD/home XDG_CONFIG_HOME=$PWD/home XDG_DATA_HOME=$PWD/home
cd work || exit
fish -n "$file" && echo "syntax: good"
completed() { fish --no-config -c "source '$file'; complete -C '$1'" | cut -f 1 | paste -s -d ' '; }
touch a.fa
completed 'rhomb d'
completed 'rhomb help v'
completed 'rhomb align --format '
completed 'rhomb plot --format '
completed 'rhomb batch --cigar -o a'
completed 'rhomb align --cigar '
completed 'rhomb distance --match '
completed 'rhomb distance --strand '
completed 'rhomb distance -t '
completed 'rhomb distance a'
for command in compare distance align batch matrix verify report plot devices; do
    completed "rhomb $command --" | tr ' ' '\n' | sort >completed
    rhomb help "$command" | sed -n -E 's/^ .{5}(--[a-z-]+).*/\1/p' | sort | diff - completed
done
