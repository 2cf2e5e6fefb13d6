#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Builds Rhomb and runs its tests: the one command that the README and the CI use. Installs what is
# missing, builds with warnings as errors under build-ci/, and runs the first tier of tests: on PoCL
# with a palette of programs, and command lines on an OpenCL of our own (tests/opencl); then, with
# clang and the address and undefined-behaviour sanitizers, those without a device, and some of each
# engine on our OpenCL, so that the sanitizers see every access of the kernels. CC and
# CMAKE_BUILD_TYPE choose the compiler and the kind of the first build. With --full the second tier
# as well, see usage().
set -u -o pipefail

usage()
{
    cat <<'END'
Usage: tests/run.sh [options]
  --full          run the second tier as well, about an hour of two cores: on PoCL all tests, and
                  with sanitizers those that our own OpenCL has not, what has threads with
                  ThreadSanitizer, other drivers, compilers for GPUs, packages, and what
                  tests/full.list names
  --slow          the same, with the long tests, and all cases of the others
  --gpu           run the tests that need a GPU as well, and all on the best device there is
  --no-sanitize   leave out the builds with sanitizers
  --no-install    leave the system's packages alone
  -h, --help      this text
END
}

full='' slow='' gpu='' sanitize=yes install=yes
for argument in "$@"; do
    case $argument in
    --full) full=yes ;;
    --slow) full=yes slow=yes ;;
    --gpu) gpu=yes ;;
    --no-sanitize) sanitize='' ;;
    --no-install) install='' ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done

[ -z "$full" ] || echo "The second tier takes about an hour of two cores${slow:+, and with --slow several}."
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD/build-ci
. tests/packages.sh
if [ -n "$install" ]; then
    rhomb_packages_ensure "$([ -n "$full" ] && echo full || echo test)" || exit 1
    [ -z "$full" ] || rhomb_programs_install "$root/programs"
    [ -z "$full" ] || rhomb_drivers_install "$root/drivers"
fi
export RHOMB_TEST_DRIVERS=$root/drivers
PATH=$PATH:$root/programs/bin

# Nothing is written outside of build-ci: PoCL finds no device where its cache cannot be written. A
# program is compiled once for PoCL's own cache, and twice where Rhomb's is to have it as well; tests
# of Rhomb's cache have folders of their own.
export POCL_CACHE_DIR=$root/cache/pocl RHOMB_CACHE_DIR=off
export CTEST_OUTPUT_ON_FAILURE=1
# PoCL's threads end while the leak checker looks at what they had, and its tracer crashes (seen in
# one run of twenty); nothing of ours lives in thread-local storage alone.
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0:use_tls=0"
# A signal may end the program while a thread reads. For a library's thread-local storage, where it begins 16 bytes into
# a page, ThreadSanitizer (14) takes the 16 bytes before it for a header with its size: another block of the heap, and
# where that has a pointer, the test ends with "failed to allocate 0xf69800004000 bytes" (seen in one run of four).
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp history_size=4 report_thread_leaks=0 intercept_tls_get_addr=0"
mkdir -p "$POCL_CACHE_DIR" || exit 1
if command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
fi

# Hides all devices but PoCL's, so that a run means the same everywhere. The loader's variable wins
# where it is set, for a PoCL in another place.
use_pocl()
{
    local driver=/etc/OpenCL/vendors/pocl.icd
    [ ! -e "$driver" ] || export OCL_ICD_VENDORS=${OCL_ICD_VENDORS:-$driver}
}
[ -n "$gpu" ] || use_pocl

# What draws pairs, or has a long list of cases, takes an eighth of them (support/amount.h):
# much of the time goes into compiling kernels for PoCL. tests/README.md, "Time", has the figures.
[ -n "$slow" ] || export RHOMB_TEST_SHARE=${RHOMB_TEST_SHARE:-12}
# Some do less still, but in the first tier alone.
unset RHOMB_TEST_TIER
[ -n "$full" ] || export RHOMB_TEST_TIER=1

