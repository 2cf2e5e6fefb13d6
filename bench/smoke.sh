#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# smoke.sh RHOMB_BENCH RHOMB: runs every suite on tiny generated pairs and looks at the CSV file, so that
# the benchmark does not rot between two measurements. Exits with 77 where there is no device.
set -u -o pipefail

program=$1 rhomb=$2
here=$(dirname "${BASH_SOURCE[0]}")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# Keeping a binary takes PoCL as long as to build it; the suite of starts has a cache of its own.
export RHOMB_CACHE_DIR=off TMPDIR=$scratch
unset RHOMB_DATA # a suite of real pairs has more rows where they are

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
    # No pair is left out by what a busy machine expects, unless a test asks for that.
    "$program" --repeat 1 --scale 0.0005 --limit-seconds 1e6 --csv "$csv" --commit smoke "$@" \
        2>"$scratch/errors"
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
expect all 2 'field["suite"] == "start" && number("distance") > 0 && number("process_seconds") > 0 &&
    field["asked"] == "wavefront" && field["engine"] == "wavefront"'
expect all 2 'field["suite"] == "saturated" && number("distance") == -1 && number("cells") > 249999'
expect all 1 'field["case"] == "the same without extension" && field["ratio"] == ""'
expect all 11 'field["suite"] == "synthetic" && number("distance") >= 0'
expect all 1 'field["suite"] == "saturated" && number("distance") == -1 && field["scoring"] == "wfa" &&
    number("cells") > 30000 && number("cells") < 33000' # the windows, not the tiles
bench starts --engine bitparallel --only 'caches, ' start || fail 'starts with a scoring failed'
expect starts 4 'field["asked"] == "bitparallel" && field["engine"] == "bitparallel" &&
    number("cpu_median_seconds") > 0 && number("distance") > 0'
expect starts 2 'field["case"] ~ /affine$/ && field["scoring"] == "wfa"'
expect starts 2 'field["case"] ~ /local$/ && field["scoring"] == "match:2,4,4,2" &&
    number("distance") == number("score")'
expect all 16 'field["commit"] == "smoke"'
expect all 16 'number("device_bytes") >= number("two_columns_bytes") + number("sequence_bytes")'

# How times compare is for the figures to say, on a machine that does nothing else: here are only those
# that have to be there.
bench extension --stop-at 20000 --scale 0.02 --lanes-per-unit 16 --instructions 20 saturated ||
    fail 'the saturated kernel failed'
expect extension 1 'number("ratio") > 0'
expect extension 1 'number("issue_ratio") > 0 && number("issue_instructions") == 20'
expect extension 2 'number("cells") >= 20000 * 20000 / 2'

bench whole --program "$rhomb" whole || fail 'a whole command failed'
expect whole 1 'field["suite"] == "whole" && number("distance") > 0 && number("ratio") > 0 &&
    number("process_seconds") > 0 && number("read_seconds") > 0'

bench ladder --ladder-pair generated --only 'tiles T8' ladder || fail 'the ladder failed'
expect ladder 1 'number("bands") == 1 && number("gcups") > 0'
expect ladder 1 'number("bands") == 100 && field["shape"] == "diamond" && field["pruning"] == "off"'

bench stopped --ladder-pair generated --only 'one column' --stop-at 200 ladder ||
    fail 'the stopped rungs failed'
expect stopped 2 'number("max_distance") == 200 && field["distance"] == -1 && field["gcups"] == ""'

bench tuned --tune 'shape=diamond,prune=off' --only '1 M 10' synthetic ||
    fail 'tuning failed'
expect tuned 1 'field["shape"] == "diamond"'
expect tuned 1 'field["pruning"] == "off" && number("wide_group") == 0'

bench two_tiles --tune group=1,items=64,scores=8,wide=30:2:6:5 \
    --only '1 M 10' synthetic || fail 'two tiles failed'
expect two_tiles 1 'number("items") == 64 && number("wide_group") == 2 &&
    number("wide_items") == 6 && number("wide_columns") == 5 && number("wide_diagonals") == 30'

