/* SPDX-License-Identifier: MIT */
/* A set of sweeps in a checkpoint, see sweeps_saved.h. */
#include "host/engines/bitparallel/sweeps_saved.h"

#include "host/checkpoint/checkpoint.h"

#include "host/engines/bitparallel/remote_sweep.h"
#include "src/base/int64.h"
#include "src/strips/strips_pause.h"
#include "src/strips/strips_share.h"

#include <stdlib.h>
#include <string.h>

/* The buffers that launches change. */
static const int KEPT[] = {RHOMB__SWEEP_STRIPS, RHOMB__SWEEP_DOWN, RHOMB__SWEEP_ACROSS,
                           RHOMB__SWEEP_CARRY};
static const char *const NAMES[RHOMB__SWEEP_BUFFERS] = {[RHOMB__SWEEP_STRIPS] = "strips",
                                                        [RHOMB__SWEEP_DOWN] = "down",
                                                        [RHOMB__SWEEP_ACROSS] = "across",
                                                        [RHOMB__SWEEP_CARRY] = "carry"};

enum { KEPT_BUFFERS = sizeof KEPT / sizeof KEPT[0] };

/* How far a set is. */
typedef struct extent {
    int64_t next_launch; /* of one device */
    int64_t all_launches;
    double fraction;
} extent;

/* A member's buffer is read in pieces. */
#define PIECE_BYTES (INT64_C(4) << 20)

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

static void save_fields(rhomb__sweeps *s, int64_t next_launch, int64_t all_launches,
                        rhomb__saver *saver)
{
    extent e = {next_launch, all_launches,
                s->all_seconds > 0 ? s->enqueued_seconds / s->all_seconds : 0};
    rhomb__fields fields = {.is_saving = true};
    list_fields(s, &e, &fields);
    rhomb__fields_save(&fields, saver, "sweeps");
}

/* Takes the fields of a sweep of so many launches. */
static rhomb_status take_fields(rhomb__sweeps *s, int64_t all_launches, const rhomb__saved *saved,
                                extent *e)
{
    rhomb_status status = RHOMB_OK;
    rhomb__error *error = &s->stream->error;
    rhomb__fields fields;
    RHOMB_TRY(rhomb__fields_restore(&fields, error, saved, "sweeps"));
    list_fields(s, e, &fields);
    RHOMB_TRY(rhomb__fields_end(&fields, error, saved));
    if (e->all_launches != all_launches || e->next_launch < 0 || e->next_launch > all_launches)
        status = rhomb__saved_damaged(error, saved, "its launches are those of another sweep");
out:
    return status;
}

/* The bytes of a buffer of the set. */
static int64_t bytes_of(const rhomb__sweeps *s, int buffer)
{
    int64_t bytes[RHOMB__SWEEP_BUFFERS];
    rhomb__sweeps_bytes(&s->shares[0].sweep, &s->totals, bytes);
    return bytes[buffer];
}

/* The content of a section that a buffer was saved as. */
static rhomb_status need(rhomb__sweeps *s, const rhomb__saved *saved, int buffer,
                         const void **content)
{
    return rhomb__saved_need(&s->stream->error, saved, NAMES[buffer], bytes_of(s, buffer), content);
}

static rhomb_status restore(rhomb__sweeps *s, const rhomb__saved *saved, int buffer)
{
    rhomb_status status = RHOMB_OK;
    const void *content = NULL;
    RHOMB_TRY(need(s, saved, buffer, &content));
    RHOMB_TRY(rhomb__sweeps_write(s, buffer, 0, bytes_of(s, buffer), content));
out:
    return status;
}

rhomb_status rhomb__sweeps_save(rhomb__sweeps *s, rhomb__saver *saver)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(rhomb__sweeps_wait(s));
    save_fields(s, s->next_launch, s->all_launches, saver);
    for (int i = 0; i < KEPT_BUFFERS && s->next_launch > 0; i++)
        RHOMB_TRY(rhomb__save_buffer(s->stream, saver, NAMES[KEPT[i]], &s->buffers[KEPT[i]],
                                     bytes_of(s, KEPT[i])));
    rhomb__sweeps_pace_anew(s);
out:
    return status;
}

