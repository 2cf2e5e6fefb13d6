#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# gpu.sh PROGRAMS DATA OUT [DEVICE]: all figures of one machine in a few minutes, without building
# anything there. PROGRAMS holds rhomb_bench and rhomb and, in PROGRAMS/lib, the shared libraries
# that the machine lacks (edlib's, WFA2's and parasail's as well, where the bench was built with them); DATA the real
# sequences. OUT gets one CSV file a suite. DEVICE (auto) is for the figures of the GPU; pairs with
# distances up to 200,000 are measured on PoCL as well, where it is installed. SECONDS_MOST (240)
# limits each step; a step that fails is named at the end, and the others go on. STEPS names those
# to run, out of the ones below, where there is not the time for all; files of the others are left
# as they are. Only STEPS asks for `guided` and `guided_score`, which take 10 minutes (SECONDS_MOST=600), and
# for `tune`, which finds a row of src/planner/profiles.c: OUT/tune.row.
set -u -o pipefail

[ $# -ge 3 ] || { echo 'Usage: gpu.sh PROGRAMS DATA OUT [DEVICE]' >&2 && exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/timing.sh"
programs=$(cd "$1" && pwd) data=$2 out=$3 device=${4:-auto}
limit=${SECONDS_MOST:-240}
[ ! -d "$programs/lib" ] || export LD_LIBRARY_PATH=$programs/lib:${LD_LIBRARY_PATH:-}
mkdir -p "$out" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
output=$scratch/output
all='start files pairs saturated whole synthetic similar choice matrix chromosome ladder pairs_pocl'
all+=' score batch batch_grid batch_affine batch_local batch_extend batch_ends'
all+=' matrix_many align align_synthetic align_score'
wanted=" ${STEPS:-$all} "
for step in $wanted; do
    [[ " $all guided guided_score tune " == *" $step "* ]] ||
        { echo "gpu.sh: no step is called '$step'" >&2 && exit 2; }
done
export TMPDIR=$scratch
failed=() steps=()

wants()
{
    [[ $wanted == *" $1 "* ]]
}

# bench NAME ARGUMENT...: the step of that name, rhomb_bench with OUT/NAME.csv.
bench()
{
    local name=$1 begin=$SECONDS
    wants "$name" || return 0
    shift
    timeout "$limit" "$programs/rhomb_bench" --data "$data" --csv "$out/$name.csv" "$@" ||
        failed+=("$name")
    steps+=("$name $((SECONDS - begin)) s")
}

# whole TARGET QUERY: the command as a user types it, three times.
whole()
{
    local log=$scratch/$1.log wall cpu
    for _ in 1 2 3; do
        time_command "$log" "$limit" "$programs/rhomb" distance --device "$device" --no-header \
            "$data/$1.fa.gz" "$data/$2.fa.gz" || { failed+=("rhomb distance $1") && return; }
    done
    read -ra wall <<<"$(summary "$log" 1)"
    read -ra cpu <<<"$(summary "$log" 2)"
    csv "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit" "$(describe_machine)" whole \
        "$1 x $2" "$(cut -f 5 "$output")" "$(cut -f 8 "$output")" 3 "${wall[@]}" "${cpu[0]}" \
        "rhomb distance --device $device" >>"$out/whole.csv"
}

# whole_commands: appends to OUT/whole.csv, after a heading.
whole_commands()
{
    local commit
    commit=$(awk -f "$here/csv.awk" -f <(echo 'row { print field["commit"]; exit }') \
        "$out/pairs.csv")
    csv date commit machine suite pair distance device runs wall_median_seconds wall_min_seconds \
        wall_max_seconds cpu_median_seconds command >"$out/whole.csv"
    whole mt_human mt_orang
    whole caulobacter_CB15 caulobacter_NA1000
    whole BA000035 BX927147
}

# The caches are warm for whole commands: rhomb_bench has built the programs before.
bench start --device "$device" --repeat 3 start
bench files --device "$device" --program "$programs/rhomb" whole
bench pairs --device "$device" --repeat 3 pairs
bench saturated --device "$device" --repeat 5 --stop-at 2000000 saturated
if wants whole; then
    whole_commands
fi
bench synthetic --device "$device" --repeat 3 synthetic
bench similar --device "$device" --repeat 3 --limit-seconds 60 similar
bench choice --device "$device" --repeat 3 choice
bench matrix --device "$device" --repeat 3 matrix
bench chromosome --device "$device" chromosome
bench ladder --device "$device" --repeat 1 ladder
bench score --device "$device" --repeat 3 --limit-seconds 60 score
bench batch --device "$device" --repeat 5 --program "$programs/rhomb" batch
bench batch_grid --device "$device" --repeat 3 batch_grid
for name in batch_affine batch_local batch_extend batch_ends; do
    bench $name --device "$device" --repeat 3 $name
done
bench matrix_many --device "$device" --repeat 5 matrix_many
bench align --device "$device" --repeat 5 --limit-seconds 60 align
bench align_synthetic --device "$device" --repeat 3 --limit-seconds 120 align_synthetic
bench align_score --device "$device" --repeat 3 --limit-seconds 20 align_score
for name in guided guided_score; do
    bench $name --device "$device" --repeat 3 --limit-seconds 60 \
        --most-seconds $((limit > 60 ? limit - 45 : limit)) $name
done
bench tune --device "$device" --seconds 180 --stop-at 1200000 --row "$out/tune.row" tune
if ! wants pairs_pocl; then
    :
elif "$programs/rhomb" distance --device pocl --dry-run "$data"/mt_{human,chimp}.fa.gz \
    >/dev/null 2>&1; then
    bench pairs_pocl --device pocl --repeat 3 --max-known-distance 200000 pairs
else
    echo 'no PoCL here: its figures are left out'
fi

printf '\n=== Summary: case, distance, solve seconds, 1e9 cells/s, GCUPS, device bytes / needed\n'
for name in start files pairs pairs_pocl saturated synthetic similar matrix chromosome ladder score; do
    [ -f "$out/$name.csv" ] || continue
    printf '%s\n' "$name"
    awk -f "$here/csv.awk" -f <(printf '%s\n' 'row {
        printf "  %-38s %9s %9.4f %7.1f %9.1f %5.2f\n",
            field["case"] (field["suite"] == "similar" ? ", " field["asked"] : ""),
            number("distance") < 0 ? ">" field["max_distance"] : field["distance"],
            number("solve_median_seconds"), number("cells_per_second") / 1e9, number("gcups"),
            number("memory_ratio")
        if (field["late_cells_per_second"] != "")
            printf "    in the second half %.4g cells/s\n", number("late_cells_per_second")
        if (field["suite"] == "saturated" && field["ratio"] != "")
            printf "    %.3f of the rate without extension, %.3f of the issue limit\n",
                number("ratio"), number("issue_ratio")
        if (field["suite"] == "whole")
            printf "    whole command %.3f s, read %.3f s, transfer %.3f s, ratio %.2f\n",
                number("process_seconds"), number("read_seconds"), number("transfer_seconds"),
                number("ratio")
        else if (field["process_seconds"] != "")
            printf "    open %.3f s, build %.3f s, process %.3f s\n", number("open_seconds"),
                number("build_seconds"), number("process_seconds") }') "$out/$name.csv"
done
echo 'choice: distance, seconds of auto to pack and solve, ratio to the better engine'
[ ! -f "$out/choice.csv" ] ||
    awk -f "$here/csv.awk" -f <(printf '%s\n' 'row && field["asked"] == "auto" {
        printf "  %-20s %9s %9.4f %7.3f %s %s\n", field["case"], field["distance"],
            number("work_median_seconds"), number("ratio"), field["engine"],
            field["within"] == "no" ? "MISSED" : ""
    }') "$out/choice.csv"
echo 'batches: pairs, mean distance, M pairs/s, M pairs/s of a core, whole command M pairs/s'
for name in batch batch_grid batch_affine batch_local batch_extend batch_ends matrix_many; do
    [ ! -f "$out/$name.csv" ] ||
        awk -f "$here/csv.awk" -f <(printf '%s\n' 'row {
            printf "  %-20s %-5s %-5s %8s %8.2f %10.4f %9.4f", field["case"], field["program"],
                number("cigar") ? "cigar" : "", field["pairs"], number("mean_distance"),
                number("pairs_per_second") / 1e6, number("pairs_per_core_second") / 1e6
            if (field["whole_pairs_per_second"] != "")
                printf " %9.4f", number("whole_pairs_per_second") / 1e6
            printf "\n" }') "$out/$name.csv"
done
echo 'alignments: distance, seconds of the distance and of the alignment, ratio; MB of both'
for name in align align_score; do
    [ ! -f "$out/$name.csv" ] ||
        awk -f "$here/csv.awk" -f <(printf '%s\n' 'row {
            printf "  %-38s %9s %9.4f %9.4f %7.2f %9.1f %9.1f %s%s%s\n", field["case"],
                field["distance"], number("distance_median_seconds"),
                number("align_median_seconds"), number("ratio"),
                number("distance_device_bytes") / 1e6, number("device_bytes") / 1e6,
                field["engine"], field["within"] == "no" ? " SLOW" : "",
                field["memory_within"] == "no" ? " LARGE" : "" }') "$out/$name.csv"
done
echo 'whole commands: wall median, min, max, cpu'
[ ! -f "$out/whole.csv" ] ||
    awk -f "$here/csv.awk" -f <(printf '%s\n' 'row {
        printf "  %-38s %9s %8.3f %8.3f %8.3f %8.3f\n", field["pair"], field["distance"],
            number("wall_median_seconds"), number("wall_min_seconds"),
            number("wall_max_seconds"), number("cpu_median_seconds") }') "$out/whole.csv"
printf 'steps: %s\n' "$(IFS=';' && echo "${steps[*]}")"
[ ${#failed[@]} -eq 0 ] && echo 'gpu.sh: all steps succeeded' && exit 0
printf 'gpu.sh: FAILED: %s\n' "$(IFS=';' && echo "${failed[*]}")"
exit 1
