/* SPDX-License-Identifier: MIT */
/* Numbers of a checkpoint, see saved_fields.h. */
#include "src/checkpoint/saved_fields.h"

#include <assert.h>
#include <string.h>

/* More than any count. */
#define MISSING (RHOMB__MOST_FIELDS + 1)

/* Saves a value, or replaces it by the saved one. */
static void exchange(rhomb__fields *f, uint64_t *value)
{
    if (f->is_saving) {
        assert(f->count < RHOMB__MOST_FIELDS);
        f->values[f->count++] = *value;
    } else if (f->at < f->count) {
        *value = f->values[f->at++];
    } else {
        *value = 0;
        f->at = MISSING;
    }
}

void rhomb__field_int64(rhomb__fields *f, int64_t *value)
{
    uint64_t bits = (uint64_t)*value;
    exchange(f, &bits);
    memcpy(value, &bits, sizeof bits);
}

void rhomb__field_int32(rhomb__fields *f, int32_t *value)
{
    int64_t wide = *value;
    rhomb__field_int64(f, &wide);
    *value = wide >= INT32_MIN && wide <= INT32_MAX ? (int32_t)wide : 0;
    if (*value != wide)
        f->at = MISSING;
}

void rhomb__field_choice(rhomb__fields *f, int32_t *value, int32_t least, int32_t most)
{
    rhomb__field_int32(f, value);
    if (*value >= least && *value <= most)
        return;
    *value = least;
    f->at = f->is_saving ? f->at : MISSING;
}

void rhomb__field_bool(rhomb__fields *f, bool *value)
{
    int64_t wide = *value;
    rhomb__field_int64(f, &wide);
    *value = wide == 1;
    if (wide != *value)
        f->at = MISSING;
}

void rhomb__field_double(rhomb__fields *f, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    exchange(f, &bits);
    memcpy(value, &bits, sizeof bits);
}

void rhomb__fields_save(const rhomb__fields *f, rhomb__saver *saver, const char *name)
{
    rhomb__saver_section(saver, name, f->values, (size_t)f->count * sizeof *f->values);
}

rhomb_status rhomb__fields_restore(rhomb__fields *f, rhomb__error *error, const rhomb__saved *saved,
                                   const char *name)
{
    int64_t bytes = 0;
    const void *content = rhomb__saved_section(saved, name, &bytes);
    *f = (rhomb__fields){.is_saving = false};
    if (content == NULL || bytes % 8 != 0 || bytes > 8 * RHOMB__MOST_FIELDS)
        return rhomb__saved_damaged(error, saved, "it lacks numbers");
    f->count = (int)(bytes / 8);
    memcpy(f->values, content, (size_t)bytes);
    return RHOMB_OK;
}

rhomb_status rhomb__fields_end(const rhomb__fields *f, rhomb__error *error,
                               const rhomb__saved *saved)
{
    return f->at == f->count ? RHOMB_OK
                             : rhomb__saved_damaged(error, saved, "its numbers do not fit");
}
