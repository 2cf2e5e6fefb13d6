#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# driver_set.sh BUILD: what another implementation of OpenCL, or another release of one, is judged by:
# the one that the loader shows. Differential tests, and every kernel in groups and in vectors on a
# small pair, by a command that has to print what the device's own tuning does. Prints a line for
# each. Fails where an answer is wrong, and where anything is refused or crashes that expected() does
# not name. releases.sh runs it on releases that this system does not have.
set -u -o pipefail

build=$(realpath "$1")
rhomb=$build/host/cli/rhomb
. "$(dirname "${BASH_SOURCE[0]}")/made_pairs.sh"
. "$(dirname "$0")/script.sh"
cd "$work" || exit 1
export RHOMB_CACHE_DIR=off RHOMB_TEST_OUTPUT=$work
ulimit -c 0

"$rhomb" devices --json >devices.json || exit 1
driver=$(sed -n 's/.*"platform":.*\(PoCL [0-9]*\).*/\1/p; s/.*"platform":.*\(rusticl\).*/\1/p' devices.json |
    head -1)
[ "$driver" != rusticl ] || driver+=" $(sed -n 's/.*"driver":[^0-9]*\([0-9]*\).*/\1/p' devices.json | head -1)"
sed -n 's/^[[:space:]]*"\(name\|platform\|driver\)":/\1:/p' devices.json

# expected NAME: the verdicts that are known of this implementation. Where kernels fail in groups, its
# own tuning is vectors, which are right everywhere.
expected()
{
    case $driver:$1 in
    'PoCL '[45]:'batch affine: group=32' | 'PoCL '[45]:'batch '*': group=8') echo right crashed ;;
    'PoCL 6:bitparallel with N: group='[48],*) echo right refused ;;
    'rusticl 26:affine wavefront: group=8,'*) echo right crashed ;;
    'PoCL 7:distances by edlib' | 'PoCL 7:'*group=[!1]* | 'PoCL 7:'*local=[!1]*) echo right refused crashed ;;
    *) echo right ;;
    esac
}

failed=0
# judge NAME VERDICT: prints both, and whether that was expected.
judge()
{
    local known
    known=$(expected "$1")
    if [[ " $known " = *" $2 "* ]]; then
        printf '%-9s %s\n' "$2" "$1"
    else
        printf '%-9s %s (expected: %s)\n' "$2" "$1" "$known"
        head -20 log
        failed=1
    fi
}

# tested NAME TEST ARGUMENT...: a differential test.
tested()
{
    local status=0 name=$1
    timeout 900 "$build/tests/$2" "${@:3}" >log 2>&1 </dev/null || status=$?
    judge "$name" "$(verdict $status)"
}

# verdict STATUS: the word for it. A device that fails a known-answer test, or whose sweep contradicts its
# bound, is refused: there is no answer.
verdict()
{
    if [ "$1" = 0 ]; then
        echo right
    elif [ "$1" -gt 128 ]; then
        echo crashed
    elif [ "$1" = 124 ]; then
        echo stopped
    elif grep -qE 'the device computes wrong results|a sweep for the bound [0-9]+ ended with cost' log; then
        echo refused
    else
        echo WRONG
    fi
}

# form NAME TUNING COMMAND...: prints with TUNING what it does without.
form()
{
    local name=$1 tuning=$2 status=0
    shift 2
    timeout 900 "$rhomb" "$@" --quiet >plain 2>log || status=$?
    [ $status = 0 ] && { timeout 900 "$rhomb" "$@" --quiet --tune "$tuning" >tuned 2>log || status=$?; }
    [ $status != 0 ] || cmp <(columns plain) <(columns tuned) >log 2>&1 || status=1
    judge "$name: $tuning" "$(verdict $status)"
}

# relatives: 16 pairs of 20 to 42 kb, m.t.fa and m.q.fa.
relatives()
{
    awk 'BEGIN {
        srand(3)
        for (i = 0; i < 16; i++) {
            target = query = ""
            for (j = 0; j < 20000 + 1500 * i; j++) {
                letter = substr("ACGT", int(rand() * 4) + 1, 1)
                target = target letter
                query = query (rand() < 0.05 ? substr("ACGT", int(rand() * 4) + 1, 1) : letter)
            }
            print ">s" i "\n" target >"m.t.fa"
            print ">s" i "\n" query >"m.q.fa"
        }
    }'
}

# at_a_time: three runs with four alignments at a time write what one by one does.
at_a_time()
{
    local status=0 options=(align --match names --engine wavefront --quiet m.t.fa m.q.fa)
    "$rhomb" "${options[@]}" >plain 2>log || status=$?
    for _ in 1 2 3; do
        [ $status != 0 ] || timeout 300 "$rhomb" "${options[@]}" --jobs 4 >tuned 2>log || status=$?
        [ $status != 0 ] || cmp plain tuned >log 2>&1 || status=1
    done
    judge 'four at a time' "$(verdict $status)"
}

pair s 1500 0.1 40 0.5

# With sizes of groups and tiles as GPUs have them, and those of CPUs.
for tuning in group=8,items=2,scores=3,wide=32:4:4:5 group=64,items=2,scores=16 \
    group=1,items=64,scores=16; do
    form wavefront $tuning distance --engine wavefront s.t.fa s.q.fa
done
for tuning in shape=diamond,group=8,items=2,scores=4 shape=diamond,group=1,items=64,scores=5; do
    form wavefront $tuning distance --engine wavefront s.t.fa s.q.fa
done
for tuning in group=4,words=1,blocks=2 group=8,words=2,blocks=64 group=1,words=1,blocks=2; do
    form bitparallel $tuning distance --engine bitparallel s.t.fa s.q.fa
    form 'bitparallel with N' $tuning distance --engine bitparallel s.n.t.fa s.q.fa
    form paths $tuning align --engine bitparallel s.t.fa s.q.fa
    for score in affine:4,6,2 affine2p:4,4,2,24,1; do
        form "bitsliced $score" ${tuning/words=2/words=1} distance --engine bitparallel --score $score s.t.fa s.q.fa
    done
    form "affine paths" ${tuning/words=2/words=1} align --engine bitparallel --score affine:4,6,2 s.t.fa s.q.fa
done
for tuning in group=8,items=8,scores=8 group=1,items=64,scores=16; do
    form "affine wavefront" $tuning distance --engine wavefront --score affine:4,6,2 s.t.fa s.q.fa
done
for mode in local ends-free extend 'extend --z-drop 20'; do
    for group in 1 4; do
        # shellcheck disable=SC2086 # the mode's options
        form "long $mode" local=$group:8:2 align --score match:2,4,4,2 --mode $mode s.t.fa s.q.fa
    done
    for tuning in group=1 group=8; do
        # shellcheck disable=SC2086 # the mode's options
        form "batch $mode" $tuning batch --cigar --score match:2,4,4,2 --mode $mode s.seq
    done
done
for tuning in group=1 group=32; do
    form batch $tuning batch --cigar s.seq
    form 'batch affine' $tuning batch --cigar --score affine:4,6,2 s.seq
    form 'batch affine' $tuning,bit-planes=1 batch --cigar --score affine:4,6,2 s.seq
done
tested 'batches by edlib' test_batch models
tested 'batches of extensions by matrices' test_batch_modes extend 10
tested 'distances by edlib' test_distance homopolymers
tested 'distances by edlib, auto' test_distance auto
tested 'alignments by models' test_align test_models

# Before 6.0 PoCL aborts where launches of a kernel are in several queues (host/device/device.h).
case $driver in
PoCL\ [345])
    relatives
    at_a_time
    ;;
esac
exit $failed
