/* SPDX-License-Identifier: MIT */
/*
 * The shape of a distance matrix, see matrix_shape.h. Levels have the limits of batches
 * (src/batch/batch_shape.c).
 */
#include "src/batch/matrix_shape.h"

#include "src/base/int64.h"
#include "src/batch/batch_shape.h"
#include "src/planner/engine_plan.h"
#include "src/planner/launch_time.h"
#include "src/planner/profiles.h"

#include <string.h>

#define MOST_PAIRS (INT64_C(1) << 24)
/* Pairs for each group, so that few groups wait for the last one. */
#define GROUP_TURNS 2
/* Of the device's memory; the rest is for the engines for long pairs. */
#define POOL_SHARE 2
/* Symbols that a group compares in the time of a cell. */
#define CELL_SYMBOLS 32

static rhomb_status check_range(rhomb__error *error, const char *what, int64_t value, int64_t most)
{
    if (value >= 0 && value <= most)
        return RHOMB_OK;
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "matrix tuning: %s is %lld, not 1 to %lld", what,
                       (long long)value, (long long)most);
}

static rhomb_status check_group(rhomb__error *error, const rhomb_device_info *device, int64_t size)
{
    const rhomb_status status =
        check_range(error, "group_size", size, rhomb__min(256, device->max_group_size));
    if (status != RHOMB_OK || (size & (size - 1)) == 0)
        return status;
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                       "matrix tuning: group_size %lld is not a power of two", (long long)size);
}

static rhomb_status check_tuning(rhomb__error *error, const rhomb_device_info *device,
                                 const rhomb_matrix_tuning *t)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(check_group(error, device, t->group_size));
    RHOMB_TRY(check_range(error, "first_limit", t->first_limit, RHOMB__BATCH_MOST_LIMIT));
    RHOMB_TRY(check_range(error, "last_limit", t->last_limit, RHOMB__BATCH_MOST_LIMIT));
    RHOMB_TRY(check_range(error, "launch_pairs", t->launch_pairs, MOST_PAIRS));
    RHOMB_TRY(check_range(error, "pool_bytes", t->pool_bytes, INT64_MAX));
out:
    return status;
}

static int64_t or_default(int64_t value, int64_t fallback)
{
    return value != 0 ? value : fallback;
}

/* The largest limit with two wavefronts in local memory, and a little for the group. */
static int64_t local_limit(const rhomb_device_info *device)
{
    const int64_t cells = (device->local_memory_bytes - 64) / 2 / (int64_t)sizeof(rhomb_i32);
    return rhomb__max((cells - 1 - RHOMB_BATCH_MARGIN) / 2, 1);
}

static void add_level(rhomb__matrix_shape *s, const rhomb_device_info *device,
                      const rhomb_matrix_tuning *tuning, int64_t limit)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const bool narrow = limit <= row->matrix_narrow_limit;
    const int64_t wanted = narrow ? row->batch_group_size : row->ranges_group_size;
    rhomb__matrix_level *level = &s->levels[s->count++];
    level->limit = (int32_t)limit;
    level->group_size = (int32_t)or_default(tuning->group_size, rhomb__group_on(device, wanted));
    level->given = tuning->group_size != 0;
    level->groups = rhomb__max(device->compute_units, 1) *
                    rhomb__max(row->batch_unit_items / level->group_size, 1);
}

rhomb_status rhomb__matrix_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                      const rhomb__rate_values *rates, int64_t max_distance,
                                      const rhomb_matrix_tuning *tuning, rhomb__matrix_shape *shape)
{
    rhomb_status status = RHOMB_OK;
    rhomb_matrix_tuning t = RHOMB_MATRIX_TUNING_INIT;
    rhomb__matrix_shape *s = shape;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    memset(s, 0, sizeof *s);
    if (tuning != NULL) {
        RHOMB_TRY(rhomb__check_size(error, "rhomb_matrix_tuning", tuning->struct_size, sizeof t));
        memcpy(&t, tuning, tuning->struct_size);
    }
    RHOMB_TRY(check_tuning(error, device, &t));
    int64_t last =
        rhomb__min(or_default(t.last_limit, RHOMB__BATCH_MOST_LIMIT), local_limit(device));
    if (max_distance >= 0)
        last = rhomb__min(last, rhomb__max(max_distance, 1));
    for (int64_t limit = or_default(t.first_limit, row->batch_first_limit);
         limit < last && s->count < RHOMB_BATCH_MOST_LEVELS - 1; limit *= row->batch_limit_growth)
        add_level(s, device, &t, limit);
    add_level(s, device, &t, last);
    s->launch_pairs = or_default(t.launch_pairs, row->matrix_launch_pairs);
    s->launch_cells = rhomb__cells_in(rates, RHOMB__LAUNCH_SECONDS);
    s->pool_bytes = rhomb__min(or_default(t.pool_bytes, device->memory_bytes / POOL_SHARE),
                               device->max_buffer_bytes);
out:
    return status;
}

int64_t rhomb__matrix_launch_pairs(const rhomb__matrix_shape *shape, int32_t level, int64_t longest)
{
    const rhomb__matrix_level *l = &shape->levels[level];
    const int64_t cells = (int64_t)l->limit * l->limit + longest / CELL_SYMBOLS + 1;
    const int64_t least = rhomb__min(GROUP_TURNS * l->groups, shape->launch_pairs);
    return rhomb__max(rhomb__min(shape->launch_cells / cells, shape->launch_pairs), least);
}

int64_t rhomb__matrix_words(int64_t length)
{
    return length > 0 ? rhomb__ceil_div(length, RHOMB_WORD_SYMBOLS) : 1;
}

int64_t rhomb__matrix_pool_bytes(int64_t words, int32_t planes)
{
    return (words + RHOMB__MATRIX_WORDS_AFTER) * rhomb__unit_bytes(planes);
}

bool rhomb__matrix_is_short(const rhomb__matrix_shape *shape, int64_t a, int64_t b)
{
    return rhomb__max(a, b) - rhomb__min(a, b) <= shape->levels[shape->count - 1].limit &&
           rhomb__max(a, b) <= RHOMB__BATCH_MOST_BASES;
}
