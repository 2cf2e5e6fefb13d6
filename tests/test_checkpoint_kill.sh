#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_checkpoint_kill.sh RHOMB MAKE_PAIR [KILLS]: kills runs that keep a checkpoint at random moments,
# with SIGKILL and now and then with SIGTERM, and goes on, until there is an output: the same as that of a
# run which nothing has disturbed. KILLS (8) is the number of runs that are killed. Where PoCL has two
# kinds of devices, each run has others than the run before: one of them, or both, which share what they
# can.
set -eu -o pipefail

rhomb=$1 make_pair=$2 kills=${3:-8}
work=$(mktemp -d)
# A child that is killed before it becomes another program is this shell, too.
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
cd "$work"
export RHOMB_CACHE_DIR=$work/cache
RANDOM=${RHOMB_TEST_SEED:-1}

"$rhomb" devices >/dev/null 2>&1 || exit 77
devices=(auto)
export POCL_DEVICES='pthread basic'
if [ "$("$rhomb" devices 2>/dev/null | grep -c -E '^[* ]*[01] +cpu')" = 2 ]; then
    devices=(0,1 1 1,0 0 0,1)
else
    unset POCL_DEVICES
fi

"$make_pair" --length 400000 --seed 1 --substitutions 0.3 --indels 0.1 far.target.fa far.query.fa
"$make_pair" --length 400000 --seed 2 --substitutions 0.02 --indels 0.005 near.target.fa near.query.fa

commands=(
    'distance --engine bitparallel far'
    'distance --engine wavefront near'
    'align --engine bitparallel near'
    'distance --score wfa --engine bitparallel near'
    'align --engine wavefront near'
    'distance --score wfa --engine wavefront near'
    'align far'
)

# run COMMAND OPTION...: with what all runs have, instead of the shell.
run()
{
    local command=$1
    shift
    # shellcheck disable=SC2086 # options
    exec "$rhomb" ${command% *} --no-sketch --quiet --tune chunk=3 "${command##* }.target.fa" "${command##* }.query.fa" "$@"
}

# What does not differ from run to run; a distance has its device and time at the end.
columns()
{
    case $1 in
    distance*) cut -f 1-7 ;;
    *) cat ;;
    esac
}

killed=0 moment=0 turn=0
for ((round = 0; killed < kills; round++)); do
    command=${commands[round % ${#commands[@]}]}
    (run "$command" >expected.all) # builds the kernels, too
    (run "$command" >expected.all) # and PoCL's are stored
    begin=$(date +%s%N)
    (run "$command") | columns "$command" >expected
    longest=$((($(date +%s%N) - begin) / 1000000 + 1))
    rm -f kept kept.new
    for ((tries = 0; ; tries++)); do
        [ $tries -lt 200 ] || { echo "rhomb $command: no end after 200 runs" >&2 && exit 1; }
        moment=$((RANDOM % longest))
        signal=KILL
        [ $((RANDOM % 4)) != 0 ] || signal=TERM
        device=${devices[turn++ % ${#devices[@]}]}
        run "$command" --device "$device" --resume kept --resume-every 0.05 >got.all 2>errors &
        # The last runs of a round are left alone.
        if [ $tries -lt 4 ] && [ $killed -lt "$kills" ]; then
            sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
            { kill -s $signal $!; } 2>/dev/null || true
        fi
        status=0
        { wait $!; } 2>/dev/null || status=$?
        [ $status != 0 ] || break
        if [ $status != 137 ] && [ $status != 143 ]; then
            echo "rhomb $command: status $status after $killed kills; seed ${RHOMB_TEST_SEED:-1}" >&2
            cat errors >&2
            exit 1
        fi
        killed=$((killed + 1))
    done
    columns "$command" <got.all >got
    cmp expected got || {
        echo "rhomb $command: another output after $tries kills; seed ${RHOMB_TEST_SEED:-1}" >&2
        exit 1
    }
    [ ! -e kept ] && [ ! -e kept.new ] || { echo "rhomb $command: the checkpoint is left" >&2 && exit 1; }
    echo "rhomb $command: the same after $tries kills, on devices ${devices[*]}"
done