bench similar --scale 0.005 similar || fail 'the similar pairs failed'
expect similar 5 'field["asked"] == "wavefront" && field["engine"] == "wavefront"'
expect similar 5 'field["asked"] == "auto" && number("ratio") > 0'
expect similar 10 \
    'field["verified_by"] ~ /^(wavefront and sweep agree|a sweep with another first band)$/'
expect similar 2 'field["case"] == "250 M haplotypes" && number("planes") == 3'
expect similar 2 'field["case"] == "100 M 200 indels" && number("similarity") < 0.97'

bench one_engine --engine bitparallel --only haplotypes similar || fail 'one engine failed'
expect one_engine 1 'field["asked"] == "bitparallel" && number("distance") > 100'
expect one_engine 1 1
bench by_tiles --limit-seconds 0.0045 --only haplotypes similar ||
    fail 'a pair left to the tiles failed'
expect by_tiles 2 'field["verified_by"] == "the other tile shape and packing"'

bench score --scale 0.002 --max-length 3000 score || fail 'the scores failed'
expect score 20 'field["suite"] == "score" && number("distance") > 0 && field["scoring"] != ""'
expect score 4 'field["scoring"] == "asm5" && field["score"] != ""'
expect score 20 'field["verified_by"] ~ /^(BiWFA|ksw2|target and query exchanged, in one direction)$/'

# One sweep with a guide, if minimap2's library is there to make one.
if bench guided --scale 0.005 --only '40 60' guided guided_score; then
    expect guided 2 'number("distance") > 0 && number("band_count") == 1 && number("told_seconds") > 0 &&
        number("guide_bound") >= number("distance") && number("guide_seconds") > 0 && number("guide_share") > 0'
    expect guided 1 'field["scoring"] == "" && field["verified_by"] ~ /^(edlib$|target and query exchanged)/'
    expect guided 1 'field["scoring"] == "wfa" && field["verified_by"] ~ /^target and query exchanged/'
    expect guided 2 'field["within"] ~ /^(yes|no)$/ && number("sketch_seconds") > 0 &&
        number("estimate_seconds") > 0 && number("estimate_ratio") > 0'
    bench guided --scale 0.005 --only '40 60' --limit-seconds 1e-9 guided || fail 'leaving guided pairs out failed'
    expect guided 0 1
    bench guided --scale 0.005 --most-seconds 1e-9 guided || fail 'an end after some seconds failed'
    expect guided 0 1
else
    grep -q "built without minimap2's library" "$scratch/errors" || fail 'the guided sweeps failed'
fi

# What comes out has to be a row of the table, which a compiler knows best.
bench tune --seconds 2 --row "$scratch/row" tune || fail 'tuning a device failed'
[ "$(count tune 'field["case"] ~ /^narrow pyramid/')" -gt 0 ] || fail 'no tile was measured'
[ "$(count tune 'field["case"] ~ /^whole matrix, sweep/ && number("distance") > 0')" -gt 0 ] ||
    fail 'no sweep was measured'
{
    printf '#include "src/planner/profiles.h"\nstatic const rhomb__tuning_row ROWS[] = {\n'
    cat "$scratch/row"
    printf '};\n_Static_assert(sizeof ROWS == sizeof(rhomb__tuning_row), "one row");\n'
} >"$scratch/row.c"
if command -v "${CC:-cc}" >/dev/null; then
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wno-unused-const-variable -Wno-unused-variable -Werror \
        -fsyntax-only -I "$here/.." -I "$here/../include" "$scratch/row.c" ||
        fail 'the row does not compile'
fi
for name in group_size tile_scores cells_per_second wavefront_seconds sweep_block_seconds \
    bases_per_second; do
    grep -q "^        \.$name = [0-9]*\.\{0,1\}[0-9]*[1-9]" "$scratch/row" ||
        fail "the row has no $name"
done

