/* SPDX-License-Identifier: MIT */
/*
 * The shape of a batch, see batch_shape.h.
 */
#include "src/batch/batch_shape.h"

#include "src/base/int64.h"
#include "src/planner/engine_plan.h"
#include "src/planner/fit.h"
#include "src/planner/profiles.h"

#define MOST_WORKERS 64
#define LEAST_JOB    4096
#define MOST_JOB     (INT64_C(1) << 30)

/* Jobs of a slow device are not made smaller than this part of what there is room for. */
#define SMALLEST_SHARE 16

/*
 * Jobs of pairs of a set, of which one waits while the other is solved. Pairs for each group of a
 * small one, so that few groups wait for the last one.
 */
#define SET_JOBS    2
#define GROUP_TURNS 2

rhomb_status rhomb__batch_options_complete(rhomb__error *error, const rhomb_batch_options *given,
                                           rhomb_batch_options *options, rhomb_batch_tuning *tuning)
{
    rhomb_status status = RHOMB_OK;
    const rhomb_batch_options defaults = RHOMB_BATCH_OPTIONS_INIT;
    const rhomb_batch_tuning no_tuning = RHOMB_BATCH_TUNING_INIT;
    *options = defaults;
    *tuning = no_tuning;
    RHOMB_TRY(rhomb__take_given(error, "rhomb_batch_options", given, options, sizeof *options));
    RHOMB_TRY(
        rhomb__take_given(error, "rhomb_batch_tuning", options->tuning, tuning, sizeof *tuning));
    options->struct_size = sizeof *options;
    options->tuning = tuning;
    status = rhomb__check_asked(error, options->max_distance, options->alphabet);
out:
    return status;
}

static rhomb_status check_range(rhomb__error *error, const char *what, int64_t value, int64_t least,
                                int64_t most)
{
    if (value == 0 || (value >= least && value <= most))
        return RHOMB_OK;
    return rhomb__fail(error, RHOMB_ERR_ARGUMENT, "tuning: %s is %lld, not %lld to %lld", what,
                       (long long)value, (long long)least, (long long)most);
}

static rhomb_status check_tuning(rhomb__error *error, const rhomb_device_info *device,
                                 const rhomb_batch_tuning *t)
{
    rhomb_status status = RHOMB_OK;
    const int64_t largest = rhomb__min(256, device->max_group_size);
    RHOMB_TRY(check_range(error, "group_size", t->group_size, 1, largest));
    RHOMB_TRY(check_range(error, "first_limit", t->first_limit, 1, RHOMB__BATCH_MOST_LIMIT));
    RHOMB_TRY(check_range(error, "last_limit", t->last_limit, 1, RHOMB__BATCH_MOST_LIMIT));
    RHOMB_TRY(check_range(error, "workers", t->workers, 1, MOST_WORKERS));
    RHOMB_TRY(check_range(error, "job_bases", t->job_bases, LEAST_JOB, MOST_JOB));
    RHOMB_TRY(check_range(error, "long_bases", t->long_bases, 1, RHOMB__BATCH_MOST_BASES));
    RHOMB_TRY(
        check_range(error, "column_bytes", t->column_bytes, INT64_C(1) << 20, INT64_C(1) << 32));
    RHOMB_TRY(check_range(error, "bit_planes", t->bit_planes, 1, 2));
    if (t->score_bits != 0 && t->score_bits != 16 && t->score_bits != 32)
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT, "tuning: score_bits is %d, not 16 or 32",
                             (int)t->score_bits);
    else if ((t->group_size & (t->group_size - 1)) != 0)
        status = rhomb__fail(error, RHOMB_ERR_ARGUMENT,
                             "tuning: group_size %d is not a power of two", (int)t->group_size);
out:
    return status;
}

static int64_t or_default(int64_t value, int64_t fallback)
{
    return value != 0 ? value : fallback;
}

/*
 * The largest limit with two columns in the device's local memory, which also leaves a little
 * for the group.
 */
static int64_t local_limit(const rhomb_device_info *device)
{
    const int64_t cells = (device->local_memory_bytes - 64) / 2 / (int64_t)sizeof(rhomb_i32);
    return rhomb__max((cells - 1 - RHOMB_BATCH_MARGIN) / 2, 1);
}

