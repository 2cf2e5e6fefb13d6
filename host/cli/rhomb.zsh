#compdef rhomb
# SPDX-License-Identifier: MIT
# Completion of rhomb's commands and options for zsh. The program lists them, and what may follow an
# option: words, FILE for a file, - for any other value.

# Each $(...) has one command: the subshell of a pipeline has been seen to wait for ever in zsh 5.9.
_rhomb()
{
    local command=$words[2] before=$words[CURRENT-1] help line
    local -a row listed values
    if (( CURRENT == 2 )) || [[ $CURRENT:$before == 3:help ]]; then
        help=$($words[1] help 2>/dev/null)
        listed=("${(@f)$(sed -n 's/^  \([a-z]*\)  *\(.*\)/\1:\2/p' <<<"$help")}")
        (( CURRENT != 2 )) || listed+=(--help --version)
        _describe command listed
        return
    fi
    help=$($words[1] help completion 2>/dev/null)
    for line in "${(@f)help}"; do
        row=(${=line})
        [[ $row[1] == $command ]] || continue
        listed+=($row[3])
        [[ $before != $row[2] && $before != $row[3] ]] || values=($row[4,-1])
    done
    if (( $#values )); then
        [[ $values[(I)FILE] == 0 ]] || _files
        values=(${values:#FILE})
        [[ "$values" == - ]] || compadd -a -- values
    elif [[ $PREFIX == -* || $command == devices || $command == help ]]; then
        compadd -a -- listed
    else
        _files
    fi
}

[[ $funcstack[1] != _rhomb ]] || _rhomb "$@"
