#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_oclgrind.sh PART RHOMB [WITHOUT_SELF_TEST TEST_TINY_SPLITS]: every kernel on tiny pairs, in groups
# and in vectors, under Oclgrind (see other_driver.sh), which reports accesses outside of buffers,
# races of work-items and wrong calls of OpenCL. Any report fails the test, and so does an output
# that is not PoCL's. WITHOUT_SELF_TEST is the program without known-answer tests, which take an
# interpreter a minute each. PART is a function's name below, without run_. Exits with 77 where Oclgrind
# is not installed.
set -eu -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
part=$1 rhomb=$2 quick=${3-} splits=${4-}
keep=${RHOMB_TEST_OUTPUT:-$PWD}/failed-oclgrind-$part
. "$(dirname "$0")/script.sh"
cd "$work"

# Without optimizing, as the compiler would remove what goes wrong.
export OCLGRIND_BUILD_OPTIONS='-cl-opt-disable -DRHOMB_NO_BUILTINS' OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1
export OCLGRIND_MAX_ERRORS=100000

. "$here/made_pairs.sh"

# Races that are none, a line each: the kernel, its file, and the texts of the two lines of it.
#  - The differences that a strip reads from the one above are replaced by those of its own last row,
#    GROUP_SIZE steps later, and each step ends with a barrier. That barrier is for local memory alone:
#    with global memory as well a GPU would wait for what the step has fetched ahead.
#  - A status that groups read to save themselves an atomic operation, which then decides.
expected_races()
{
    cat <<'END'
rhomb_bitparallel_sweep|bitparallel/bitparallel.cl|across[block] = below;|across[block] : 0xffff0000u;
rhomb_bitsliced_sweep|bitsliced/bitsliced.cl|across[(block - PASSAGE) * BORDER_WORDS + i] = packed[i];|above[i] = across[block * BORDER_WORDS + i];
rhomb_affine_look|affine/affine_wavefront.cl|most > *furthest)|atomic_max(furthest, most);
rhomb_affine_look|affine/affine_wavefront.cl|cells = status->met < turn ?|atomic_min(&status->met, turn);
END
}

# Those as "kernel file line line", in both orders.
expected_places()
{
    local kernel file texts lines text
    while IFS='|' read -r kernel file texts; do
        lines=''
        while read -r text; do
            lines+=" $(grep -nF -- "$text" "$here/../cl/$file" | cut -d : -f 1 | tr '\n' ' ')"
        done < <(tr '|' '\n' <<<"$texts")
        # shellcheck disable=SC2086 # words
        set -- $lines
        [ $# = 2 ] || { echo "expected_races: not two lines of $file: $texts" >&2 && return 1; }
        printf '%s cl/%s %s %s\n' "$kernel" "$file" "$1" "$2" "$kernel" "$file" "$2" "$1"
    done < <(expected_races)
}
expected_places >places

# unexpected LOG: Oclgrind's messages but those races; a message begins at a line's begin.
unexpected()
{
    awk 'NR == FNR { known[$0] = 1; next }
        function judge() {
            if (text != "" && !(is_race && (kernel " " place) in known))
                printf "%s", text
            text = place = kernel = ""
        }
        /^[^ \t]/ { judge(); is_race = /^Read-write data race at global memory/ }
        { text = text $0 "\n" }
        $1 == "Kernel:" { kernel = $2 }
        /At line [0-9]+ \(column/ { file = $NF; sub(/:$/, "", file)
            place = place == "" ? file " " $3 : place " " $3 }
        END { judge() }' places <(sed '/^[[:space:]]*$/d' "$1")
}

count=0 drivers=oclgrind
# watched FILES DRIVERS PROGRAM ARGUMENT...: the command, in which these kernel files are compiled,
# writes what it does on PoCL without --tune and --device, and Oclgrind has nothing to say.
watched()
{
    drivers=$2
    local files=$1 plain=() file next='' argument
    shift 2
    for argument in "${@:2}"; do
        case $next$argument in
        --tune | --device) next=skip ;;
        skip*) next='' ;;
        *) plain+=("$argument") ;;
        esac
    done
    : >oclgrind.log
    OCLGRIND_LOG=$work/oclgrind.log bash "$here/other_driver.sh" "$drivers" "$@" --verbose --verbose \
        >watched.out 2>watched.err || {
        local status=$?
        [ $status != 77 ] || { cat watched.out && exit 77; }
        cat watched.err >&2
        fail "exit status $status" "$@"
    }
    for file in $files; do
        grep -q "rhomb: $file.cl: compiled" watched.err || fail "$file.cl was not compiled" "$@"
    done
    unexpected oclgrind.log >messages
    if [ -s messages ]; then
        head -60 messages >&2
        fail 'Oclgrind has messages' "$@"
    fi
    "$rhomb" "${plain[@]}" --quiet >plain.out
    cmp <(columns plain.out) <(columns watched.out) >&2 || fail "not PoCL's output" "$@"
    count=$((count + 1))
}

# fail WHY PROGRAM ARGUMENT...: ends the test, with what repeats the run.
fail()
{
    printf 'test_oclgrind: %s\n' "$1" >&2
    shift
    rm -rf "$keep" && cp -r "$work" "$keep"
    printf "  cd %s && OCLGRIND_BUILD_OPTIONS='$OCLGRIND_BUILD_OPTIONS' OCLGRIND_DATA_RACES=1 bash %s %s\n" \
        "$keep" "$here/other_driver.sh $drivers" "$*" >&2
    exit 1
}