# By chance the device has a second tile for such small pairs: then both have gone through the steps.
steps=$(count tune 'field["case"] ~ /^step, / && number("max_distance") >= 32') || exit 1
case $(grep -c '\.wide_' "$scratch/row") in
0) ;;
4) [ "$steps" -ge 4 ] || fail 'a second tile was not measured' ;;
*) fail 'the row has half a tile' ;;
esac

bench matrix matrix || fail 'the matrices failed'
expect matrix 10 'field["suite"] == "matrix" && number("gcups") > 0 && number("distance") > 0'
expect matrix 5 'field["asked"] == "bitparallel" && field["first_half_width"] == field["query_length"]'
expect matrix 5 'field["asked"] == "auto" && number("similarity") < 0.6'
expect matrix 10 'field["verified_by"] ~ /^(edlib|a sweep in one direction with other words)$/'

bench choice choice || fail 'the choice failed'
expect choice 48 'field["asked"] == "wavefront"'
expect choice 48 'field["asked"] == "bitparallel"'
expect choice 48 'field["asked"] == "auto" && number("ratio") > 0 && field["within"] ~ /^(yes|no)$/'
expect choice 144 'field["verified_by"] == "wavefront and sweep agree"'

bench short --max-length 1000 choice || fail 'the short choice failed'
expect short 0 'number("target_length") > 1000 || number("query_length") > 1041'
expect short 24 'field["asked"] == "auto"'

# By the rates of a CPU the limit leaves the sweep alone, which has to verify itself then.
bench limited --limit-seconds 0.03 --only '20 M 75' choice || fail 'the limited choice failed'
expect limited 1 'field["asked"] == "auto"'
[ "$(count limited 'field["asked"] == "wavefront"')" -eq 1 ] ||
    expect limited 2 'field["verified_by"] == "a sweep in one direction with other words"'
bench left_out --limit-seconds 1e-9 --only '20 M 75' choice || fail 'leaving pairs out failed'
expect left_out 0 1

for how in '' --verify-long; do
    # shellcheck disable=SC2086 # no word where there is none
    bench chromosome $how chromosome || fail 'the chromosome failed'
    expect chromosome 1 'number("runs") == 1 && number("target_length") == 31000'
    expect chromosome 1 'number("similarity") > 0.75 && number("similarity") < 0.85'
done

# The same bases on every machine: the figures of a pair are compared over years.
same_bases()
{
    local sum
    bench written --write "$scratch/pair" --only "$2" "$1" || fail "writing $2 failed"
    expect written 0 1
    sum=$(cat "$scratch/pair.target.fa" "$scratch/pair.query.fa" | sha256sum)
    [ "${sum%% *}" = "$3" ] || fail "the generated pair $2 is another one: $sum"
}
same_bases chromosome quarter 31f7fdbaa14da32b2647cc9d3f2d92b9cb8b7010979de389852c9399c28cd01c
same_bases synthetic '1 M 3 %' 7059bf27e67ea6263ad296fb2fece55e8a7f21f9b097d357a5e3d0996365deab
same_bases similar indels 14ee990aa68ab8f26189ad1c9fc1b2ca936974d7f38542604f706e025977294c
same_bases similar haplotypes 9a7a27788ceb2f1ad71aa94ae8a4815e3a66b64322da360c2e836a213dbd3f5c
! bench written --write "$scratch/pair" synthetic 2>/dev/null || fail 'pairs replace each other'
! bench written --write "$scratch/pair" --only none similar 2>/dev/null || fail 'nothing is written'

if bench edlib --only % edlib; then
    expect edlib 20 'number("peer_seconds") > 0 && number("ratio") > 0'
    expect edlib 20 'field["verified_by"] == "edlib" && field["asked"] == "auto"'
else
    grep -q 'built without edlib' "$scratch/errors" || fail 'the comparison with edlib failed'
fi

