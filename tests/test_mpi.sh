#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_mpi.sh RHOMB MAKE_PAIR: the program on several ranks, as mpirun starts it: distances and
# alignments are those of one process, byte for byte; what cannot be is an error of rank 0, with its
# exit status; a rank that is killed ends the run, which does not hang, and one that is stopped goes on
# from its checkpoint with another number of ranks.
set -eu -o pipefail

rhomb=$1
make_pair=$2
. "$(dirname "$0")/script.sh"
cd "$work"

# Also where the machine is a container, with a single user and fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_plm_rsh_agent=false
"$rhomb" devices >devices.txt 2>&1 && grep -qE '^[* ] *[0-9]+ ' devices.txt ||
    { echo 'skipped: no device' && exit 77; }

# on RANKS ARGUMENT...: the program on so many ranks; mpirun's own --tune= needs the other spelling.
on()
{
    local ranks=$1
    shift
    timeout 120 mpirun -n "$ranks" "$rhomb" "$@"
}

# A share of it (support/amount.h): one number of ranks for each engine, besides one rank.
all=yes
[ "${RHOMB_TEST_SHARE:-100}" = 100 ] || all=''

"$make_pair" --length 60000 --seed 7 --substitutions 0.1 --indels 0.02 target.fa query.fa
"$rhomb" align --quiet --engine bitparallel target.fa query.fa >one.paf
"$rhomb" distance --quiet --engine bitparallel target.fa query.fa | cut -f 1-6 >one.tsv
for ranks in 1 ${all:+2} 4; do
    on $ranks align --quiet --engine bitparallel --tune=chunk=2 target.fa query.fa >several.paf
    cmp one.paf several.paf || fail "another alignment on $ranks ranks"
    on $ranks distance --quiet --json --engine bitparallel --tune=chunk=2 target.fa query.fa \
        >several.json
    shares=$(grep -c '"bytes_sent"' several.json || true)
    [ "$shares" = "$([ $ranks -gt 1 ] && echo $ranks || echo 0)" ] ||
        fail "$shares shares of $ranks ranks"
    on $ranks distance --quiet --engine bitparallel --tune=chunk=2 target.fa query.fa |
        cut -f 1-6 >several.tsv
    cmp one.tsv several.tsv || fail "another distance on $ranks ranks"
done

# Rank 0 has a wavefront alone, from which a shared sweep may take over, and all ranks its path.
for ways in '--engine wavefront' '--engine auto --no-sketch' '--engine wavefront --score affine:4,6,2'; do
    # shellcheck disable=SC2086
    {
        "$rhomb" align --quiet $ways target.fa query.fa >one.paf
        "$rhomb" distance --quiet $ways target.fa query.fa | cut -f 1-6 >one.tsv
        for ranks in 2 ${all:+4}; do
            on $ranks align --quiet $ways --tune=chunk=2 target.fa query.fa >several.paf
            cmp one.paf several.paf || fail "another alignment on $ranks ranks, $ways"
            on $ranks distance --quiet $ways --tune=chunk=2 target.fa query.fa | cut -f 1-6 >several.tsv
            cmp one.tsv several.tsv || fail "another distance on $ranks ranks, $ways"
        done
    }
done

