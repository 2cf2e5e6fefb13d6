/* SPDX-License-Identifier: MIT */
/* A set of sweeps in a checkpoint, see sweeps_saved.h. */
#include "host/engines/bitparallel/sweeps_saved.h"

#include "host/checkpoint/checkpoint.h"

/* The buffers that launches change. */
static const struct {
    int buffer;
    const char *name;
} KEPT[] = {
    {RHOMB__SWEEP_STRIPS, "strips"},
    {RHOMB__SWEEP_DOWN, "down"},
    {RHOMB__SWEEP_ACROSS, "across"},
    {RHOMB__SWEEP_CARRY, "carry"},
};

enum { KEPT_BUFFERS = sizeof KEPT / sizeof KEPT[0] };

/* What a checkpoint has of a set besides its buffers. */
static void list_fields(rhomb__sweeps *s, double *fraction, rhomb__fields *fields)
{
    rhomb__field_int64(fields, &s->next_launch);
    rhomb__field_int64(fields, &s->all_launches);
    rhomb__field_int64(fields, &s->cells);
    rhomb__field_int64(fields, &s->launches);
    rhomb__field_int64(fields, &s->reads);
    rhomb__field_double(fields, fraction);
}

rhomb_status rhomb__sweeps_save(rhomb__sweeps *s, rhomb__saver *saver)
{
    rhomb_status status = RHOMB_OK;
    int64_t bytes[RHOMB__SWEEP_BUFFERS];
    double fraction = s->all_seconds > 0 ? s->enqueued_seconds / s->all_seconds : 0;
    rhomb__fields fields = {.is_saving = true};
    RHOMB_TRY(rhomb__sweeps_wait(s));
    list_fields(s, &fraction, &fields);
    rhomb__fields_save(&fields, saver, "sweeps");
    rhomb__sweeps_bytes(&s->shares[0].sweep, &s->totals, bytes);
    for (int i = 0; i < KEPT_BUFFERS && s->next_launch > 0; i++)
        RHOMB_TRY(rhomb__save_buffer(s->stream, saver, KEPT[i].name, &s->buffers[KEPT[i].buffer],
                                     bytes[KEPT[i].buffer]));
    rhomb__sweeps_pace_anew(s);
out:
    return status;
}

rhomb_status rhomb__sweeps_restore(rhomb__sweeps *s, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &s->stream->error;
    const int64_t launches = s->all_launches;
    int64_t bytes[RHOMB__SWEEP_BUFFERS];
    double fraction = 0;
    rhomb__fields fields;
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, "sweeps"));
    list_fields(s, &fraction, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
    if (s->all_launches != launches || s->next_launch < 0 || s->next_launch > launches) {
        status = rhomb__saved_damaged(error, saved, "its launches are those of another sweep");
        goto out;
    }
    s->enqueued_seconds = fraction * s->all_seconds;
    rhomb__sweeps_bytes(&s->shares[0].sweep, &s->totals, bytes);
    for (int i = 0; i < KEPT_BUFFERS && s->next_launch > 0; i++)
        RHOMB_TRY(rhomb__restore_buffer(s->stream, saved, KEPT[i].name, &s->buffers[KEPT[i].buffer],
                                        bytes[KEPT[i].buffer]));
    rhomb__sweeps_pace_anew(s);
out:
    return status;
}