/* The limits of the levels, from the first to the last. */
static void plan_levels(const rhomb_device_info *device, const rhomb_batch_options *options,
                        const rhomb_batch_tuning *tuning, rhomb__batch_shape *s)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    int64_t last =
        rhomb__min(or_default(tuning->last_limit, RHOMB__BATCH_MOST_LIMIT), local_limit(device));
    if (options->max_distance >= 0)
        last = rhomb__min(last, rhomb__max(options->max_distance, 1));
    int64_t limit = rhomb__min(or_default(tuning->first_limit, row->batch_first_limit), last);
    while (limit < last && s->levels < RHOMB_BATCH_MOST_LEVELS - 1) {
        s->limits[s->levels++] = (int32_t)limit;
        limit *= row->batch_limit_growth;
    }
    /* At half the limit there is room for the columns of four times as many groups. */
    if (options->cigar && s->levels > 1 && s->levels < RHOMB_BATCH_MOST_LEVELS - 1 &&
        last / 2 > s->limits[s->levels - 1])
        s->limits[s->levels++] = (int32_t)(last / 2);
    s->limits[s->levels++] = (int32_t)last;
}

void rhomb__batch_shape_groups(const rhomb_device_info *device, int64_t column_bytes,
                               rhomb__batch_shape *s)
{
    const int64_t items = rhomb__tuning_find(device)->batch_unit_items;
    const int64_t busy = rhomb__groups_busy(device, items, s->group_size);
    for (int32_t i = 0; i < s->levels; i++)
        s->groups[i] = rhomb__groups_fitting(busy, column_bytes, s->group_bytes[i]);
}

int64_t rhomb__batch_column_bytes(const rhomb_device_info *device, const rhomb_batch_tuning *tuning,
                                  const rhomb__batch_shape *s)
{
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    if (tuning->column_bytes != 0)
        return tuning->column_bytes;
    const int64_t share = device->memory_bytes / row->batch_column_share / s->workers;
    return rhomb__max(rhomb__min(share, row->batch_most_columns), row->batch_least_columns);
}

/* The parts of a job's memory, for its number of bases. */
static void plan_memory(rhomb__batch_shape *s)
{
    const int64_t bases = s->of_set ? 0 : s->job_bases, words = bases / RHOMB_WORD_SYMBOLS;
    /* A window may read the word after the last one. */
    const int64_t word = (int64_t)sizeof(rhomb_u32);
    s->bytes[RHOMB__BATCH_SENT] =
        (rhomb__batch_places_at(bases) + s->job_pairs) * (int64_t)sizeof(rhomb_batch_pair);
    s->bytes[RHOMB__BATCH_PACKED] = (words + 1) * rhomb__max(rhomb__unit_bytes(s->planes), word);
    s->bytes[RHOMB__BATCH_OTHER] =
        (words + 1) * rhomb__max(rhomb__unit_bytes(s->other_planes), word);
    s->bytes[RHOMB__BATCH_FLAGS] = rhomb__max(words, 1);
    s->bytes[RHOMB__BATCH_LISTS] = (s->levels + s->lists) * s->job_pairs * word;
    s->bytes[RHOMB__BATCH_RETURNED] =
        rhomb__batch_returned_bytes(s, s->job_pairs, s->job_operations);
    s->bytes[RHOMB__BATCH_CODES] = 256 * (int64_t)sizeof(uint16_t);
    if (s->of_set) { /* packed before, every base has a code, and there are no paths */
        s->bytes[RHOMB__BATCH_PACKED] = s->bytes[RHOMB__BATCH_OTHER] = 0;
        s->bytes[RHOMB__BATCH_FLAGS] = s->bytes[RHOMB__BATCH_CODES] = 0;
        s->bytes[RHOMB__BATCH_COLUMNS] = 0;
    }
    s->device_bytes = s->buffer_bytes = 0;
    for (int i = 0; i < RHOMB__BATCH_PARTS; i++) {
        s->device_bytes += s->bytes[i];
        s->buffer_bytes = rhomb__max(s->buffer_bytes, s->bytes[i]);
    }
}

