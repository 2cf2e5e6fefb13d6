#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# plot.sh FOLDER: draws FOLDER/ladder.png from FOLDER/ladder.csv, and FOLDER/time.png from
# pairs.csv, synthetic.csv, h200_bitparallel.csv and pairs_pocl.csv there, as far as they are there.
# Of the bit-parallel runs the quickest of each pair is drawn, of those whose first band was not
# given. Needs gnuplot.
set -eu -o pipefail

[ $# -eq 1 ] || { echo 'Usage: plot.sh FOLDER' >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# rows FILE PROGRAM: runs an awk program over a CSV file, which may be missing.
rows()
{
    [ ! -f "$1" ] || awk -f "$here/csv.awk" -f <(printf '%s\n' "$2") "$1"
}

# first FILE EXPRESSION: an awk expression on the first row.
first()
{
    rows "$1" "row { print $2; exit }"
}

# block NAME PROGRAM: one data block of the plot of times.
block()
{
    echo "# $1"
    rows "$folder/$1.csv" "$2" | grep . || echo 'NaN NaN'
    printf '\n\n'
}

# draw KIND DATA WHAT DEVICE
draw()
{
    gnuplot -e "kind='$1'; data='$2'; out='$folder/$1.png'; what='$3'; device='$4'" \
        "$here/plot.gp"
    echo "$folder/$1.png"
}

device='field["device"] ", driver " field["driver"]'
device+=' ", rhomb " field["version"] " (" field["commit"] ")"'

if [ -f "$folder/ladder.csv" ]; then
    rows "$folder/ladder.csv" 'row {
        class = field["shape"] == "trapezoid" ? 2 : field["pruning"] == "on" ? 1 : 0
        printf "%d \"%s\" %s %d\n", ++n, field["case"], number("gcups"), class
    }' >"$scratch/ladder"
    # The first rungs may have been stopped: the distance is that of the last row.
    what=$(rows "$folder/ladder.csv" 'row { last = field["pair"] ", distance " field["distance"] }
        END { print last }')
    draw ladder "$scratch/ladder" "$what" "$(first "$folder/ladder.csv" "$device")"
fi

if [ -f "$folder/pairs.csv" ]; then
    points='row && number("distance") > 0 && field["solve_median_seconds"] != "" {
        print field["distance"], field["solve_median_seconds"] }'
    quickest='row && field["beside"] == "" && (!(number("distance") in least) ||
        number("solve_seconds") < least[number("distance")]) {
            least[number("distance")] = number("solve_seconds") }
        END { for (distance in least) print distance, least[distance] }'
    {
        block pairs "$points"
        block synthetic "$points"
        block pairs_pocl "$points"
        block h200_bitparallel "$quickest"
    } >"$scratch/time"
    what=$(first "$folder/pairs_pocl.csv" '"real pairs on PoCL, " field["machine"]')
    draw time "$scratch/time" "${what:-PoCL: not measured}" "$(first "$folder/pairs.csv" "$device")"
fi