rhomb_status rhomb__sweeps_restore(rhomb__sweeps *s, const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    extent e = {.fraction = 0};
    RHOMB_TRY(take_fields(s, s->all_launches, saved, &e));
    s->next_launch = e.next_launch;
    s->enqueued_seconds = e.fraction * s->all_seconds;
    for (int i = 0; i < KEPT_BUFFERS && s->next_launch > 0; i++)
        RHOMB_TRY(restore(s, saved, KEPT[i]));
    rhomb__sweeps_pace_anew(s);
out:
    return status;
}

/* What one device would have of a shared sweep, but for its rows, which are read as they go. */
typedef struct whole {
    int64_t plain; /* launches that are done */
    int64_t all_launches;
    const rhomb_strip *records;
    const char *across;
    void *own_records, *own_across; /* memory of the two, if it is not the checkpoint's */
} whole;

_Static_assert(RHOMB__BORDER_TRAVEL % 2 == 0, "a front would be in the other place");

/* The time table of one device, into whole->own_records. */
static rhomb_status make_records(const rhomb__sweeps *s, whole *w)
{
    rhomb__sweep_share share = s->shares[0];
    const size_t bytes = (size_t)s->totals.records * sizeof(rhomb_strip);
    rhomb_strip *records = malloc(bytes);
    w->records = w->own_records = records;
    if (records == NULL)
        return rhomb__fail_memory(&s->stream->error, bytes, "the strips of a checkpoint");
    share.sweep.chunks = (rhomb__strip_chunks){.owners = 1};
    rhomb__share_band(&share, share.bound, records);
    w->all_launches = share.launches;
    return RHOMB_OK;
}

rhomb_status rhomb__sweeps_run_ranks(rhomb__sweeps *members, int32_t count, int64_t from,
                                     int64_t until)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < count; i++) {
        if (members[i].rank != NULL)
            RHOMB_TRY(rhomb__remote_sweep_run(&members[i], from, until));
    }
out:
    return status;
}

/* Ranks run ahead of each other: they pause, and *launch becomes the furthest next one. */
static rhomb_status pause_ranks(rhomb__sweeps *members, int32_t count, int64_t *launch)
{
    rhomb_status status = RHOMB_OK;
    for (int32_t i = 0; i < count; i++) {
        if (members[i].rank != NULL)
            RHOMB_TRY(rhomb__remote_sweep_pause(&members[i]));
    }
    for (int32_t i = 0; i < count; i++) {
        if (members[i].rank != NULL)
            RHOMB_TRY(rhomb__remote_sweep_wait(&members[i]));
        *launch = rhomb__max(*launch, members[i].next_launch);
    }
out:
    return status;
}

/* All strips come to the same plain launch. */
static rhomb_status catch_up(rhomb__sweeps *members, int32_t count, whole *w)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &members[0];
    rhomb__sweep *sweep = &first->shares[0].sweep; /* of all */
    int64_t furthest = 0;
    RHOMB_TRY(pause_ranks(members, count, &furthest));
    w->plain = rhomb__pause_at(sweep, first->records, furthest);
    if (w->plain == 0)
        return RHOMB_OK;
    const int64_t end = rhomb__pause_end(sweep, first->records, w->plain);
    sweep->chunks.until = w->plain;
    RHOMB_TRY(rhomb__sweeps_run_ranks(members, count, -1, w->plain));
    while (first->next_launch < end) {
        for (int32_t i = 0; i < count; i++) {
            int64_t behind = -1;
            if (members[i].rank == NULL)
                RHOMB_TRY(rhomb__sweeps_step(&members[i], &behind));
        }
    }
    for (int32_t i = 0; i < count; i++)
        RHOMB_TRY(members[i].rank != NULL ? rhomb__remote_sweep_wait(&members[i])
                                          : rhomb__sweeps_wait(&members[i]));
out:
    sweep->chunks.until = 0;
    return status;
}

