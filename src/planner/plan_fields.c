/* SPDX-License-Identifier: MIT */
/*
 * The fields of an engine's part of a plan, each listed once (models.h): what callers see of it,
 * what a checkpoint has of it, which tuning makes the same part again, and whether a tuning asks
 * for an engine follow from these tables. What they lack is the device's own: how long a step
 * takes, and whether a tile fits in its local memory.
 */
#include "src/planner/models.h"

#include <string.h>

/* Where another structure has a field of the same name, which is as large. */
#define AS_LARGE(structure, part, name)                                                            \
    (offsetof(structure, name) +                                                                   \
     0 * sizeof(char[sizeof(((structure *)NULL)->name) == sizeof(((rhomb__plan *)NULL)->part.name) \
                         ? 1                                                                       \
                         : -1]))

/* A field that the plan alone has; that callers see as well; and that a tuning can ask for, too. */
#define KEPT(part, name) RHOMB__FIELD(rhomb__plan, part.name)
#define SHOWN(part, name) \
    RHOMB__FIELD_OF(rhomb__plan, part.name, AS_LARGE(rhomb_plan, part, name), RHOMB__NOWHERE)
#define ASKED(part, name)                                                     \
    RHOMB__FIELD_OF(rhomb__plan, part.name, AS_LARGE(rhomb_plan, part, name), \
                    AS_LARGE(rhomb_tuning, part, name))

const rhomb__field rhomb__wavefront_fields[] = {
    {.type = RHOMB__FIELD_CHOICE,
     .least = RHOMB_TILE_TRAPEZOID,
     .most = RHOMB_TILE_DIAMOND,
     RHOMB__IN(rhomb__plan, wavefront.tile_shape, AS_LARGE(rhomb_plan, wavefront, tile_shape),
               AS_LARGE(rhomb_tuning, wavefront, tile_shape))},
    ASKED(wavefront, group_size),
    ASKED(wavefront, diagonals_per_item),
    ASKED(wavefront, tile_scores),
    ASKED(wavefront, wide_group_size),
    ASKED(wavefront, wide_diagonals_per_item),
    ASKED(wavefront, wide_tile_scores),
    ASKED(wavefront, wide_diagonals),
    ASKED(wavefront, launches_per_read),
    ASKED(wavefront, offset_bits),
    SHOWN(wavefront, pruning),
    RHOMB__FIELDS_END,
};

/* A tuning that has first_beside has no probe, so that one is shown and not asked for. */
const rhomb__field rhomb__sweep_fields[] = {
    KEPT(sweep, sliced),
    ASKED(sweep, group_size),
    SHOWN(sweep, lanes),
    ASKED(sweep, words_per_item),
    ASKED(sweep, blocks_per_launch),
    SHOWN(sweep, first_beside),
    KEPT(sweep, is_estimated),
    SHOWN(sweep, probe_beside),
    KEPT(sweep, probe_most),
    KEPT(sweep, sample_bases),
    RHOMB__FIELDS_END,
};

bool rhomb__model_is_tuned(const rhomb__model *model, const rhomb_tuning *given)
{
    static const char none[sizeof(int64_t)];
    for (const rhomb__field *f = model->fields; f->type != RHOMB__FIELD_END; f++)
        if (f->at[RHOMB__OF_TUNING] != RHOMB__NOWHERE &&
            f->at[RHOMB__OF_TUNING] != offsetof(rhomb_tuning, group_size) &&
            memcmp((const char *)given + f->at[RHOMB__OF_TUNING], none, f->bytes) != 0)
            return true;
    return !model->sweeps && given->no_pruning;
}
