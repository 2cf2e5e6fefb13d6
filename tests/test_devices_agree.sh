#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_devices_agree.sh RHOMB MAKE_PAIR: all usable devices of the machine write the same bytes:
# distances and CIGARs of short pairs, and alignments by each engine, one with a scoring. Exits with
# 77 where there are fewer than two.
set -eu -o pipefail

rhomb=$1 make_pair=$2
. "$(dirname "$0")/script.sh"
cd "$work"

devices=$("$rhomb" devices 2>/dev/null | awk '$1 == "*" && $2 ~ /^[0-9]+$/ { print $2 }
    $1 ~ /^[0-9]+$/ && $2 ~ /^(gpu|cpu|accelerator)$/ { print $1 }' | sort -n)
[ "$(wc -w <<<"$devices")" -ge 2 ] || { echo 'fewer than two devices' && exit 77; }

# Pairs of up to 2,500 bp and with up to a third of edits, some with N; and random ones.
awk 'BEGIN {
    srand(7)
    for (i = 0; i < 6000; i++) {
        letters = i % 5 == 0 ? "ACGTN" : "ACGT"
        rate = i % 9 == 8 ? 1 : rand() * rand() / 3
        length_of = int(rand() * rand() * 2500)
        target = query = ""
        for (j = 0; j < length_of; j++) {
            letter = substr(letters, int(rand() * length(letters)) + 1, 1)
            target = target letter
            if (rand() >= rate) { query = query letter; continue }
            kind = int(rand() * 3)
            other = substr("ACGT", int(rand() * 4) + 1, 1)
            query = query (kind == 0 ? other : kind == 1 ? letter other : "")
        }
        print ">" target
        print "<" query
    }
}' >pairs.seq
"$make_pair" --length 300000 --seed 3 --inversion 4000 similar.target.fa similar.query.fa
"$make_pair" --length 60000 --seed 4 --substitutions 0.15 --indels 0.03 far.target.fa far.query.fa

# same NAME ARGUMENT...: the command's output on each device; its fields $columns, or all.
same()
{
    local name=$1 device first=''
    shift
    for device in $devices; do
        "$rhomb" "$@" --quiet --device "$device" | cut -f "${columns:-1-}" >"$name.$device"
        [ -s "$name.$device" ] || { echo "$name: no output on device $device" >&2 && exit 1; }
        [ -n "$first" ] || first=$device
        cmp "$name.$first" "$name.$device" ||
            { echo "rhomb $* --device $device: not what device $first writes" >&2 && exit 1; }
    done
    echo "$name: the same on devices" $devices
}

same distances batch pairs.seq
same cigars batch --cigar pairs.seq
same limited batch --cigar --max-distance 40 --format paf pairs.seq
"$make_pair" --length 20000 --seed 5 --substitutions 0.03 --indels 0.01 small.target.fa small.query.fa
for engine in wavefront bitparallel; do
    same "$engine-scored" align --score asm20 --engine $engine small.target.fa small.query.fa
    columns=1-7 same "$engine-scored-distance" distance --score asm20 --engine $engine \
        small.target.fa small.query.fa
    for pair in similar far; do
        same "$engine-$pair" align --engine $engine $pair.target.fa $pair.query.fa
    done
done