/* Takes each record's fronts from its strip's owner. */
static rhomb_status gather_records(rhomb__sweeps *members, int32_t count, whole *w)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweep *sweep = &members[0].shares[0].sweep;
    rhomb_strip *records = w->own_records;
    for (int32_t i = 0; i < count; i++)
        RHOMB_TRY(rhomb__sweeps_read(&members[i], RHOMB__SWEEP_STRIPS, 0,
                                     bytes_of(&members[i], RHOMB__SWEEP_STRIPS),
                                     members[i].answers));
    for (int64_t i = 2; i < rhomb__sweep_records(sweep); i++) {
        const int32_t owner = rhomb__strip_owner(&sweep->chunks, i / 2 - 1);
        memcpy(records[i].front, members[owner].answers[i].front, sizeof records[i].front);
    }
out:
    return status;
}

/* Takes the blocks of the border row from the owners of the strips that wrote them last. */
static rhomb_status gather_across(rhomb__sweeps *members, whole *w)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeps *first = &members[0];
    const rhomb__sweep *sweep = &first->shares[0].sweep;
    const int64_t block_bytes = 4 * rhomb__shape_border_words(&sweep->shape);
    const size_t bytes = (size_t)bytes_of(first, RHOMB__SWEEP_ACROSS);
    char *across = calloc(1, bytes);
    w->across = w->own_across = across;
    if (across == NULL)
        return rhomb__fail_memory(&first->stream->error, bytes, "the borders of a checkpoint");
    for (int64_t direction = 0; direction < 2; direction++) {
        rhomb__written part = {0};
        for (int64_t g = sweep->strips;
             rhomb__pause_written(sweep, first->records, w->plain, direction, &g, &part);) {
            const int64_t at = part.begin * block_bytes;
            RHOMB_TRY(rhomb__sweeps_read(&members[part.owner], RHOMB__SWEEP_ACROSS, at,
                                         part.end * block_bytes - at, across + at));
        }
    }
out:
    return status;
}

/* Adds bytes of a member's buffer, in pieces. */
static rhomb_status save_part(rhomb__sweeps *s, rhomb__saver *saver, int buffer, int64_t at,
                              int64_t bytes)
{
    rhomb_status status = RHOMB_OK;
    const int64_t end = at + bytes, most = rhomb__min(rhomb__max(bytes, 1), PIECE_BYTES);
    char *piece = malloc((size_t)most);
    if (piece == NULL)
        return rhomb__fail_memory(&s->stream->error, (size_t)most, "a checkpoint");
    for (; at < end && !rhomb__saver_failed(saver); at += most) {
        const int64_t part = rhomb__min(end - at, most);
        RHOMB_TRY(rhomb__sweeps_read(s, buffer, at, part, piece));
        rhomb__saver_add(saver, piece, (size_t)part);
    }
out:
    free(piece);
    return status;
}

/* Saves a buffer of which each strip has as much; its owner has it. */
static rhomb_status save_strips(rhomb__sweeps *members, rhomb__saver *saver, int buffer)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweep *sweep = &members[0].shares[0].sweep;
    const int64_t bytes = bytes_of(&members[0], buffer);
    const int64_t both = bytes / sweep->strips; /* directions */
    rhomb__saver_begin(saver, NAMES[buffer], bytes);
    for (int64_t g = 0, end; g < sweep->strips; g = end) {
        rhomb__sweeps *s = &members[rhomb__strip_owner(&sweep->chunks, g)];
        end = g + 1;
        while (end < sweep->strips && !rhomb__strip_begins_chunk(&sweep->chunks, end))
            end++;
        RHOMB_TRY(save_part(s, saver, buffer, g * both, (end - g) * both));
    }
out:
    return status;
}

/*
 * A device's records: both fronts of its own strips, and as both fronts of those above them that
 * other devices have the last one, as a packet would bring it (cl/common/borders.cl).
 */
static void take_fronts(const rhomb__sweeps *s, const whole *w, rhomb_strip *records)
{
    const rhomb__strip_chunks *chunks = &s->shares[0].sweep.chunks;
    for (int64_t i = 2; i < s->totals.records; i++) {
        const rhomb_strip *from = &w->records[i];
        const rhomb_strip_front *last =
            &from->front[rhomb__min(w->plain - 1, from->last_launch) & 1];
        const bool is_own = rhomb__strip_owner(chunks, i / 2 - 1) == s->owner;
        for (int k = 0; k < 2; k++)
            records[i].front[k] = is_own ? from->front[k] : *last;
    }
}

