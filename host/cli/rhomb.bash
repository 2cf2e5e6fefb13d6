# SPDX-License-Identifier: MIT
# Completion of rhomb's commands and options for bash. The program lists them, and what may follow an
# option: words, FILE for a file, - for any other value.

_rhomb()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} rhomb=${COMP_WORDS[0]}
    local command letter option values words='' listed='' files=false
    if [ "$COMP_CWORD" -eq 1 ] || [[ $COMP_CWORD:$before == 2:help ]]; then
        words=$("$rhomb" help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')
        [ "$COMP_CWORD" -ne 1 ] || words+=' --help --version'
    else
        while read -r command letter option values; do
            [ "$command" = "${COMP_WORDS[1]}" ] || continue
            listed+=" $option"
            [[ $before != "$letter" && $before != "$option" ]] || words=$values
        done < <("$rhomb" help completion 2>/dev/null)
        if [ -n "$words" ]; then
            [[ " $words " != *' FILE '* ]] || files=true
            [ "$words" != - ] || words=''
            words=${words//FILE/}
        elif [[ $word == -* || ${COMP_WORDS[1]} == devices || ${COMP_WORDS[1]} == help ]]; then
            words=$listed
        else
            files=true
        fi
    fi
    mapfile -t COMPREPLY < <(
        compgen -W "$words" -- "$word"
        if $files; then compgen -f -- "$word"; fi
    )
}
complete -o filenames -F _rhomb rhomb