# Labels that the first build leaves out: what needs no device runs with sanitizers. The first tier leaves out
# more, by label and by name.
without=()
[ -n "$slow" ] || without+=(slow thorough ${sanitize:+unit})
[ -n "$gpu" ] || without+=(gpu)
[ -n "$full" ] || without+=(drivers package)
only_full=$(sed -n 's/^\([a-z][a-z0-9_-]*\) .*/\1/p' tests/full.list | paste -s -d '|')
# What the first tier runs on our own OpenCL it does not run on PoCL as well: compiling its programs
# there took two fifths of the time. Those that are called plain run on it without sanitizers.
own=$(sed -n 's/^\(test_[a-z0-9_-]*\)$/\1/p' tests/opencl/tests.list | paste -s -d '|')
own_plain=$(sed -n 's/^\([a-z0-9_-]*\) plain$/\1/p' tests/opencl/tests.list | paste -s -d '|')
[ -z "$full$gpu" ] || own_plain=none
plain_target=all own_target=all
[ -n "$full" ] || own_target=rhomb_unit
[ -n "$full" ] || [ -z "$sanitize" ] || plain_target=rhomb_first
processors=$(nproc)
# PoCL's threads wait for each other at each launch: while one test waits, another has the core. On
# a machine that is shared, a core that was idle for a moment may be long in coming back.
test_jobs=$((processors < 4 ? 2 * processors : 8))

# What has threads, for ThreadSanitizer, which takes its time; the target rhomb_threaded builds it.
threaded='test_known_runs|test_path_tidy|test_pairs_live|test_batch_threads|test_matrix|test_many_devices|test_beside'
threaded+='|test_align_threads|test_ranks|test_ranks_limits|test_shared_limits|test_checkpoint'
threaded="^($threaded|cli_threads|cli_match|cli_resume)\$"

# build FOLDER TARGET CMAKE_ARGUMENT...
build()
{
    local folder=$root/$1 target=$2
    shift 2
    cmake -S . -B "$folder" -DRHOMB_WERROR=ON "$@" &&
        cmake --build "$folder" --parallel "$processors" --target "$target"
}

# clang_build FOLDER TARGET SANITIZERS CMAKE_ARGUMENT...
clang_build()
{
    local folder=$1 target=$2 sanitizers=$3 linker=() # lld takes less time than the usual one
    ! command -v ld.lld >/dev/null || linker=("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld ${LDFLAGS-}")
    shift 3
    build "$folder" "$target" ${linker[@]+"${linker[@]}"} -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_FLAGS_DEBUG='-g1 -O1' "-DRHOMB_SANITIZE=$sanitizers" -DRHOMB_BENCH=OFF "$@"
}

# run_tests FOLDER/LOG LABELS OPTION...: all tests but those with one of these labels, or those that ctest's
# options name.
run_tests()
{
    local folder=$root/${1%/*} log=$root/$1.log labels=${2// /|} left_out=$only_full
    [ "${1##*/}" = own ] || left_out+="|$own_plain"
    [ -z "$sanitize" ] || [ "${1%/*}" = own ] || left_out+="|$own"
    shift 2
    [ -n "$full" ] || set -- "$@" --exclude-regex "^($left_out)\$"
    ctest --test-dir "$folder" --no-tests=error --timeout 1800 --parallel "$test_jobs" \
        ${labels:+--label-exclude "^($labels)\$"} "$@" | tee "$log"
}

# with_loader COMMAND...: what is linked with our own OpenCL calls the system's loader instead.
with_loader()
{
    LD_PRELOAD=libOpenCL.so.1 "$@"
}

# with_own COMMAND...: what is linked with the loader calls our own OpenCL instead, which shows a CPU.
with_own()
{
    RHOMB_TEST_OPENCL=cpu LD_PRELOAD=$root/$plain/tests/opencl/librhomb_opencl.so "$@"
}

