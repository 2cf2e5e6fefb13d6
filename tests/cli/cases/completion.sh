# SPDX-License-Identifier: MIT
# needs: plot
# needs: command fish
# needs: command zsh
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

apart
# Completion for zsh: syntax, words after options, every option of every command, and a key pressed.
file=$RHOMB_SOURCE/host/cli/rhomb.zsh
mkdir functions
cp "$file" functions/_rhomb
zsh -n "$file" && echo "syntax: good"
# What zsh would offer, by stand-ins for its own functions.
cat >offers.zsh <<'END'
compadd() { local name=$argv[-1]; print -rl -- ${(P)name} }
_describe() { local name=$argv[-1]; print -rl -- ${${(P)name}%%:*} }
_files() { print -rl -- FILES }
source functions/_rhomb
words=("$@") CURRENT=$# PREFIX=$argv[-1]
_rhomb
END
offers() { zsh -f offers.zsh "$@" | paste -s -d ' '; }
offers rhomb ''
offers rhomb help ''
offers rhomb align --format ''
offers rhomb plot --format ''
offers rhomb batch --cigar -o ''
offers rhomb align --cigar ''
offers rhomb distance --match ''
offers rhomb distance --strand ''
offers rhomb distance -t ''
offers rhomb distance ''
for command in compare distance align batch matrix verify report plot devices; do
    offers rhomb "$command" -- | tr ' ' '\n' | sort >offered
    rhomb help "$command" | sed -n -E 's/^ .{5}(--[a-z-]+).*/\1/p' | sort | diff - offered
done
# A shell in which a user types and presses the tab key.
cat >typed.zsh <<'END'
zmodload zsh/zpty
zpty shell 'TERM=dumb HOME=. zsh -f -i'
zpty -w shell 'PS1="READY> "; fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; print loaded-$((1+1))'
zpty -r shell seen '*loaded-2*'
zpty -w -n shell $'rhomb batch --mode loc\t'
zpty -r shell seen '*local*' && print "typed: local"
zpty -d shell
END
timeout 60 zsh -f typed.zsh
