# SPDX-License-Identifier: MIT
# Completion of rhomb's commands and options for bash: the help of the program lists them.

_rhomb()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local rhomb=${COMP_WORDS[0]} command=${COMP_WORDS[1]} words='' files=false
    # That of batch has no value.
    [ "$command:$before" != batch:--cigar ] || before=''
    case $COMP_CWORD:$before in
    1:* | 2:help)
        words=$("$rhomb" help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')
        [ "$COMP_CWORD" -ne 1 ] || words+=' --help --version'
        ;;
    *:--alphabet) words='dna bytes' ;;
    *:--engine) words='auto wavefront bitparallel' ;;
    *:--strand) words='+ - auto' ;;
    *:--rotate) words='auto' ;;
    *:--match) words="names order best $(compgen -f -- "$word")" ;;
    *:--score) words='edit affine: affine2p: match: wfa asm5 asm10 asm20 map-ont' ;;
    *:--cigar) words='=X M' ;;
    *:--chain-direction) words='target-to-query query-to-target' ;;
    *:--mode) words='global ends-free extend local' ;;
    *:--colour) words='identity strand' ;;
    *:--panels) words='path offset identity sizes' ;;
    *:--format)
        case $command in
        align) words='paf sam bam cram vcf chain maf tsv json' ;;
        plot) words='svg png pdf html' ;;
        matrix) words='tsv phylip' ;;
        *) words='tsv paf json' ;;
        esac
        ;;
    *:--cache-dir | *:-o | *:--output | *:--report | *:--unaligned | *:--callable) files=true ;;
    *:-[rqKdt] | *:--target-re* | *:--target-range | *:--query-region | *:--max-distance | *:--device | \
        *:--threads | *:--tune | *:--split-at | *:--chunk | *:--jobs | *:--sample | *:--max-allele | *:--window | *:--min-length | \
        *:--size | *:--title | *:--free-ends | *:--z-drop | *:--end-bonus) return ;;
    *)
        words=$("$rhomb" help "$command" 2>/dev/null | grep -o -E -e '^ .{5}--[a-z-]+' | grep -o -e '--.*')
        [[ $word == -* || $command == devices || $command == help ]] || files=true
        ;;
    esac
    if $files; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    fi
}
complete -o filenames -F _rhomb rhomb
