/* SPDX-License-Identifier: MIT */
/*
 * The fields of an engine's part of a plan, each listed once (models.h): what callers see of it,
 * what a checkpoint has of it, which tuning makes the same part again, and whether a tuning asks
 * for an engine follow from these tables. What they lack is the device's own: how long a step
 * takes, and whether a tile fits in its local memory.
 */
#include "src/planner/models.h"

#include <stddef.h>
#include <string.h>

#define NOWHERE SIZE_MAX

/* Where another structure has a field of the same name, which is as large. */
#define AS_LARGE(structure, part, name)                                                            \
    (offsetof(structure, name) +                                                                   \
     0 * sizeof(char[sizeof(((structure *)NULL)->name) == sizeof(((rhomb__plan *)NULL)->part.name) \
                         ? 1                                                                       \
                         : -1]))

#define OWN(type, part, name) \
    type, sizeof(((rhomb__plan *)NULL)->part.name), offsetof(rhomb__plan, part.name)

/* A field that the plan alone has; that callers see as well; and that a tuning can ask for, too. */
#define KEPT(type, part, name)                  \
    {                                           \
        OWN(type, part, name), NOWHERE, NOWHERE \
    }
#define SHOWN(type, part, name)                                          \
    {                                                                    \
        OWN(type, part, name), AS_LARGE(rhomb_plan, part, name), NOWHERE \
    }
#define ASKED(type, part, name)                                  \
    {                                                            \
        OWN(type, part, name), AS_LARGE(rhomb_plan, part, name), \
            AS_LARGE(rhomb_tuning, part, name)                   \
    }

/* In the order of a checkpoint. */
const rhomb__plan_field rhomb__wavefront_fields[] = {
    ASKED(RHOMB__FIELD_SHAPE, wavefront, tile_shape),
    ASKED(RHOMB__FIELD_INT32, wavefront, group_size),
    ASKED(RHOMB__FIELD_INT32, wavefront, diagonals_per_item),
    ASKED(RHOMB__FIELD_INT32, wavefront, tile_scores),
    ASKED(RHOMB__FIELD_INT32, wavefront, wide_group_size),
    ASKED(RHOMB__FIELD_INT32, wavefront, wide_diagonals_per_item),
    ASKED(RHOMB__FIELD_INT32, wavefront, wide_tile_scores),
    ASKED(RHOMB__FIELD_INT64, wavefront, wide_diagonals),
    ASKED(RHOMB__FIELD_INT32, wavefront, launches_per_read),
    ASKED(RHOMB__FIELD_INT32, wavefront, offset_bits),
    SHOWN(RHOMB__FIELD_BOOL, wavefront, pruning),
    {.type = RHOMB__FIELD_END},
};

/* A tuning that has first_beside has no probe, so that one is shown and not asked for. */
const rhomb__plan_field rhomb__sweep_fields[] = {
    KEPT(RHOMB__FIELD_BOOL, sweep, sliced),
    ASKED(RHOMB__FIELD_INT32, sweep, group_size),
    SHOWN(RHOMB__FIELD_INT32, sweep, lanes),
    ASKED(RHOMB__FIELD_INT32, sweep, words_per_item),
    ASKED(RHOMB__FIELD_INT32, sweep, blocks_per_launch),
    SHOWN(RHOMB__FIELD_INT64, sweep, first_beside),
    KEPT(RHOMB__FIELD_BOOL, sweep, is_estimated),
    SHOWN(RHOMB__FIELD_INT64, sweep, probe_beside),
    KEPT(RHOMB__FIELD_INT64, sweep, probe_most),
    KEPT(RHOMB__FIELD_INT64, sweep, sample_bases),
    {.type = RHOMB__FIELD_END},
};

static const rhomb__plan_field *fields_of(const rhomb__plan *plan)
{
    return rhomb__model_of(plan)->fields;
}

void rhomb__plan_show(const rhomb__plan *plan, rhomb_plan *view)
{
    for (const rhomb__plan_field *f = fields_of(plan); f->type != RHOMB__FIELD_END; f++)
        if (f->view != NOWHERE)
            memcpy((char *)view + f->view, (const char *)plan + f->own, f->bytes);
}

void rhomb__plan_force(const rhomb__plan *plan, rhomb_tuning *tuning)
{
    for (const rhomb__plan_field *f = fields_of(plan); f->type != RHOMB__FIELD_END; f++)
        if (f->tuning != NOWHERE)
            memcpy((char *)tuning + f->tuning, (const char *)plan + f->own, f->bytes);
}

void rhomb__plan_take(const rhomb__plan *from, rhomb__plan *plan)
{
    for (const rhomb__plan_field *f = fields_of(plan); f->type != RHOMB__FIELD_END; f++)
        memcpy((char *)plan + f->own, (const char *)from + f->own, f->bytes);
}

bool rhomb__model_is_tuned(const rhomb__model *model, const rhomb_tuning *given)
{
    static const char none[sizeof(int64_t)];
    for (const rhomb__plan_field *f = model->fields; f->type != RHOMB__FIELD_END; f++)
        if (f->tuning != NOWHERE && f->tuning != offsetof(rhomb_tuning, group_size) &&
            memcmp((const char *)given + f->tuning, none, f->bytes) != 0)
            return true;
    return !model->sweeps && given->no_pruning;
}

static void list_field(const rhomb__plan_field *field, char *own, rhomb__fields *fields)
{
    int32_t shape = 0;
    switch (field->type) {
    case RHOMB__FIELD_INT32:
        rhomb__field_int32(fields, (int32_t *)(void *)own);
        return;
    case RHOMB__FIELD_INT64:
        rhomb__field_int64(fields, (int64_t *)(void *)own);
        return;
    case RHOMB__FIELD_BOOL:
        rhomb__field_bool(fields, (bool *)(void *)own);
        return;
    default:
        shape = (int32_t) * (rhomb_tile_shape *)(void *)own;
        rhomb__field_choice(fields, &shape, RHOMB_TILE_TRAPEZOID, RHOMB_TILE_DIAMOND);
        *(rhomb_tile_shape *)(void *)own = (rhomb_tile_shape)shape;
    }
}

void rhomb__plan_list(rhomb__plan *plan, rhomb__fields *fields)
{
    for (const rhomb__plan_field *f = fields_of(plan); f->type != RHOMB__FIELD_END; f++)
        list_field(f, (char *)plan + f->own, fields);
}