# expect STATUS TEXT ARGUMENT...: on two ranks the program ends with that status and says the text.
expect()
{
    local status=$1 text=$2 found=0
    shift 2
    on 2 "$@" >out.txt 2>err.txt || found=$?
    [ $found = "$status" ] || fail "exit $found instead of $status: rhomb $*"
    grep -qF -- "$text" out.txt err.txt || fail "no '$text': rhomb $*"
}
expect 0 'with MPI' --version
expect 0 'shared by 2 devices' distance --dry-run --engine bitparallel --tune=chunk=2 target.fa query.fa
expect 0 'usage: rhomb batch' batch --help
[ "$("$rhomb" help rules | grep -c 'MPI ranks excludes')" = 6 ] || fail 'not six rules of ranks'
while read -r command other; do
    [ "$other" != --match ] || other='--match order'
    # shellcheck disable=SC2086 # words
    expect 2 "MPI ranks and ${other% order} exclude each other" $command ${other#rhomb "$command"} \
        target.fa query.fa
done < <("$rhomb" help rules | sed -n 's/MPI ranks excludes//p')
expect 3 'nowhere.fa' distance target.fa nowhere.fa
expect 4 'no such device' distance --device 'no such device' target.fa query.fa

# Processes with command lines of their own are no ranks.
timeout 120 mpirun -n 1 "$rhomb" distance --quiet --no-header target.fa query.fa : \
    -n 1 "$rhomb" distance --quiet --no-header target.fa target.fa >several.tsv
[ "$(wc -l <several.tsv)" = 2 ] || fail 'processes with other command lines do not run alone'

# start_long: three ranks on a pair that takes a minute, in the background as $run.
start_long()
{
    timeout 120 mpirun -n 3 "$rhomb" distance --no-sketch --engine bitparallel --tune=chunk=1 \
        far.target.fa far.query.fa >out.txt 2>err.txt &
    run=$!
}

# rank_of NUMBER [RUN]: waits for that rank's process; the run's command line has the pattern.
rank_of()
{
    local process pattern=${2:-distance .*far}
    for _ in $(seq 200); do
        for process in $(pgrep -f "^$rhomb $pattern.query.fa\$"); do
            ! tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null |
                grep -qx "OMPI_COMM_WORLD_RANK=$1" || { echo "$process" && return; }
        done
        sleep 0.1
    done
    fail "there is no rank $1"
}

# A run that is stopped ends at once on all ranks, whatever they have sent.
"$make_pair" --length 3000000 --seed 8 --substitutions 0.4 --indels 0.1 far.target.fa far.query.fa
start_long
rank=$(rank_of 0)
sleep 4
began=$SECONDS status=0
kill -INT "$rank"
wait $run || status=$?
[ $status = 130 ] || fail "exit $status of a run that was stopped"
[ $((SECONDS - began)) -lt 30 ] || fail 'a run that was stopped hangs'

# A rank that dies ends the run at once.
start_long
rank=$(rank_of 2)
sleep 3
began=$SECONDS status=0
kill -9 "$rank"
wait $run || status=$?
[ $status -ne 0 ] || fail 'a run without one of its ranks has succeeded'
[ $status -ne 124 ] && [ $((SECONDS - began)) -lt 30 ] || fail 'a run without one of its ranks hangs'
[ ! -s out.txt ] || fail 'a run without one of its ranks has printed something'

# A run that SIGTERM stops goes on with another number of ranks; test_checkpoint_kill.sh has SIGKILL.
"$make_pair" --length 1200000 --seed 9 --substitutions 0.3 --indels 0.1 kept.target.fa kept.query.fa
kept=(--no-sketch --engine bitparallel --tune=chunk=2 --no-header kept.target.fa kept.query.fa)
timeout 120 mpirun -n 3 "$rhomb" distance --resume kept --resume-every 0.1 "${kept[@]}" >out.txt 2>err.txt &
run=$! status=0
until grep -qsaP 'engine\x00\x00' kept; do # its section
    kill -0 $run 2>/dev/null || fail 'a distance on ranks writes no checkpoint with sweeps'
    sleep 0.02
done
kill -TERM "$(rank_of 0 'distance .*kept')"
wait $run || status=$?
[ $status = 143 ] || { cat err.txt >&2 && fail "exit $status of a run that was to end"; }
"$rhomb" distance --quiet "${kept[@]}" | cut -f 1-6 >one.tsv
on 2 distance -v --resume kept "${kept[@]}" 2>err.txt | cut -f 1-6 >several.tsv
cmp one.tsv several.tsv || fail 'another distance after a checkpoint'
grep -q 'goes on from kept' err.txt || fail 'a distance does not go on from a checkpoint'
grep -q 'from its beginning' err.txt || fail 'a sweep that begins again does not say so'
[ ! -e kept ] || fail 'the checkpoint is left'