run_distance()
{
    pair s 100 0.15 6 1
    local ends='s.t.fa s.q.fa'
    # shellcheck disable=SC2086 # two files
    {
        watched 'common/pack wavefront/wavefront' oclgrind "$quick" distance --engine wavefront \
            --tune group=8,items=2,scores=3,wide=32:4:4:5 $ends
        watched wavefront/wavefront oclgrind "$quick" distance --engine wavefront \
            --tune group=1,items=64,scores=16 $ends
        watched wavefront/wavefront_diamond oclgrind "$quick" distance --engine wavefront \
            --tune shape=diamond,group=8,items=2,scores=4 $ends
        watched wavefront/wavefront_diamond oclgrind "$quick" distance --engine wavefront \
            --tune shape=diamond,group=1,items=64,scores=5 $ends
        watched bitparallel/bitparallel oclgrind "$quick" distance --engine bitparallel \
            --tune group=4,words=1,blocks=2 $ends
        watched bitparallel/bitparallel_lanes oclgrind "$quick" distance --engine bitparallel \
            --tune group=1,words=1,blocks=2 $ends
    }
}

# One device of two has half of the strips: they send each other the borders.
run_shared()
{
    pair s 200 0.5 6 1
    watched common/borders pocl,oclgrind "$quick" distance --engine bitparallel --device 0,1 \
        --tune group=4,words=1,blocks=2,chunk=1 s.t.fa s.q.fa
}

run_scores()
{
    pair s 80 0.15 6 1
    local ends='s.t.fa s.q.fa' score
    # shellcheck disable=SC2086 # two files
    {
        for score in affine:4,6,2 affine2p:4,4,2,24,1; do
            watched bitsliced/bitsliced oclgrind "$quick" distance --engine bitparallel \
                --score $score --tune group=4,words=1,blocks=2 $ends
            watched bitsliced/bitsliced_lanes oclgrind "$quick" distance --engine bitparallel \
                --score $score --tune group=1,words=1,blocks=2 $ends
        done
        watched affine/affine_wavefront oclgrind "$quick" distance --engine wavefront \
            --score affine:4,6,2 --tune group=8,items=8,scores=8 $ends
        watched affine/affine_wavefront oclgrind "$quick" distance --engine wavefront \
            --score affine:4,6,2 --tune group=1,items=64,scores=16 $ends
    }
}

# The paths of base cases, whose known-answer test has many that a group solves one after the other.
run_paths()
{
    pair s 60 0.15 6 1
    watched batch/batch oclgrind "$quick" align --engine bitparallel \
        --tune group=4,words=1,blocks=2 s.t.fa s.q.fa
    watched affine/affine_path oclgrind "$rhomb" align --score affine:4,6,2 --engine bitparallel \
        --tune group=1,words=1,blocks=2 s.t.fa s.q.fa
}

# A share of it (support/amount.h): batches without their known-answer tests, which have more pairs,
# and each kind in one group.
all=yes batch=$rhomb turn=0
[ "${RHOMB_TEST_SHARE:-100}" = 100 ] || all='' batch=$quick

# is_turn GROUP: whether it is the group for the next kind; one and several take turns.
is_turn()
{
    turn=$((turn + 1))
    [ -n "$all" ] || [ $(((turn + ($1 > 1)) % 2)) = 1 ]
}

# With few edits, so that the paths of what they find take less time than they do.
run_local()
{
    pair s 60 0.04 6 1
    local mode group
    for group in 1 4; do
        for mode in local ends-free extend 'extend --z-drop 20'; do
            is_turn $group || continue
            # shellcheck disable=SC2086 # two options
            watched local/long_local oclgrind "$quick" align --score match:2,4,4,2 --mode $mode \
                --tune local=$group:8:2 s.t.fa s.q.fa
        done
    done
}

run_batch()
{
    pair s 80 0.15 10 1
    local group
    for group in 1 8; do
        ! is_turn $group || watched batch/batch oclgrind "$batch" batch --cigar --tune group=$group s.seq
        ! is_turn $group || watched batch/batch_affine oclgrind "$batch" batch --cigar \
            --score affine:4,6,2 --tune group=$group s.seq
    done
    watched batch/batch oclgrind "$batch" batch --tune group=8 s.seq
    for group in 1 4; do
        watched batch/batch_sliced oclgrind "$batch" batch --cigar --score affine:4,6,2 \
            --tune group=$group,bit-planes=1 s.seq
    done
}

run_modes()
{
    pair s 60 0.15 10 1
    pair long 110 0.03 2 1
    local mode group
    # Long enough, and similar, for the path to have a band.
    watched batch/batch_sliced oclgrind "$batch" batch --cigar --score match:2,4,4,2 --mode local \
        --tune group=1,bit-planes=1 long.seq
    for group in 1 8; do
        for mode in ends-free local extend; do
            is_turn $group || continue
            watched batch/batch_local oclgrind "$batch" batch --score match:2,4,4,2 --mode $mode \
                --tune group=$group s.seq
        done
        is_turn $group || continue
        watched batch/batch_extend oclgrind "$batch" batch --score match:2,4,4,2 --mode extend \
            --z-drop 20 --tune group=$group s.seq
    done
}

# Subproblems of an alignment, as a test of cl/divide has them.
run_splits()
{
    local status=0
    OCLGRIND_LOG=$work/oclgrind.log bash "$here/other_driver.sh" oclgrind "$splits" tiny || status=$?
    [ $status != 77 ] || exit 77
    unexpected oclgrind.log >messages
    head -60 messages >&2
    [ $status = 0 ] || fail 'points are wrong' "$splits"
    [ ! -s messages ] || fail 'Oclgrind has messages' "$splits"
    count=2
}

"run_$part"
echo "test_oclgrind: $part: $count runs without a message"
