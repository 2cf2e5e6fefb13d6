#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_checkpoint_kill.sh RHOMB MAKE_PAIR KILLS KIND...: distances and alignments with --resume that
# SIGKILL ends at random moments, each followed by the same command until there is an output: the same as
# that of a run which nothing has disturbed. KILLS of each kind: one, on one device; two, on two of PoCL; or
# the file of a program with MPI, on two ranks of it, one or both of which are killed. Every fourth run of
# the last two kinds has one device, or three ranks, instead.
set -eu -o pipefail

rhomb=$1 make_pair=$2 kills=$3
shift 3
work=$(mktemp -d)
# A child that is killed before it becomes another program is this shell, too.
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
cd "$work"
export RHOMB_CACHE_DIR=$work/cache
RANDOM=${RHOMB_TEST_SEED:-1}
# Also where the machine is a container, with a single user and fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_plm_rsh_agent=false

"$rhomb" devices >/dev/null 2>&1 || exit 77
"$make_pair" --length 150000 --seed 1 --substitutions 0.3 --indels 0.1 far.target.fa far.query.fa
"$make_pair" --length 150000 --seed 2 --substitutions 0.02 --indels 0.005 near.target.fa near.query.fa

commands=(
    'distance --engine bitparallel far'
    'align --engine bitparallel near'
    'distance --engine wavefront near'
    'align far'
    'distance --score wfa --engine bitparallel near'
    'align --engine wavefront near'
    'distance --score wfa --engine wavefront near'
)

fail()
{
    echo "$kind, rhomb $command: $*; seed ${RHOMB_TEST_SEED:-1}" >&2
    exit 1
}

# start TURN OPTION...: the command, instead of the shell.
start()
{
    local several=$(($1 % 4 < 3))
    shift
    # shellcheck disable=SC2086 # options
    set -- ${command% *} --no-sketch --quiet --tune=chunk=3 "$@" "${command##* }.target.fa" "${command##* }.query.fa"
    case $kind$several in
    one*) exec "$rhomb" "$@" ;;
    two1) exec "$rhomb" "$@" --device 0,1 ;;
    two0) exec "$rhomb" "$@" --device 1 ;;
    ranks1) exec mpirun -n 2 "$mpi" "$@" ;;
    ranks0) exec mpirun -n 3 "$mpi" "$@" ;;
    esac
}

# What does not differ from run to run; a distance has its device and time at the end.
columns()
{
    case $command in
    distance*) cut -f 1-7 ;;
    *) cat ;;
    esac
}

# Runs the command undisturbed: its output, and how long it takes, in milliseconds.
measure()
{
    local begin _
    for _ in 1 2; do # builds the kernels, too, and PoCL's are stored
        (start 0 >/dev/null)
    done
    begin=$(date +%s%N)
    (start 0) | columns >expected
    longest[number]=$((($(date +%s%N) - begin) / 1000000 + 1))
    [ -e "expected.$number" ] || mv expected "expected.$number"
    ! [ -e expected ] || cmp "expected.$number" expected || fail 'another output'
}

# ranks COUNT: the processes of the ranks.
ranks()
{
    pgrep -f "^$mpi .*$work/kept" | shuf -n "$1"
}

# strike PROCESS: kills the run at a random $moment.
strike()
{
    moment=$((RANDOM % longest[number]))
    while [ "$kind" = ranks ] && [ -z "$(ranks 1)" ] && kill -0 "$1" 2>/dev/null; do
        sleep 0.02
    done
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    # shellcheck disable=SC2046 # processes
    { kill -KILL $([ "$kind" = ranks ] && ranks $((1 + RANDOM % 2)) || echo "$1"); } 2>/dev/null || true
}

# Does the command again and again until it ends. Adds to the counts.
finish()
{
    local status turn
    rm -f kept kept.new
    for ((turn = 0; ; turn++)); do
        (start $turn --resume "$work/kept" --resume-every 0.05) >got 2>errors &
        [ $killed = "$kills" ] || strike $!
        status=0
        { wait $!; } 2>/dev/null || status=$?
        if [ $killed != "$kills" ]; then
            killed=$((killed + 1))
            [ $status != 0 ] || late=$((late + 1))
            [ $status$turn != 00 ] || longest[number]=$((moment + 1)) # it takes less time than before
            [ $status = 0 ] || [ ! -s kept ] || within=$((within + 1))
        fi
        [ $status != 0 ] || break
        ! grep -q 'rhomb: error' errors || { cat errors >&2 && fail "status $status"; }
    done
    columns <got | cmp "expected.$number" - || fail "another output after $turn kills"
    [ ! -e kept ] && [ ! -e kept.new ] || fail 'the checkpoint is left'
}

for kind in "$@"; do
    [[ $kind != */* ]] || mpi=$kind kind=ranks
    unset POCL_DEVICES
    export RHOMB_TEST_OPENCL=cpu # on our own OpenCL
    [ "$kind" != two ] || export POCL_DEVICES='pthread basic' RHOMB_TEST_OPENCL=cpu,cpu
    [ "$kind" != two ] || [ "$("$rhomb" devices 2>/dev/null | grep -c -E '^[* ]*[01] +cpu')" = 2 ] || continue
    killed=0 within=0 late=0 longest=()
    for ((round = 0; killed < kills; round++)); do
        number=$((round % ${#commands[@]}))
        command=${commands[number]}
        [ -n "${longest[number]:-}" ] || measure
        finish
    done
    echo "$kind: the same output $round times after $killed kills: $((killed - within - late)) before there was a" \
        "file, $within with one, $late after the end"
done