/* Each device gets what it needs of the others, and all go on from the same plain launch. */
static rhomb_status go_on(rhomb__sweeps *members, int32_t count, const whole *w)
{
    rhomb_status status = RHOMB_OK;
    const int64_t bytes = bytes_of(&members[0], RHOMB__SWEEP_STRIPS);
    for (int32_t i = 0; i < count && w->plain > 0; i++) {
        rhomb__sweeps *s = &members[i];
        rhomb_strip *records = s->rank != NULL ? s->answers : s->records;
        if (s->rank != NULL) /* the time table is the same for all */
            memcpy(records, members[0].records, (size_t)bytes);
        take_fronts(s, w, records);
        RHOMB_TRY(rhomb__sweeps_write(s, RHOMB__SWEEP_STRIPS, 0, bytes, records));
        RHOMB_TRY(rhomb__sweeps_write(s, RHOMB__SWEEP_ACROSS, 0, bytes_of(s, RHOMB__SWEEP_ACROSS),
                                      w->across));
        if (s->rank == NULL)
            rhomb__sweeps_rewind(s, w->plain);
    }
    RHOMB_TRY(rhomb__sweeps_run_ranks(members, count, w->plain > 0 ? w->plain : -1, 0));
out:
    return status;
}

/* What a checkpoint has of a sweep that has done something. */
static rhomb_status save_buffers(rhomb__sweeps *members, int32_t count, whole *w,
                                 rhomb__saver *saver)
{
    rhomb_status status = RHOMB_OK;
    const rhomb__sweeps *first = &members[0];
    RHOMB_TRY(gather_records(members, count, w));
    RHOMB_TRY(gather_across(members, w));
    rhomb__saver_section(saver, NAMES[RHOMB__SWEEP_STRIPS], w->records,
                         (size_t)bytes_of(first, RHOMB__SWEEP_STRIPS));
    rhomb__saver_section(saver, NAMES[RHOMB__SWEEP_ACROSS], w->across,
                         (size_t)bytes_of(first, RHOMB__SWEEP_ACROSS));
    RHOMB_TRY(save_strips(members, saver, RHOMB__SWEEP_DOWN));
    RHOMB_TRY(save_strips(members, saver, RHOMB__SWEEP_CARRY));
out:
    return status;
}

rhomb_status rhomb__sweeps_save_shared(rhomb__sweeps *members, int32_t count, rhomb__saver *saver)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &members[0];
    whole w = {.plain = 0};
    int64_t others = 0;
    RHOMB_TRY(make_records(first, &w));
    RHOMB_TRY(catch_up(members, count, &w));
    for (int32_t i = 1; i < count; i++)
        others += members[i].launches;
    first->launches += others;
    save_fields(first, w.plain, w.all_launches, saver);
    first->launches -= others;
    if (w.plain > 0)
        RHOMB_TRY(save_buffers(members, count, &w, saver));
    RHOMB_TRY(go_on(members, count, &w));
out:
    free(w.own_records);
    free(w.own_across);
    return status;
}

rhomb_status rhomb__sweeps_restore_shared(rhomb__sweeps *members, int32_t count,
                                          const rhomb__saved *saved)
{
    rhomb_status status = RHOMB_OK;
    rhomb__sweeps *first = &members[0];
    extent e = {.fraction = 0};
    whole w = {.plain = 0};
    const void *records = NULL, *across = NULL;
    RHOMB_TRY(make_records(first, &w));
    RHOMB_TRY(take_fields(first, w.all_launches, saved, &e));
    w.plain = e.next_launch;
    if (w.plain > 0) {
        RHOMB_TRY(need(first, saved, RHOMB__SWEEP_STRIPS, &records));
        RHOMB_TRY(need(first, saved, RHOMB__SWEEP_ACROSS, &across));
    }
    w.records = records;
    w.across = across;
    for (int32_t i = 0; i < count && w.plain > 0; i++) {
        members[i].enqueued_seconds = e.fraction * members[i].all_seconds;
        RHOMB_TRY(restore(&members[i], saved, RHOMB__SWEEP_DOWN));
        RHOMB_TRY(restore(&members[i], saved, RHOMB__SWEEP_CARRY));
    }
    RHOMB_TRY(go_on(members, count, &w));
out:
    free(w.own_records);
    return status;
}