# The pairs of a batch, not their lengths, are scaled: half a thousand, and 64 at least.
if bench batch --peer-threads 2 --program "$rhomb" batch; then
    expect batch 8 'field["program"] == "rhomb"'
    expect batch 4 'field["program"] == "rhomb" && field["verified_by"] == "edlib"'
    expect batch 4 'field["program"] == "rhomb" && field["verified_by"] == "edlib; every CIGAR" &&
        number("cigar") == 1 && number("edlib_core_ratio") > 0 && number("whole_seconds") > 0 &&
        number("read_pairs_per_second") > 0'
    expect batch 8 'field["program"] == "edlib" && number("threads") == 2'
    expect batch 0 'number("pairs") < 150 || number("pairs") > 500 || number("runs") != 1'
    expect batch 0 'number("pairs_per_second") <= 0 || number("pairs_per_core_second") <= 0'
    # A third of the edits each, of which some cancel out.
    expect batch 0 'number("mean_distance") < 0.8 * number("error") * number("length") ||
        number("mean_distance") > 1.1 * number("error") * number("length")'
    bench grid --max-length 250 batch_grid || fail 'the grid failed'
    expect grid 30 'field["program"] == "rhomb" && number("jobs") > 0 && number("device_seconds") > 0'
    # Reads as they come from a file, over and over.
    printf '>ACGTAC\n<acgtTC\n>%s\n<%s\n' AAAAA CCC | gzip >"$scratch/hifi.seq.gz"
    bench reads --data "$scratch" --only hifi batch || fail 'reads failed'
    expect reads 2 'field["program"] == "rhomb" && number("mean_distance") == 3 && number("pairs") == 64'
    # Enough jobs for more than one worker.
    bench workers --workers 1 --scale 0.05 --only '150 bp 2 %' batch || fail 'one worker failed'
    expect workers 2 'field["program"] == "rhomb" && number("threads") == 1 && number("jobs") > 2'
    bench together --only none batch batch_grid || fail 'both suites of batches failed'
    ! bench together batch start 2>/dev/null || fail 'one CSV file has two kinds of rows'
else
    grep -q 'built without edlib' "$scratch/errors" || fail 'the batches failed'
fi

# With a scoring: few pairs of short sets, scores and CIGARs.
for mode in affine local extend ends; do
    bench mode_$mode --max-length 200 --only '150 bp' batch_$mode || fail "batches of mode $mode failed"
    expect mode_$mode $([ $mode = affine ] && echo 8 || echo 2) 'field["program"] == "rhomb" &&
        number("cells_per_second") > 0 && field["scoring"] != ""'
done
# One long pair, compared with a whole matrix.
bench long --scale 0.02 --repeat 1 --only '100 k' long_local long_ends long_extend ||
    fail 'the long pairs failed'
for mode in local ends extend; do
    expect long 2 'field["suite"] == "long_'$mode'" && number("cells_per_second") > 0 &&
        number("cells") > 0 && field["scoring"] == "match:2,4,4,2"'
done
# Ten genomes; a GPU has two more families.
bench many --scale 0.05 --peer-threads 1 --only 200 matrix_many || fail 'the matrix of many failed'
expect many 1 'field["program"] == "rhomb" && number("pairs") == 45 && number("mean_distance") > 30 &&
    number("long_pairs") == 0 && number("device_bytes") > 0'

# A distance and its path, with each base looked at, and the same path again.
mkdir "$scratch/real" || exit 1
for name in c4_chm13 c4_hg002; do
    gzip >"$scratch/real/$name.fa.gz" <<<">$name"$'\n'ACGTNACGTACGT || exit 1
done
bench align --repeat 2 --only ' M ' align || fail 'the alignments failed'
expect align 6 'field["suite"] == "align" && number("runs") == 2 && number("leaves") > 0'
expect align 6 'number("matches") + number("mismatches") + number("deleted") == field["target_length"]'
expect align 6 'number("mismatches") + number("inserted") + number("deleted") == field["distance"]'
expect align 4 'number("align_median_seconds") > 0 && number("distance_median_seconds") > 0 &&
    number("ratio") > 0 && field["engine"] != "trivial"'
