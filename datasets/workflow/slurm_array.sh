#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# slurm_array.sh TARGET QUERY FOLDER [OPTION...]: two assemblies, chromosome by chromosome, by an array
# of Slurm's jobs, each of which aligns a part of the pairs; options are those of 'rhomb align'. Then,
# outside of an array, puts the parts together as FOLDER/alignments.paf:
#
#     job=$(sbatch --parsable --array=1-8 --gpus=1 slurm_array.sh old.fa new.fa results --blocks)
#     sbatch --dependency=afterok:"$job" --export=ALL,PARTS=8 slurm_array.sh old.fa new.fa results
#
# A task that was stopped goes on where it was when it is submitted again. RHOMB is the program,
# MATCH how records find partners (best), DEVICE what a task uses (all that Slurm gives it).
#SBATCH --job-name=rhomb
#SBATCH --cpus-per-task=4
set -eu -o pipefail

target=$1 query=$2 folder=$3
shift 3
mkdir -p "$folder/parts"

if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
    files=()
    for ((k = 1; k <= PARTS; k++)); do
        files+=("$folder/parts/$k.paf")
    done
    cat "${files[@]}" >"$folder/alignments.paf.new"
    mv "$folder/alignments.paf.new" "$folder/alignments.paf"
    exit
fi

# Parts are counted from 1, as the array must be.
if [ "$SLURM_ARRAY_TASK_MIN" != 1 ] || [ "$SLURM_ARRAY_TASK_MAX" != "$SLURM_ARRAY_TASK_COUNT" ]; then
    echo "slurm_array.sh: needs --array=1-N, not $SLURM_ARRAY_TASK_MIN-$SLURM_ARRAY_TASK_MAX" >&2
    exit 2
fi
exec "${RHOMB:-rhomb}" align --match "${MATCH:-best}" \
    --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --device "${DEVICE:-all}" "$@" \
    --resume "$folder/parts/$SLURM_ARRAY_TASK_ID.resume" \
    --output "$folder/parts/$SLURM_ARRAY_TASK_ID.paf" "$target" "$query"