/* A job of that size has room for its most pairs or the smallest, and for the CIGARs of any. */
static void plan_job(bool path, rhomb__batch_shape *s)
{
    s->job_pairs = s->job_bases / (2 * RHOMB_WORD_SYMBOLS);
    s->job_operations = path ? s->job_bases : 0;
    plan_memory(s);
}

/* If the device is small: first fewer jobs side by side, then smaller jobs. */
static rhomb_status fit_memory(rhomb__error *error, const rhomb_device_info *device, bool path,
                               rhomb__batch_shape *s)
{
    const int64_t share = device->memory_bytes / rhomb__tuning_find(device)->batch_memory_share;
    plan_job(path, s);
    const int64_t beyond = path && s->sliced_bytes > 0 ? share : 0; /* marks have their own */
    while ((s->workers * s->device_bytes > share + beyond ||
            s->buffer_bytes > device->max_buffer_bytes) &&
           (s->workers > 1 || s->job_bases > LEAST_JOB)) {
        if (s->workers > 2 || s->job_bases == LEAST_JOB)
            s->workers = (s->workers + 1) / 2;
        else
            s->job_bases =
                rhomb__max(s->job_bases / 2 / RHOMB_WORD_SYMBOLS * RHOMB_WORD_SYMBOLS, LEAST_JOB);
        plan_job(path, s);
    }
    if (s->device_bytes > device->memory_bytes || s->buffer_bytes > device->max_buffer_bytes)
        return rhomb__fail(error, RHOMB_ERR_DEVICE_MEMORY,
                           "%s: a job of a batch takes %lld bytes, the device has %lld",
                           device->name, (long long)s->device_bytes,
                           (long long)device->memory_bytes);
    return RHOMB_OK;
}

rhomb_status rhomb__batch_shape_begin(rhomb__error *error, const rhomb_device_info *device,
                                      int32_t threads, const rhomb_batch_tuning *tuning,
                                      rhomb__batch_shape *s)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__tuning_row *row = rhomb__tuning_find(device);
    const int64_t jobs = (int64_t)row->batch_thread_jobs * threads + row->batch_more_jobs;
    *s = (rhomb__batch_shape){.unit = 1, .sliced_level = -1};
    RHOMB_TRY(check_tuning(error, device, tuning));
    s->group_size =
        (int32_t)or_default(tuning->group_size, rhomb__group_on(device, row->batch_group_size));
    s->workers = (int32_t)or_default(tuning->workers, rhomb__min(jobs, row->batch_most_jobs));
    s->job_bases = or_default(tuning->job_bases, row->batch_job_bases);
    s->job_bases = s->job_bases / RHOMB_WORD_SYMBOLS * RHOMB_WORD_SYMBOLS;
    s->first_whole = row->batch_first_whole;
out:
    return status;
}

rhomb_status rhomb__batch_shape_finish(rhomb__error *error, const rhomb_device_info *device,
                                       const rhomb_batch_options *options,
                                       const rhomb_batch_tuning *tuning, rhomb__batch_shape *s)
{
    rhomb_status status = RHOMB_OK;
    s->bytes[RHOMB__BATCH_COLUMNS] = rhomb__max(rhomb__max(s->mode_bytes, s->sliced_bytes), 1);
    for (int32_t i = 0; i < s->levels; i++)
        s->bytes[RHOMB__BATCH_COLUMNS] =
            rhomb__max(s->bytes[RHOMB__BATCH_COLUMNS], s->groups[i] * s->group_bytes[i]);
    RHOMB_TRY(fit_memory(error, device, options->cigar, s));
    s->least_bases = s->job_bases / SMALLEST_SHARE;
    /* Both sequences of a pair have to fit in a job, and so do the operations of its CIGAR. */
    s->long_bases =
        rhomb__min(or_default(tuning->long_bases, rhomb__tuning_find(device)->batch_long_bases),
                   s->job_bases / 2 - RHOMB_WORD_SYMBOLS);
out:
    return status;
}

int32_t rhomb__batch_all_planes(rhomb_alphabet alphabet)
{
    return alphabet == RHOMB_ALPHABET_DNA       ? 4
           : alphabet == RHOMB_ALPHABET_IUPAC   ? RHOMB_MASK_PLANES
           : alphabet == RHOMB_ALPHABET_PROTEIN ? 5
                                                : 8;
}

