/* SPDX-License-Identifier: MIT */
/* A set of sweeps in a checkpoint, see sweeps_saved.h. */
#include "host/engines/bitparallel/sweeps_saved.h"

#include "host/checkpoint/checkpoint.h"

/* The buffers that launches change. */
static const int KEPT[] = {RHOMB__SWEEP_STRIPS, RHOMB__SWEEP_DOWN, RHOMB__SWEEP_ACROSS,
                           RHOMB__SWEEP_CARRY};
static const char *const NAMES[RHOMB__SWEEP_BUFFERS] = {[RHOMB__SWEEP_STRIPS] = "strips",
                                                        [RHOMB__SWEEP_DOWN] = "down",
                                                        [RHOMB__SWEEP_ACROSS] = "across",
                                                        [RHOMB__SWEEP_CARRY] = "carry"};

enum { KEPT_BUFFERS = sizeof KEPT / sizeof KEPT[0] };

/* How far a set is. All zeros: it begins, or several devices share it. */
typedef struct extent {
    int64_t next_launch;
    int64_t all_launches;
    double fraction;
} extent;

/* What a checkpoint has of a set besides its buffers. */
static void list_fields(rhomb__sweeps *s, extent *e, rhomb__fields *fields)
{
    rhomb__field_int64(fields, &e->next_launch);
    rhomb__field_int64(fields, &e->all_launches);
    rhomb__field_int64(fields, &s->cells);
    rhomb__field_int64(fields, &s->launches);
    rhomb__field_int64(fields, &s->reads);
    rhomb__field_double(fields, &e->fraction);
}

static bool is_shared(const rhomb__sweeps *s)
{
    return rhomb__chunks_are_shared(&s->shares[0].sweep.chunks);
}

/* The bytes of a buffer of the set. */
static int64_t bytes_of(const rhomb__sweeps *s, int buffer)
{
    int64_t bytes[RHOMB__SWEEP_BUFFERS];
    rhomb__sweeps_bytes(&s->shares[0].sweep, &s->totals, bytes);
    return bytes[buffer];
}

rhomb_status rhomb__sweeps_save(rhomb__sweeps *s, rhomb__saver *saver)
{
    rhomb_status status = RHOMB_OK;
    rhomb__fields fields = {.is_saving = true};
    extent e = {.next_launch = 0};
    if (!is_shared(s)) {
        RHOMB_TRY(rhomb__sweeps_wait(s));
        e = (extent){s->next_launch, s->all_launches,
                     s->all_seconds > 0 ? s->enqueued_seconds / s->all_seconds : 0};
    }
    list_fields(s, &e, &fields);
    rhomb__fields_save(&fields, saver, "sweeps");
    for (int i = 0; i < KEPT_BUFFERS && e.next_launch > 0; i++)
        RHOMB_TRY(rhomb__save_buffer(s->stream, saver, NAMES[KEPT[i]], &s->buffers[KEPT[i]],
                                     bytes_of(s, KEPT[i])));
    if (!is_shared(s))
        rhomb__sweeps_pace_anew(s);
out:
    return status;
}

rhomb_status rhomb__sweeps_restore(rhomb__sweeps *s, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &s->stream->error;
    rhomb__fields fields;
    extent e = {.next_launch = 0};
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, "sweeps"));
    list_fields(s, &e, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
    if (e.next_launch == 0 || is_shared(s)) {
        rhomb__log(s->stream, 1, "goes on with the sweep for the bound %lld, from its beginning",
                   (long long)s->shares[0].bound);
        return RHOMB_OK;
    }
    if (e.all_launches != s->all_launches || e.next_launch < 0 || e.next_launch > s->all_launches) {
        status = rhomb__saved_damaged(error, saved, "its launches are those of another sweep");
        goto out;
    }
    s->next_launch = e.next_launch;
    s->enqueued_seconds = e.fraction * s->all_seconds;
    for (int i = 0; i < KEPT_BUFFERS; i++)
        RHOMB_TRY(rhomb__restore_buffer(s->stream, saved, NAMES[KEPT[i]], &s->buffers[KEPT[i]],
                                        bytes_of(s, KEPT[i])));
    rhomb__sweeps_pace_anew(s);
out:
    return status;
}
