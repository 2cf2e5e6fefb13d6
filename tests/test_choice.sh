#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_choice.sh RHOMB MAKE_PAIR: what --engine auto is promised to take beside the sweep alone, at most
# 1.25 times, counted in cells that are computed, on a processor, whose time they are. With long indels
# estimates are too high, with a sketch and without.
set -eu -o pipefail

rhomb=$(realpath "$1") make_pair=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

[ "$("$rhomb" devices 2>/dev/null | grep -c -E '^[* ]*0 +cpu')" = 1 ] || exit 77

# cells ENGINE PAIR SCORING [OPTION]
cells()
{
    local engine=$1 pair=$2 scoring=$3
    "$rhomb" distance --json --quiet -d 0 --engine "$engine" --score "$scoring" "${@:4}" \
        "$pair.target.fa" "$pair.query.fa" >report.json
    sed -n '/"work":/,/}/ s/.*"cells":[^0-9]*\([0-9]*\).*/\1/p' report.json
}

"$make_pair" --length 60000 --seed 7 --substitutions 0.05 --indels 0.02 --long-indels 3 long.target.fa long.query.fa
"$make_pair" --length 30000 --seed 2 --substitutions 0.12 --indels 0.03 --long-indels 1 far.target.fa far.query.fa
"$make_pair" --length 60000 --seed 3 --substitutions 0.1 --indels 0.02 plain.target.fa plain.query.fa

good=1
for pair in long far plain; do
    for scoring in asm10 map-ont wfa; do
        least=$(cells bitparallel $pair $scoring)
        for option in "" --no-sketch; do
            most=$(cells auto $pair $scoring $option)
            echo "$pair, $scoring $option: $most cells, the sweep alone $least"
            if [ $((4 * most)) -gt $((5 * least)) ]; then
                echo "test_choice: too many: rhomb distance --engine auto --score $scoring $option," \
                    "see $0 for the pair" >&2
                good=0
            fi
        done
    done
done
[ "$good" = 1 ]
