#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_workflow.sh RHOMB WORKFLOW PART: the workflow of datasets/workflow on two small assemblies gives
# what one command gives. PART is snakemake, which is skipped (77) without it; slurm, with the
# variables that Slurm would set; or nextflow, of which only the text is checked.
set -eu -o pipefail

rhomb=$1 workflow=$2 part=$3
. "$(dirname "$0")/script.sh"

# Five chromosomes, of which one is inverted, and contigs without a partner.
make_assemblies()
{
    awk 'function bases(count,    text) {
        for (text = ""; count > 0; count--)
            text = text substr("ACGT", int(rand() * 4) + 1, 1)
        return text
    }
    function reversed(text,    out, i) {
        for (i = length(text); i > 0; i--)
            out = out substr("TGCA", index("ACGT", substr(text, i, 1)), 1)
        return out
    }
    BEGIN {
        srand(5)
        for (k = 1; k <= 5; k++) {
            text = bases(3000 + 2500 * k)
            print ">chr" k "\n" text >"target.fa"
            other = substr(text, 1, 999) "T" substr(text, 1004) bases(30)
            print ">scaffold" k "\n" (k == 3 ? reversed(other) : other) >"query.fa"
        }
        print ">lonely\n" bases(700) >"query.fa"
    }'
}

with_snakemake()
{
    command -v snakemake >/dev/null || { echo 'skipped: there is no snakemake' && exit 77; }
    cp "$workflow"/Snakefile "$workflow"/config.yaml .
    XDG_CACHE_HOME=$work/cache snakemake --cores 2 --resources device=1 --quiet --config \
        rhomb="$rhomb" target=target.fa query=query.fa parts=3 >snakemake.log 2>&1 ||
        { cat snakemake.log results/parts/*.log >&2 && fail 'snakemake has failed'; }
    cmp results/alignments.paf whole.paf || fail 'the parts together are not the whole'
    grep -q 'inversions' results/report.txt || fail 'report.txt is no report'
    grep -q '<svg' results/plot.svg || fail 'plot.svg is no picture'
}

with_slurm()
{
    local script=$workflow/slurm_array.sh k
    bash -n "$script"
    ! command -v shellcheck >/dev/null || shellcheck --severity=warning "$script"
    export RHOMB=$rhomb SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=3
    for k in 3 1 2; do
        SLURM_ARRAY_TASK_ID=$k "$script" target.fa query.fa results --blocks 2>log ||
            { cat log >&2 && fail "task $k has failed"; }
    done
    PARTS=3 "$script" target.fa query.fa results
    cmp results/alignments.paf whole.paf || fail 'the parts together are not the whole'
    ! SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=2 SLURM_ARRAY_TASK_ID=0 \
        "$script" target.fa query.fa results 2>log || fail 'an array from 0 on is accepted'
    grep -q -- '--array=1-N' log || fail 'what is wrong with the array is not said'
}

# Braces match, each process has what Nextflow wants of it, and its commands have options that exist.
with_nextflow()
{
    local module=$workflow/rhomb.nf command option name
    [ "$(tr -cd '{' <"$module" | wc -c)" = "$(tr -cd '}' <"$module" | wc -c)" ] || fail 'braces'
    [ $(($(grep -c '"""' "$module") % 2)) = 0 ] || fail 'quotes'
    for name in $(sed -n 's/^process \([A-Z_]*\) {$/\1/p' "$module"); do
        sed -n "/^process $name {/,/^}/p" "$module" >process
        for word in input output script stub; do
            grep -q "^    $word:$" process || fail "$name has no $word"
        done
        grep -q "^    $name(" "$module" || fail "$name is not called"
    done
    sed -n "s/^    rhomb \([a-z]*\) .*/\1/p" "$module" | sort -u >commands
    [ "$(tr '\n' ' ' <commands)" = 'align plot report verify ' ] || fail 'other commands'
    while read -r command; do
        "$rhomb" help "$command" >help
        # Lines go on while they end in a backslash, which is written twice.
        awk -v begin="^    rhomb $command " '$0 ~ begin { on = 1 }
            on { print }
            !/\\$/ { on = 0 }' "$module" | grep -oE -- ' --[a-z-]+' >options
        while read -r option; do
            grep -q -- "$option\b" help || fail "rhomb $command has no $option"
        done <options
    done <commands
    "$rhomb" help align >help # not a pipe: grep ends at the first match
    for option in $(sed -n "s/^params.options = '\(.*\)'$/\1/p" "$module"); do
        grep -q -- "$option\b" help || fail "rhomb align has no $option"
    done
}

cd "$work"
case $part in
snakemake | slurm)
    make_assemblies
    "$rhomb" align --quiet --match best --blocks --output whole.paf target.fa query.fa
    [ "$(wc -l <whole.paf)" -ge 5 ] || fail 'the assemblies have too few alignments'
    "with_$part"
    ;;
nextflow) with_nextflow ;;
*) fail "what is $part?" ;;
esac
