#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_choice.sh RHOMB MAKE_PAIR: what --engine auto is promised to take beside the sweep alone, at most
# 1.25 times, for pairs for which the sweep is the right engine, so that both have the same kind of cells,
# and on a processor, whose time they are. With long indels estimates are too high, and where a pair begins
# better than it goes on too low, with a sketch and without. And a sweep of two sequences without common
# anchors, asked for by name, takes no more than that beside one that is told the distance.
set -eu -o pipefail

rhomb=$(realpath "$1") make_pair=$(realpath "$2")
. "$(dirname "$0")/script.sh"
cd "$work"

[ "$("$rhomb" devices 2>/dev/null | grep -c -E '^[* ]*0 +cpu')" = 1 ] || exit 77

# cells ENGINE PAIR SCORING [OPTION]; a run that ends as a wavefront has none.
cells()
{
    local engine=$1 pair=$2 scoring=$3
    "$rhomb" distance --json --quiet -d 0 --engine "$engine" --score "$scoring" "${@:4}" \
        "$pair.target.fa" "$pair.query.fa" >report.json
    grep -q '"engine":[^a-z]*bitparallel' report.json || return 0
    sed -n '/"work":/,/}/ s/.*"cells":[^0-9]*\([0-9]*\).*/\1/p' report.json
}

# pair NAME option...
pair()
{
    "$make_pair" "${@:2}" "$1.target.fa" "$1.query.fa"
}

pair long --length 60000 --seed 7 --substitutions 0.05 --indels 0.02 --long-indels 3
pair far --length 30000 --seed 2 --substitutions 0.12 --indels 0.03 --long-indels 1
pair plain --length 60000 --seed 3 --substitutions 0.1 --indels 0.02
pair begin --length 30000 --seed 4 --substitutions 0.03 --indels 0
pair end --length 30000 --seed 5 --substitutions 0.15 --indels 0.05
for side in target query; do
    { cat begin.$side.fa && grep -v '^>' end.$side.fa; } >uneven.$side.fa
done

good=1
for name in long far plain uneven; do
    for scoring in asm10 map-ont wfa; do
        least=$(cells bitparallel $name $scoring)
        for option in "" --no-sketch; do
            most=$(cells auto $name $scoring $option)
            echo "$name, $scoring $option: ${most:-a wavefront}, the sweep alone $least cells"
            if [ -z "$most" ] || [ $((4 * most)) -gt $((5 * least)) ]; then
                echo "test_choice: not within 1.25: rhomb distance --engine auto --score $scoring $option," \
                    "see $0 for the pair" >&2
                good=0
            fi
        done
    done
done

pair unlike --length 200000 --seed 8 --substitutions 0.75 --indels 0
distance=$("$rhomb" distance --quiet --no-header unlike.target.fa unlike.query.fa | cut -f 5)
least=$(cells bitparallel unlike edit --no-sketch -K "$distance")
most=$(cells bitparallel unlike edit)
echo "unlike: $most cells, told the distance $least"
[ -n "$most" ] && [ $((4 * most)) -le $((5 * least)) ] || good=0
[ "$good" = 1 ]
