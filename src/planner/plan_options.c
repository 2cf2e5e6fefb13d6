/* SPDX-License-Identifier: MIT */
/*
 * What a caller may ask of the planner (engine_plan.h). Structures of any age are brought to their
 * present size, and values that no plan can have are refused. The planner refuses values that an
 * engine or a device rules out.
 */
#include "src/planner/engine_plan.h"

#include "src/scoring/score_matrix.h"

#include "src/base/alphabet.h"

/*
 * Checks for values that are illegal for every engine and device; 0 leaves the choice to the
 * planner.
 */
static rhomb_status check_tuning(rhomb__error *error, const rhomb_tuning *tuning)
{
    const struct {
        int64_t value;
        int64_t most;
        const char *what;
    } ranges[] = {
        {tuning->group_size, 1024, "items per group"},
        {tuning->wide_group_size, 1024, "items per group of the second tile"},
        {tuning->diagonals_per_item, RHOMB_MAX_TILE_DIAGONALS, "diagonals per item"},
        {tuning->wide_diagonals_per_item, RHOMB_MAX_TILE_DIAGONALS,
         "diagonals per item of the second tile"},
        {tuning->tile_scores, 16 * RHOMB_AFFINE_MOST_LOOKBACK, "scores per launch"},
        {tuning->wide_tile_scores, 16 * RHOMB_AFFINE_MOST_LOOKBACK,
         "scores per launch of the second tile"},
        {tuning->launches_per_read, 10000, "launches per read"},
        {tuning->offset_bits, 64, "bits per offset"},
        {tuning->words_per_item, 8, "words per item"},
        {tuning->blocks_per_launch, 4096, "blocks per launch"},
        {tuning->directions, 2, "directions"},
        {tuning->chunk_strips, 1 << 20, "strips of a chunk"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < 0 || ranges[i].value > ranges[i].most)
            return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "%lld %s: 1 %s %lld are allowed",
                               (long long)ranges[i].value, ranges[i].what,
                               ranges[i].most == 2 ? "or" : "to", (long long)ranges[i].most);
    }
    const int wide = (tuning->wide_group_size != 0) + (tuning->wide_diagonals_per_item != 0) +
                     (tuning->wide_tile_scores != 0) + (tuning->wide_diagonals != 0);
    if (wide != 0 && wide != 4)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                           "a second tile needs its group, items and scores, and the diagonals "
                           "from which it is used");
    if (tuning->first_beside < 0)
        return rhomb__fail(
            error, RHOMB_ERR_ARGUMENT,
            "%lld diagonals beside those of the ends: 0 leaves the choice to the planner",
            (long long)tuning->first_beside);
    return RHOMB_OK;
}

rhomb_status rhomb__check_asked(rhomb__error *error, int64_t max_distance, rhomb_alphabet alphabet)
{
    if (max_distance < RHOMB_NO_LIMIT)
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "max_distance %lld is negative",
                           (long long)max_distance);
    if (!rhomb__alphabet_exists(alphabet))
        return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "alphabet %d does not exist", (int)alphabet);
    return RHOMB_OK;
}

rhomb_status rhomb__options_complete(rhomb__error *error, const rhomb_options *given,
                                     rhomb_options *options, rhomb_tuning *tuning)
{
    static const rhomb_scoring EDIT = RHOMB_SCORING_EDIT;
    rhomb_status status = RHOMB_OK;
    rhomb__costs costs;
    const rhomb_options defaults = RHOMB_OPTIONS_INIT;
    const rhomb_tuning no_tuning = RHOMB_TUNING_INIT;
    *options = defaults;
    *tuning = no_tuning;
    RHOMB_TRY(rhomb__take_given(error, "rhomb_options", given, options, sizeof *options));
    RHOMB_TRY(rhomb__take_given(error, "rhomb_tuning", options->tuning, tuning, sizeof *tuning));
    options->struct_size = sizeof *options;
    options->tuning = tuning;
    if (options->scoring == NULL)
        options->scoring = &EDIT;
    RHOMB_TRY(rhomb__costs_of(error, options->scoring, &costs));
    RHOMB_TRY(rhomb__matrix_check_asked(error, options->scoring, options->alphabet,
                                        options->max_distance));
    status = rhomb__check_asked(error, options->max_distance, options->alphabet);
    if (options->engine < RHOMB_ENGINE_AUTO || options->engine > RHOMB_ENGINE_BITPARALLEL)
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "engine %d does not exist",
                             (int)options->engine);
    if (!(options->checkpoint_seconds >= 0))
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "checkpoint_seconds %g is negative",
                             options->checkpoint_seconds);
    if (status == RHOMB_OK)
        status = check_tuning(error, tuning);
out:
    return status;
}