# of_palette COMMAND...: PoCL has only the programs of programs.def, which are as many as the time allows. Another
# share, another seed and another device ask for others.
of_palette()
{
    if [ -n "$sanitize" ] && [ -z "$full$gpu${RHOMB_TEST_SEED-}" ] && [ "$RHOMB_TEST_SHARE" = 12 ]; then
        RHOMB_TEST_PALETTE=$PWD/tests/programs.def LD_PRELOAD=$root/$plain/tests/libpalette.so "$@"
    else
        "$@"
    fi
}

# step NAME COMMAND...: runs a command, and keeps its verdict for the summary.
verdicts=() failed=''
step()
{
    local name=$1 verdict=passed begin=$SECONDS
    shift
    printf '\n=== %s\n' "$name"
    "$@" || verdict=FAILED
    [ $verdict = passed ] || failed=yes
    verdicts+=("$(printf '%-7s %4d s  %s' $verdict $((SECONDS - begin)) "$name")")
    [ $verdict = passed ]
}

# What ctest says at its end: how many tests passed, which failed and which were skipped.
closing_lines()
{
    [ ! -f "$root/$1.log" ] || sed -n '/tests passed,/,$p' "$root/$1.log"
}

rm -f "$root"/*/{ctest,own,faults,pocl}.log
plain=${CC:-cc}
plain=${plain##*/} plain=${plain// /-}
# Without debug information, which takes time and most of the bytes.
if step 'build, warnings as errors' build "$plain" "$plain_target" -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O2 -DNDEBUG' \
    ${CMAKE_BUILD_TYPE:+"-DCMAKE_BUILD_TYPE=$CMAKE_BUILD_TYPE"}; then
    step 'tests' of_palette run_tests "$plain/ctest" "${without[*]}"
    [ "$own_plain" = none ] || step 'tests on our own OpenCL' with_own run_tests "$plain/own" '' \
        --tests-regex "^($own_plain)\$"
fi
use_pocl
if [ -n "$sanitize" ] &&
    step 'build with clang, sanitizers and our own OpenCL' clang_build own "$own_target" address,undefined \
        -DRHOMB_TEST_OPENCL=ON; then
    [ -z "$slow" ] || step 'each call that fails' run_tests own/faults gpu -L '^faults$' -L '^slow$'
    step 'tests on our own OpenCL, with sanitizers' run_tests own/ctest 'slow gpu thorough' \
        --label-regex '^(own|unit)$'
    [ -z "$full" ] || step 'other tests on PoCL, with sanitizers' with_loader run_tests own/pocl \
        'own unit faults lint kernels slow gpu thorough'
fi
if [ -n "$sanitize" ] && [ -n "$full" ]; then
    step 'build with ThreadSanitizer' clang_build threads rhomb_threaded thread &&
        step 'tests with ThreadSanitizer' run_tests threads/ctest 'slow gpu' --tests-regex "$threaded"
fi

# A first tier that leaves out more than this is none.
few_are_skipped()
{
    local skipped
    skipped=$(cat "$root"/*/{ctest,own}.log 2>/dev/null | grep -c '\*\*\*Skipped')
    [ "$skipped" -le 5 ] || echo "$skipped tests were skipped: a device, data or a program is missing"
    [ "$skipped" -le 5 ]
}
[ -n "$full" ] || step 'at most five tests are skipped' few_are_skipped

printf '\n=== Summary\n'
printf '%s\n' "${verdicts[@]}"
if [ -n "$sanitize" ]; then
    printf '\nOn our own OpenCL, with sanitizers: '
    closing_lines own/ctest
    [ -z "$full" ] || printf '\nOn PoCL, with sanitizers: '
    closing_lines own/pocl
    [ -z "$full" ] || printf '\nWith ThreadSanitizer: '
    closing_lines threads/ctest
fi
if [ "$own_plain" != none ]; then
    printf '\nOn our own OpenCL: '
    closing_lines "$plain/own"
fi
printf '\n'
closing_lines "$plain/ctest"
if [ -n "$failed" ]; then
    printf '\ntests/run.sh: FAILED\n'
    exit 1
fi
printf '\ntests/run.sh: passed\n'
