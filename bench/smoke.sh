#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# smoke.sh RHOMB_BENCH: runs every suite on tiny generated pairs and looks at the CSV file, so that
# the benchmark does not rot between two measurements. Exits with 77 where there is no device.
set -u -o pipefail

program=$1
here=$(dirname "${BASH_SOURCE[0]}")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export RHOMB_CACHE_DIR=$scratch/cache TMPDIR=$scratch

fail()
{
    printf 'smoke.sh: %s\n' "$*" >&2
    exit 1
}

# bench NAME ARGUMENT...: runs the program with a CSV file of that name.
bench()
{
    local csv=$scratch/$1.csv
    shift
    "$program" --repeat 1 --scale 0.0005 --csv "$csv" --commit smoke "$@" 2>"$scratch/errors"
    local code=$?
    cat "$scratch/errors" >&2
    ! grep -q 'no usable OpenCL device' "$scratch/errors" || exit 77
    return $code
}

# count NAME CONDITION: rows for which an awk condition on fields holds. Rows whose number of
# fields differs from the heading's are an error.
count()
{
    awk -f "$here/csv.awk" -f <(printf '%s\n' \
        'row && csv_count != csv_columns { exit 3 }' \
        "row && ($2) { n++ }" 'END { print n + 0 }') "$scratch/$1.csv" ||
        fail "$1.csv has a row that does not fit its heading"
}

# expect NAME ROWS CONDITION
expect()
{
    local rows
    rows=$(count "$1" "$3") || exit 1
    [ "$rows" -eq "$2" ] || fail "$1.csv: $rows rows instead of $2 with $3"
}

bench all --stop-at 500 start saturated synthetic || fail 'the suites failed'
expect all 2 'field["suite"] == "start" && number("distance") > 0 && number("process_seconds") > 0'
expect all 1 'field["suite"] == "saturated" && number("distance") == -1 && number("cells") > 249999'
expect all 11 'field["suite"] == "synthetic" && number("distance") >= 0'
expect all 14 'field["commit"] == "smoke"'
expect all 14 'number("device_bytes") >= number("two_columns_bytes") + number("sequence_bytes")'

bench ladder --ladder-pair generated --only 'tiles T8' ladder || fail 'the ladder failed'
expect ladder 1 'number("bands") == 1 && number("gcups") > 0'
expect ladder 1 'number("bands") == 100 && field["shape"] == "diamond" && field["pruning"] == "off"'

bench stopped --ladder-pair generated --only 'one column' --stop-at 200 ladder ||
    fail 'the stopped rungs failed'
expect stopped 2 'number("max_distance") == 200 && field["distance"] == -1 && field["gcups"] == ""'

bench tuned --tune 'shape=diamond,offsets=64,pruning=off' --only '1 M 10' synthetic ||
    fail 'tuning failed'
expect tuned 1 'field["shape"] == "diamond" && number("offset_bits") == 64'

# Wrong usage has an exit code of its own.
for wrong in '' nosuite '--repeat 0 start' '--tune shape=round start' '--ladder-pair one ladder'; do
    # shellcheck disable=SC2086 # words are what is wanted
    "$program" $wrong >/dev/null 2>&1
    [ $? -eq 2 ] || fail "'$wrong' is not refused"
done
"$program" --data "$scratch" pairs >/dev/null 2>&1
[ $? -eq 1 ] || fail 'a missing file is no error'
