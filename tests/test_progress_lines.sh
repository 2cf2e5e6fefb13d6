#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_progress_lines.sh PROGRAM CLOCK: on a clock that runs a million times as fast, every command that
# works for long prints lines of progress on standard error, where that is no terminal: each with a
# line end, without control characters, with percentages that do not fall, and nothing with --quiet.
set -u -o pipefail

program=$(realpath "$1") clock=$(realpath "$2")
# shellcheck source=tests/cli/recipe_files.sh
. "$(dirname "$0")/cli/recipe_files.sh"
. "$(dirname "$0")/script.sh"
cd "$work" || exit 1
failed=0

fail()
{
    echo "test_progress_lines: $*: $(head -n 3 stderr)" >&2
    failed=1
}

# lines_of PATTERN ARGUMENT...: there is at least one such line, and all is as above.
lines_of()
{
    local pattern=$1
    shift
    LD_PRELOAD="$clock ${LD_PRELOAD-}" RHOMB_TEST_CLOCK=1000000 "$program" "$@" >stdout 2>stderr || fail "rhomb $*: $?"
    grep -q -E "^rhomb: $pattern" stderr || fail "rhomb $*: no line like '$pattern'"
    ! grep -q '[[:cntrl:]]' stderr || fail "rhomb $*: control characters"
    sed -n 's/^rhomb: \([0-9.]*\) %, .*/\1/p' stderr >percentages
    sort -n -c percentages 2>/dev/null || fail "rhomb $*: percentages fall"
    LD_PRELOAD="$clock ${LD_PRELOAD-}" RHOMB_TEST_CLOCK=1000000 "$program" "$@" --quiet >stdout 2>stderr
    [ ! -s stderr ] || fail "rhomb $*: prints with --quiet"
}

recipe_files
"$program" align --quiet ref.fa sample.fa -o out.paf
[ $? -ne 4 ] || exit 77
for _ in $(seq 300); do cat out.paf; done >many.paf
seconds='([0-9]+ (d|h|min) )*[0-9.]+ m?s|[0-9]+ (d|h|min)'
rows='[0-9.]+ %, [0-9]+ pairs?, .* pairs/s, [^,]+, ETA [^,]+$'
lines_of "$rows" batch pairs.seq
lines_of "$rows" batch --match order genomes.fa genomes.fa
awk 'BEGIN {
    for (i = 0; i < 150; i++)
        base = base substr("ACGTTGCATCA", i * i % 11 + 1, 1)
    for (i = 0; i < 40000; i++)
        print ">" base "\n<" base
}' >many.seq
lines_of "$rows" batch many.seq
lines_of "[0-9.]+ %, ($seconds)" verify many.paf ref.fa sample.fa
lines_of "[0-9.]+ %, ($seconds)" report many.paf ref.fa sample.fa
lines_of "[0-9.]+ %, .* of .* pairs, " matrix genomes.fa
lines_of "[0-9.]+ %, .*d.*" distance --engine bitparallel ref.fa sample.fa
lines_of "[0-9.]+ %, .*d.*" align --engine wavefront ref.fa sample.fa
grep -o '^>[^ ]*' genomes.fa | tr -d '>' >names
paste names <(tac names) >couples
lines_of "[0-9.]+ %, [0-9]+ pairs?, ($seconds)" distance --match couples genomes.fa genomes.fa
lines_of "[0-9.]+ %, [0-9]+ pairs?, ($seconds)" align --match couples --jobs 2 -o several.paf genomes.fa genomes.fa
lines_of "[0-9.]+ %, [0-9]+ blocks?, ($seconds)" align --blocks -o blocks.paf ref.fa rearranged.fa
lines_of "[0-9.]+ %, [0-9]+ blocks?, .*, ETA " align --match best --blocks -o blocks.paf ref.fa rearranged.fa
exit $failed
