#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_make_pair.sh MAKE_PAIR: the demo's generator gives the same bytes on every machine, has in it
# what it says, and refuses what it cannot do.
set -eu -o pipefail

make_pair=$1
. "$(dirname "$0")/script.sh"
cd "$work"

# has TEXT FILE...: the bases of the files, headers and line ends left out, hold the text.
has()
{
    local text=$1 file
    shift
    for file in "$@"; do
        grep -v '>' "$file" | tr -d '\n' | grep -qF "$text" || fail "$file has no ${text:0:20}"
    done
}

"$make_pair" --length 300000 --seed 42 --inversion 5000 target.fa query.fa
sums=$(cat target.fa query.fa | cksum)
[ "$sums" = '194665825 615493' ] || fail "other bytes than elsewhere: cksum says $sums"

[ "$(grep -v '>' target.fa | tr -d '\n' | wc -c)" = 300000 ] || fail 'wrong length of the target'
[ "$(grep -v '>' target.fa query.fa -h | wc -L)" = 60 ] || fail 'lines are not of 60 columns'
has "$(printf 'N%.0s' {1..10000})" target.fa query.fa
[ "$(grep -v '>' query.fa | tr -cd N | wc -c)" -ge 12000 ] || fail 'the query has no gap of its own'
for letter in A C G T a c g t; do has $letter target.fa query.fa; done

"$make_pair" -l 300000 -s 42 -x 0 -i 0 -L 0 same.fa copy.fa
[ "$(grep -v '>' copy.fa | tr -d 'N\n' | wc -c)" = 288000 ] || fail 'rates of 0 change the query'

refused()
{
    local rc=0
    "$make_pair" "$@" 2>message || rc=$?
    [ $rc = "$wanted" ] || fail "$*: exit code $rc instead of $wanted"
    [ -s message ] || fail "$*: no message"
}
wanted=2
refused
refused one.fa
refused --length 999 a.fa b.fa
refused --length 1e6 a.fa b.fa
refused --substitutions 1.5 a.fa b.fa
refused --unknown a.fa b.fa
wanted=1
refused nowhere/a.fa b.fa
[ ! -c /dev/full ] || refused /dev/full b.fa