rhomb_status rhomb__batch_shape_make(rhomb__error *error, const rhomb_device_info *device,
                                     int32_t threads, const rhomb_batch_options *options,
                                     const rhomb_batch_tuning *tuning, rhomb__batch_shape *shape)
{
    rhomb_status status = RHOMB_OK;
    rhomb__batch_shape *s = shape;
    RHOMB_TRY(rhomb__batch_shape_begin(error, device, threads, tuning, s));
    s->answer_bytes = sizeof(rhomb_batch_answer);
    const int32_t all = rhomb__batch_all_planes(options->alphabet);
    s->planes = s->group_size == 1 ? all & RHOMB_MASKS : 2;
    s->in_place = options->cigar && s->group_size == 1;
    s->other_planes = s->group_size == 1 ? s->planes : all;
    plan_levels(device, options, tuning, s);
    s->most_edits = s->limits[s->levels - 1];
    for (int32_t i = 0; i < s->levels && options->cigar; i++)
        s->group_bytes[i] = (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_COLUMNS((int64_t)s->limits[i]);
    rhomb__batch_shape_groups(device, rhomb__batch_column_bytes(device, tuning, s), s);
    RHOMB_TRY(rhomb__batch_shape_finish(error, device, options, tuning, s));
out:
    return status;
}

void rhomb__batch_shape_of_set(int32_t planes, int64_t pairs, int64_t pair_bases, int64_t longest,
                               rhomb__batch_shape *s)
{
    s->of_set = true;
    s->planes = planes;
    s->workers = SET_JOBS;
    s->first_whole = false;
    s->long_bases = longest;
    s->job_pairs = pairs;
    s->job_bases = rhomb__max(s->job_pairs * pair_bases, 2 * rhomb__batch_room(longest));
    s->least_bases = rhomb__min(GROUP_TURNS * s->groups[0], s->job_pairs) * pair_bases;
    plan_memory(s);
}

void rhomb__batch_shape_for(const rhomb_pair *pairs, int64_t count, rhomb__batch_shape *s)
{
    s->bytes[RHOMB__BATCH_COLUMNS] = s->groups[0] * s->group_bytes[0];
    s->long_bases = s->job_bases = s->job_operations = 0;
    s->job_pairs = count;
    for (int64_t i = 0; i < count; i++) {
        const int64_t n = pairs[i].target_length, m = pairs[i].query_length;
        s->long_bases = rhomb__max(s->long_bases, rhomb__max(n, m));
        s->job_bases += rhomb__batch_room(n) + rhomb__batch_room(m);
        s->job_operations += rhomb__batch_operations(s, &pairs[i]);
    }
    plan_memory(s);
}

rhomb_status rhomb__batch_shape_alone(rhomb__error *error, const rhomb_device_info *device,
                                      const rhomb__batch_shape *shape, const rhomb_pair *pair,
                                      int64_t distance, rhomb__batch_shape *alone)
{
    rhomb__batch_shape *s = alone;
    *s = *shape;
    const int64_t longer = rhomb__max(pair->target_length, pair->query_length);
    const int64_t bytes = distance <= RHOMB__BATCH_MOST_ALONE
                              ? (int64_t)sizeof(rhomb_i32) * RHOMB_BATCH_COLUMNS(distance)
                              : INT64_MAX;
    if (longer > RHOMB__BATCH_MOST_BASES || bytes > rhomb__allocation_most(device) / 2)
        return rhomb__fail(
            error, RHOMB_ERR_DEVICE_MEMORY,
            "%s: no room for the path of sequences of %lld and %lld bases, whose distance is %lld",
            device->name, (long long)pair->target_length, (long long)pair->query_length,
            (long long)distance);
    while (s->group_size < rhomb__tuning_find(device)->batch_alone_group &&
           2 * s->group_size <= device->max_group_size && !rhomb__batch_has_bytes(s))
        s->group_size *= 2;
    s->group_size = (int32_t)rhomb__min(s->group_size, device->max_group_size);
    s->in_place = true;
    s->workers = s->levels = 1;
    s->limits[0] = (int32_t)distance;
    s->groups[0] = 1;
    s->group_bytes[0] = bytes;
    s->most_edits = distance;
    rhomb__batch_shape_for(pair, 1, s);
    return RHOMB_OK;
}
