# SPDX-License-Identifier: MIT
# needs: device
# The plan: its lines and members; the figures are the device's.
printf '>t\nACGTACGT\n' >t.fa
printf '>q\nACGTACG\n' >q.fa
rhomb distance --dry-run --quiet t.fa q.fa >plan.txt
echo "=> $?"
cut -c 1-15 plan.txt | sed 's/ *$//'
grep -E '^(target|query|distance) ' plan.txt
# The pair is too short for a wavefront, which has a tile.
rhomb distance --dry-run --engine wavefront --quiet t.fa q.fa | grep -c '^tile'
rhomb distance --dry-run --json --quiet t.fa q.fa >plan.json
echo "=> $?"
as_json plan.json
grep -o '"[a-z_0-9]*":' plan.json | paste -s -d ' ' | fold -s -w 98

# Kernels that are not in the cache are said to be built first, and not those that a run has left there.
for cache in off kernels; do
    export RHOMB_CACHE_DIR=$cache
    rhomb distance --dry-run --quiet t.fa q.fa | grep '^kernels'
    rhomb distance --quiet t.fa q.fa >ran.tsv
    # PoCL's are kept at the second use.
    [[ "$(rhomb devices --json)" != *PoCL* ]] || rhomb distance --dry-run --quiet t.fa q.fa | grep -q '^kernels' ||
        echo 'kept at the first use'
    rhomb distance --quiet t.fa q.fa >ran.tsv
    rhomb distance --dry-run --quiet t.fa q.fa | grep '^kernels' || echo 'in the cache'
    rhomb distance --dry-run --json --quiet t.fa q.fa | grep must_build
    rhomb distance --dry-run --match order --quiet t.fa q.fa | grep kernels
done
export RHOMB_CACHE_DIR=off

# How a sweep is said to be done, in groups and in vectors.
sweep() {
    try rhomb distance --dry-run --quiet --engine bitparallel --tune "$1" t.fa q.fa |
        grep -E '^([$=!]|sweep)'
}
sweep group=8,words=2,blocks=16,directions=2
sweep group=1,words=4,blocks=8,directions=1

# An alignment has two directions whatever the distance alone would have, and so has its plan.
for engine in wavefront bitparallel; do
    rhomb align --dry-run --quiet --engine $engine t.fa q.fa | grep -o -E '(two|one) direction'
    rhomb align --dry-run --json --quiet --engine $engine t.fa q.fa | grep '"directions"'
done
