/* SPDX-License-Identifier: MIT */
/* States in checkpoints and in other structures, see state.h. */
#include "src/checkpoint/state.h"

#include "src/base/clock.h"

#include <string.h>

void rhomb__state_each(const rhomb__field *fields, size_t base,
                       void (*visit)(const rhomb__field *field, size_t at, void *user), void *user)
{
    for (const rhomb__field *f = fields; f->type != RHOMB__FIELD_END; f++) {
        if (f->type == RHOMB__FIELD_TABLE)
            rhomb__state_each(f->table, base + f->at[0], visit, user);
        else
            visit(f, base + f->at[0], user);
    }
}

static void count(const rhomb__field *f, size_t at, void *user)
{
    (void)at;
    *(size_t *)user += f->bytes;
}

static size_t section_bytes(const rhomb__field *fields)
{
    size_t bytes = 0;
    rhomb__state_each(fields, 0, count, &bytes);
    return bytes;
}

typedef struct writing {
    rhomb__saver *saver;
    const char *from;
} writing;

static void write_field(const rhomb__field *f, size_t at, void *user)
{
    const writing *w = user;
    double moment = 0;
    if (f->type == RHOMB__FIELD_SINCE) {
        memcpy(&moment, w->from + at, sizeof moment);
        moment = rhomb__now() - moment;
        rhomb__saver_add(w->saver, &moment, sizeof moment);
    } else {
        rhomb__saver_add(w->saver, w->from + at, f->bytes);
    }
}

void rhomb__state_save(rhomb__saver *saver, const char *name, const rhomb__field *fields,
                       const void *from)
{
    writing w = {saver, from};
    rhomb__saver_begin(saver, name, (int64_t)section_bytes(fields));
    rhomb__state_each(fields, 0, write_field, &w);
}

typedef struct reading {
    const char *next; /* of the section */
    char *to;
    bool is_wrong;
} reading;

static void read_field(const rhomb__field *f, size_t at, void *user)
{
    reading *r = user;
    const char *value = r->next;
    double moment = 0;
    int32_t number = 0;
    r->next += f->bytes;
    if (f->type == RHOMB__FIELD_SINCE) {
        memcpy(&moment, value, sizeof moment);
        moment = rhomb__now() - moment;
        memcpy(r->to + at, &moment, sizeof moment);
        return;
    }
    if (f->bytes == sizeof number)
        memcpy(&number, value, sizeof number);
    else
        number = (unsigned char)*value;
    if (f->type == RHOMB__FIELD_CHOICE && (number < f->least || number > f->most))
        r->is_wrong = true;
    else
        memcpy(r->to + at, value, f->bytes);
}

rhomb_status rhomb__state_restore(rhomb__error *error, const rhomb__saved *saved, const char *name,
                                  const rhomb__field *fields, void *to)
{
    int64_t bytes = 0;
    reading r = {.next = rhomb__saved_section(saved, name, &bytes), .to = to};
    if (r.next == NULL)
        return rhomb__saved_damaged(error, saved, "it lacks numbers");
    r.is_wrong = (size_t)bytes != section_bytes(fields);
    if (!r.is_wrong)
        rhomb__state_each(fields, 0, read_field, &r);
    return r.is_wrong ? rhomb__saved_damaged(error, saved, "its numbers do not fit") : RHOMB_OK;
}

void rhomb__state_copy(const rhomb__field *fields, const void *from, int i, void *to, int j)
{
    for (const rhomb__field *f = fields; f->type != RHOMB__FIELD_END; f++)
        if (f->at[i] != RHOMB__NOWHERE && f->at[j] != RHOMB__NOWHERE)
            memcpy((char *)to + f->at[j], (const char *)from + f->at[i], f->bytes);
}
