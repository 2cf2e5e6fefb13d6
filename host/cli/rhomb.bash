# SPDX-License-Identifier: MIT
# Completion of rhomb's commands and options for bash.

_rhomb()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words='' files=false
    if [ "$COMP_CWORD" -eq 1 ]; then
        words='distance align batch verify plot devices help --help --version'
    else
        case $before in
        --alphabet) words='dna bytes' ;;
        --format)
            words='tsv paf json'
            [ "${COMP_WORDS[1]}" != align ] || words='paf sam tsv json'
            [ "${COMP_WORDS[1]}" != plot ] || words='svg png pdf'
            ;;
        --panels) words='path offset identity sizes' ;;
        --engine) words='auto wavefront bitparallel' ;;
        --cache-dir | -o | --output | --report) files=true ;;
        -r | --target-region | -q | --query-region | -K | --max-distance | -d | --device | -t | \
            --threads | --tune | --split-at | --chunk | --target-range | --window | --size | --title)
            return
            ;;
        *)
            case ${COMP_WORDS[1]} in
            help) words='distance align batch verify plot devices help' ;;
            devices) words='--self-test --calibrate --device --json --cache-dir --verbose --help' ;;
            distance)
                words='--target-region --query-region --max-distance --alphabet --device
                       --require-gpu --engine --tune --cache-dir --threads --output --json --no-header
                       --dry-run --quiet --verbose --help'
                [[ $word == -* ]] || files=true
                ;;
            align)
                words='--target-region --query-region --max-distance --alphabet --device
                       --require-gpu --engine --tune --cache-dir --threads --format --json --split-at
                       --chunk --cs --no-header --output --report --dry-run --quiet --verbose --help'
                [[ $word == -* ]] || files=true
                ;;
            verify)
                words='--whole --split-at --all --alphabet --threads --quiet --verbose --help'
                [[ $word == -* ]] || files=true
                ;;
            batch)
                words='--cigar --max-distance --alphabet --keep-going --device --require-gpu --tune
                       --cache-dir --threads --format --output --no-header --quiet --verbose --help'
                [[ $word == -* ]] || files=true
                ;;
            plot)
                words='--output --format --panels --target-range --window --size --title --no-text
                       --quiet --verbose --help'
                [[ $word == -* ]] || files=true
                ;;
            esac
            ;;
        esac
    fi
    if $files; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    fi
}
complete -o filenames -F _rhomb rhomb
