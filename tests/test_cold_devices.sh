#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_cold_devices.sh RHOMB MAKE_PAIR RUNS COMMAND...: RUNS runs of each command (matrix, blocks, match,
# waves) on two devices of one kind of PoCL, from empty caches, which write what one device does. Before 6.0
# such devices share their kernels (host/device/device.h), and without what the library does about that
# PoCL aborts in 14 to 38 % of the runs of the first three, which are on "pthread", and in all of the last,
# on "basic".
set -eu -o pipefail

rhomb=$1 make_pair=$2 runs=$3
shift 3
. "$(dirname "$0")/script.sh"
cd "$work"
export POCL_DEVICES='basic basic' POCL_CACHE_DIR=$work/pocl RHOMB_CACHE_DIR=$work/cache
mkdir pocl
[ "$("$rhomb" devices 2>/dev/null | grep -c -E '^[* ]*[01] +cpu')" = 2 ] || exit 77

edits=(--substitutions 0.03 --indels 0.01 --long-indels 0)
for record in 1 2 3 4 5 6; do
    "$make_pair" --length 6000 --seed $record "${edits[@]}" t.fa q.fa
    sed "1s/.*/>$record/" t.fa >>targets.fa
    sed "1s/.*/>$record/" q.fa >>queries.fa
done
"$make_pair" --length 30000 --seed 7 "${edits[@]}" --inversion 8000 t.fa q.fa

declare -A commands=(
    [matrix]='matrix targets.fa queries.fa'
    [blocks]='align --blocks t.fa q.fa'
    [match]='align --match names targets.fa queries.fa'
    [waves]='align --match names --engine wavefront targets.fa queries.fa'
)
failed=0
for name in "$@"; do
    command=${commands[$name]}
    POCL_DEVICES='pthread pthread'
    [ "$name" != waves ] || POCL_DEVICES='basic basic'
    # shellcheck disable=SC2086 # words
    "$rhomb" $command --quiet --device 0 -o expected
    for ((run = 0; run < runs; run++)); do
        rm -rf pocl cache
        mkdir pocl
        # shellcheck disable=SC2086
        if ! "$rhomb" $command --quiet --device all -o found || ! cmp expected found; then
            echo "run $run of $runs failed: rhomb $command --device all"
            failed=$((failed + 1))
        fi
        rm -f found
    done
done
ls >left
diff - left <<<"$(printf '%s\n' cache expected left pocl q.fa queries.fa t.fa targets.fa)"
[ "$failed" = 0 ]
