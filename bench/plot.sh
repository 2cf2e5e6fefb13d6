#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# plot.sh FOLDER: draws FOLDER/ladder.png from FOLDER/ladder.csv, FOLDER/divergence.png from
# choice.csv, FOLDER/batch.png from batch_grid.csv, and FOLDER/time.png from pairs.csv,
# synthetic.csv, similar.csv, h200_bitparallel_pairs.csv and pairs_pocl.csv there, and
# FOLDER/whole_genome.png from whole_genome.csv, as far as they are there. Of the bit-parallel
# runs the quickest of each pair is drawn, of those whose first band was not given. Needs gnuplot.
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

# block PROGRAM NAME...: one data block of the plot of times, from one file or several.
block()
{
    local program=$1 name
    shift
    echo "# $*"
    for name in "$@"; do
        rows "$folder/$name.csv" "$program"
    done | grep . || echo 'NaN NaN'
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

# Of each length a block: its name, distance in per cent of the longer length, seconds of wavefront,
# sweep and auto, 1 where auto ended as wavefront. Then a block of where wavefront and sweep cross,
# between two pairs that both of them solved: straight lines on logarithmic axes.
if [ -f "$folder/choice.csv" ]; then
    rows "$folder/choice.csv" 'function name(length_of) {
            return length_of >= 1e6 ? length_of / 1e6 "\302\240M" : length_of / 1e3 "\302\240k"
        }
        function between(from, to, part) {
            return from * exp(part * log(to / from))
        }
        function cell(value) {
            return value == "" ? "NaN" : value
        }
        row && number("distance") > 0 {
            length_of = number("target_length")
            if (!(length_of in pairs))
                lengths[++count] = length_of
            key = length_of SUBSEP number("distance")
            if (!(key in share))
                keys[length_of, ++pairs[length_of]] = key
            longer = number("query_length") > length_of ? number("query_length") : length_of
            share[key] = number("distance") / longer * 100
            seconds[key, field["asked"]] = field["work_median_seconds"]
            if (field["asked"] == "auto")
                ended[key] = field["engine"] == "wavefront"
        }
        END {
            for (i = 1; i <= count; i++) {
                length_of = lengths[i]
                for (p = 1; p <= pairs[length_of]; p++) {
                    key = keys[length_of, p]
                    wavefront = seconds[key, "wavefront"]
                    sweep = seconds[key, "bitparallel"]
                    print name(length_of), share[key], cell(wavefront), cell(sweep),
                        cell(seconds[key, "auto"]), ended[key] + 0
                    now = wavefront != "" && sweep != "" ? log(wavefront / sweep) : ""
                    if (p > 1 && now != "" && before != "" && before < 0 && now >= 0) {
                        part = before / (before - now)
                        crossings = crossings between(share[last], share[key], part) " " \
                            between(seconds[last, "bitparallel"], sweep, part) "\n"
                    }
                    before = now
                    last = key
                }
                printf "\n\n"
            }
            printf "%s", crossings != "" ? crossings : "NaN NaN\n"
        }' >"$scratch/divergence"
    draw divergence "$scratch/divergence" '' "$(first "$folder/choice.csv" "$device")"
fi

# Of each share of errors a block: length, and pairs a second of Rhomb, edlib and WFA2, with CIGARs.
if [ -f "$folder/batch_grid.csv" ]; then
    rows "$folder/batch_grid.csv" 'function cell(value) {
            return value == "" ? "NaN" : value
        }
        row && number("cigar") {
            share = field["error"] * 100
            if (!(share in lengths))
                shares[++count] = share
            if (!((share, field["length"]) in seen))
                length_of[share, ++lengths[share]] = field["length"]
            seen[share, field["length"]] = 1
            rate[share, field["length"], field["program"]] = field["pairs_per_second"]
        }
        END {
            for (s = 1; s <= count; s++) {
                share = shares[s]
                if (s > 1)
                    printf "\n\n"
                for (l = 1; l <= lengths[share]; l++) {
                    at = length_of[share, l]
                    print share, at, cell(rate[share, at, "rhomb"]),
                        cell(rate[share, at, "edlib"]), cell(rate[share, at, "wfa2"])
                }
            }
        }' >"$scratch/batch"
    what=$(rows "$folder/batch_grid.csv" 'row && field["program"] != "rhomb" {
        print field["threads"] == 1 ? "one thread" : field["threads"] " threads"; exit }')
    draw batch "$scratch/batch" "${what:-not measured}" "$(first "$folder/batch_grid.csv" "$device")"
fi

if [ -f "$folder/pairs.csv" ]; then
    points='row && number("distance") > 0 && field["solve_median_seconds"] != "" &&
        (field["suite"] != "similar" || field["asked"] == "wavefront") {
        print field["distance"], field["solve_median_seconds"] }'
    {
        block "$points" pairs
        block "$points" synthetic similar
        block "$points" pairs_pocl
        block "$points" h200_bitparallel_pairs
    } >"$scratch/time"
    what=$(first "$folder/pairs_pocl.csv" '"real pairs on PoCL, " field["machine"]')
    draw time "$scratch/time" "${what:-PoCL: not measured}" "$(first "$folder/pairs.csv" "$device")"
fi

# Of each way a bar: its name, seconds, and 1 where it was stopped before its end.
if [ -f "$folder/whole_genome.csv" ]; then
    rows "$folder/whole_genome.csv" 'row {
        way = field["way"] ~ /^(paf|vcf)$/ ? toupper(field["way"]) : field["way"]
        stopped = field["distance"] == ""
        printf "%d \"%s, %s\" %s %d\n", ++n, way, field["device"], field["wall_seconds"], stopped
    }' >"$scratch/whole"
    what=$(first "$folder/whole_genome.csv" 'field["records"] " records, " \
        sprintf("%.1f", number("bases") / 1e9) " Gbp, distance " field["distance"]')
    draw whole_genome "$scratch/whole" "$what" \
        "$(first "$folder/whole_genome.csv" 'field["machine"] ", rhomb " field["commit"]')"
fi