expect align 6 'field["within"] ~ /^(yes|no)$/ && field["memory_within"] ~ /^(yes|no)$/'
expect align 6 'field["verified_by"] == "each letter of the path; a sweep with another first band"'
expect align 4 'number("device_bytes") >= number("distance_device_bytes") &&
    number("distance_device_bytes") > 0 && field["peer_seconds"] == ""'
bench stopped_align --limit-seconds 1e-9 --only '20 M' align || fail 'leaving alignments out failed'
expect stopped_align 0 1
! bench real_align --data "$scratch/real" --only c4 align || fail 'a wrong distance is no error'
grep -q '23 is right (edlib and a full matrix)' "$scratch/errors" || fail 'it is another error'
same_bases align chr22 04fe2855c0dc4f2aec5453d77bb2468ea68450db511682f410b92d29204aad3a
bench align_synthetic --repeat 1 --only '0 k ' align_synthetic || fail 'aligning those of other suites failed'
expect align_synthetic 19 'field["suite"] == "align_synthetic" &&
    field["verified_by"] ~ /^each letter of the path; /'
if bench align_edlib align_edlib; then
    expect align_edlib 6 'number("peer_cpu_seconds") > 0 && number("core_ratio") > 0 &&
        field["verified_by"] == "each letter of the path; edlib"'
else
    grep -q 'built without edlib' "$scratch/errors" || fail 'the alignments of edlib failed'
fi

# Paths of least penalty, by all engines.
verified='field["verified_by"] ~ /^each letter of the path; (BiWFA|wavefront and sweep agree)$/'
bench align_score --scale 0.01 --only ' %' align_score || fail 'the alignments with a scoring failed'
expect align_score 12 "$verified"
expect align_score 12 'field["scoring"] == "wfa" && number("build_seconds") > 0 &&
    number("distance") >= 4 * number("mismatches") + 2 * (number("inserted") + number("deleted"))'
expect align_score 12 'number("matches") + number("mismatches") + number("deleted") == field["target_length"]'
expect align_score 12 'number("host_bytes_per_edit") > 0 && number("device_bytes_per_edit") > 0 &&
    number("distance_cpu_seconds") > 0 && number("cpu_seconds") > 0'
for engine in wavefront bitparallel auto; do
    expect align_score 4 "field[\"asked\"] == \"$engine\""
done
bench stopped_score --limit-seconds 1e-9 --only '94 %' align_score || fail 'leaving scored alignments out failed'
expect stopped_score 0 1
# A mismatch, and a gap of two bases; lower case is folded, for BiWFA too.
gzip >"$scratch/real/caulobacter_CB15.fa.gz" <<<$'>t\nacgtNACGTACGT' || exit 1
gzip >"$scratch/real/caulobacter_NA1000.fa.gz" <<<$'>q\nACGTNACGAACGTTT' || exit 1
bench real_score --data "$scratch/real" --engine wavefront --only caulobacter align_score || fail 'a real pair failed'
expect real_score 1 'number("distance") == 14 && field["asked"] == "wavefront"'

! bench together batch align 2>/dev/null || fail 'one CSV file has batches and alignments'

# Wrong usage has an exit code of its own.
for wrong in '' nosuite '--repeat 0 start' '--tune shape=round start' '--ladder-pair one ladder' \
    '--tune blocks=x matrix' '--tune launches=1K,prune=maybe tune' '--max-length 1e6 matrix' '--limit-seconds 0 choice' \
    '--write x pairs' '--workers 65 batch' '--peer-threads 0 batch' '--seconds 0 tune' \
    '--engine auto batch' '--engine dense start' '--instructions 0 saturated'; do
    # shellcheck disable=SC2086 # words are what is wanted
    "$program" $wrong >/dev/null 2>&1
    [ $? -eq 2 ] || fail "'$wrong' is not refused"
done
"$program" --data "$scratch" pairs >/dev/null 2>&1
[ $? -eq 1 ] || fail 'a missing file is no error'
