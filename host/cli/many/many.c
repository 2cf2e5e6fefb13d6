/* SPDX-License-Identifier: MIT */
/*
 * Many results for one output, see many.h. Parts are in a list, in the order of the output; a pair
 * is released with its last part.
 */
#include "host/cli/many/many.h"

#include "host/cli/base/cli.h"
#include "host/cli/many/assembly.h"

/* A pair, and which of its bases have a result. */
typedef struct kept_pair {
    cli_pair pair;
    int64_t users; /* its parts that are left, and who adds it */
    cli_block *aligned;
    size_t count;
} kept_pair;

/* A part in the list. Without a range it only stands for a pair that has none. */
typedef struct waiting {
    cli_part part;
    kept_pair *pair;
    char *oriented;
    bool is_last; /* of its pair */
    bool is_empty;
    struct waiting *next;
} waiting;

struct cli_many {
    rhomb_context *ctx;
    cli_pool *pool;
    cli_many_hooks hooks;
    bool with_paths;
    bool is_single; /* errors need not say which pair */
    waiting *first, **last;
    int64_t count, bases; /* in the list */
    cli_times times;
    cli_unaligned unaligned;
    cli_buffer covered; /* cli_block each: what is aligned of the present target */
};

cli_many *cli_many_start(rhomb_context *ctx, const cli_pool_options *options, bool with_paths,
                         const cli_many_hooks *hooks)
{
    cli_many *many = calloc(1, sizeof *many);
    if (many == NULL) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        return NULL;
    }
    many->ctx = ctx;
    many->hooks = *hooks;
    many->with_paths = with_paths;
    many->is_single = options->is_single;
    many->last = &many->first;
    const double start = cli_seconds_now();
    many->pool = cli_pool_start(ctx, options);
    if (many->pool == NULL) {
        free(many);
        return NULL;
    }
    many->times.began = cli_seconds_now();
    many->times.opening = many->times.began - start;
    return many;
}

void cli_unaligned_add(cli_unaligned *u, int side, const char *name, int64_t begin, int64_t end)
{
    const size_t count = cli_unaligned_count(u);
    const cli_rest *last = count > 0 ? cli_unaligned_rest(u, count - 1) : NULL;
    if (begin >= end)
        return;
    cli_rest rest = {.side = side, .name = u->names.length, .begin = begin, .end = end};
    if (last != NULL && strcmp(u->names.data + last->name, name) == 0)
        rest.name = last->name;
    else
        cli_append_bytes(&u->names, name, strlen(name) + 1);
    cli_append_bytes(&u->rests, (const char *)&rest, sizeof rest);
    u->bases[side] += end - begin;
    u->segments[side]++;
}

void cli_unaligned_hold(cli_unaligned *u, const char *name, int64_t begin, int64_t end)
{
    const cli_rest held = {.side = 1, .name = u->names.length, .begin = begin, .end = end};
    cli_append_bytes(&u->names, name, strlen(name) + 1);
    cli_append_bytes(&u->held, (const char *)&held, sizeof held);
}

/* The next thing that is held of a query, from *index on; NULL if there is none. */
static const cli_rest *next_held(const cli_unaligned *u, const char *name, size_t *index)
{
    for (; *index < cli_unaligned_held_count(u); ++*index) {
        const cli_rest *held = cli_unaligned_held(u, *index);
        if (strcmp(u->names.data + held->name, name) == 0) {
            ++*index;
            return held;
        }
    }
    return NULL;
}

bool cli_unaligned_holds(const cli_unaligned *u, const char *name)
{
    size_t index = 0;
    return next_held(u, name, &index) != NULL;
}

void cli_unaligned_release(cli_unaligned *u)
{
    cli_buffer_release(&u->rests);
    cli_buffer_release(&u->held);
    cli_buffer_release(&u->names);
}

cli_unaligned *cli_many_unaligned(cli_many *many)
{
    return &many->unaligned;
}

static int compare_targets(const void *a, const void *b)
{
    const cli_block *x = a, *y = b;
    return (x->target_begin > y->target_begin) - (x->target_begin < y->target_begin);
}

static int compare_queries(const void *a, const void *b)
{
    const cli_block *x = a, *y = b;
    return (x->query_begin > y->query_begin) - (x->query_begin < y->query_begin);
}

/* Lists what none of the blocks has of a side; they are sorted for that, and may overlap. */
static void list_rest(cli_unaligned *u, int side, const cli_side *of, cli_block *blocks,
                      size_t count)
{
    int64_t at = 0;
    if (count > 0)
        qsort(blocks, count, sizeof *blocks, side == 0 ? compare_targets : compare_queries);
    for (size_t i = 0; i < count; i++) {
        const int64_t begin = side == 0 ? blocks[i].target_begin : blocks[i].query_begin;
        const int64_t end = side == 0 ? blocks[i].target_end : blocks[i].query_end;
        cli_unaligned_add(u, side, of->name, of->before + at, of->before + begin);
        at = end > at ? end : at;
    }
    cli_unaligned_add(u, side, of->name, of->before + at, of->before + of->length);
}

/* Lists what all pairs of a query leave out of it, after the last one. */
static void list_query_rest(cli_many *many, const cli_side *query)
{
    cli_unaligned *u = &many->unaligned;
    cli_buffer blocks = {0};
    size_t index = 0;
    for (const cli_rest *held; (held = next_held(u, query->name, &index)) != NULL;) {
        const cli_block block = {.query_begin = held->begin, .query_end = held->end};
        cli_append_bytes(&blocks, (const char *)&block, sizeof block);
    }
    list_rest(u, 1, query, (cli_block *)(void *)blocks.data, blocks.length / sizeof(cli_block));
    u->rests.failed = u->rests.failed || blocks.failed;
    cli_buffer_release(&blocks);
}

/* Lists what a pair leaves out: of the target after its last pair, and so of the query. */
static void list_rests(cli_many *many, const kept_pair *kept)
{
    const cli_pair *pair = &kept->pair;
    cli_buffer *covered = &many->covered;
    if (kept->count > 0)
        cli_append_bytes(covered, (const char *)kept->aligned, kept->count * sizeof *kept->aligned);
    if (kept->pair.is_last) {
        list_rest(&many->unaligned, 0, &kept->pair.target, (cli_block *)(void *)covered->data,
                  covered->length / sizeof(cli_block));
        covered->length = 0;
    }
    if (!pair->query_came_before && !pair->query_comes_again) {
        list_rest(&many->unaligned, 1, &pair->query, kept->aligned, kept->count);
        return;
    }
    for (size_t i = 0; i < kept->count; i++)
        cli_unaligned_hold(&many->unaligned, pair->query.name, kept->aligned[i].query_begin,
                           kept->aligned[i].query_end);
    if (!pair->query_comes_again)
        list_query_rest(many, &pair->query);
}

const rhomb_report *cli_part_report(const cli_part *part)
{
    return part->task.alignment != NULL ? rhomb_alignment_report(part->task.alignment)->whole
           : part->task.result != NULL  ? rhomb_result_report(part->task.result)
                                        : NULL;
}

static void drop_pair(kept_pair *kept)
{
    if (--kept->users > 0)
        return;
    if (kept->pair.release != NULL)
        kept->pair.release(kept->pair.owner);
    free(kept->aligned);
    free(kept);
}

static void release_waiting(waiting *w)
{
    cli_task_release(&w->part.task);
    free(w->oriented);
    drop_pair(w->pair);
    free(w);
}

/* Says which bases a side of a part has: the library counts them from the first of these. */
static void say_side(const char *what, const cli_side *side, int64_t begin, int64_t end,
                     bool is_oriented)
{
    char range[64] = "";
    if (end - begin != side->before + side->length + side->after)
        snprintf(range, sizeof range, ":%" PRId64 "-%" PRId64, side->before + begin + 1,
                 side->before + end);
    cli_say("%s: %s%s of %s%s", what, side->name, range, cli_input_name(side->file),
            is_oriented ? ", counted on its strand and rotated" : "");
}

static int fail_part(const cli_many *many, const waiting *w)
{
    const cli_part *part = &w->part;
    const cli_block *r = &part->range;
    const int code =
        cli_fail_of(many->ctx, part->task.status, part->task.error != NULL ? part->task.error : "");
    if (many->is_single && part->task.status != RHOMB_ERR_ALPHABET)
        return code;
    say_side("target", &part->pair->target, r->target_begin, r->target_end, false);
    say_side("query", &part->pair->query, r->query_begin, r->query_end, w->oriented != NULL);
    if (part->task.status == RHOMB_ERR_ALPHABET && !cli_say_if_pairs(part->pair->target.file))
        cli_say_if_pairs(part->pair->query.file);
    return code;
}

/* The stages of a task that is done. */
static cli_stages stages_of(const cli_task *task)
{
    cli_stages s = {{task->seconds}};
    const rhomb_align_report *path =
        task->alignment != NULL ? rhomb_alignment_report(task->alignment) : NULL;
    const rhomb_report *whole = path != NULL           ? path->whole
                                : task->result != NULL ? rhomb_result_report(task->result)
                                                       : NULL;
    if (whole != NULL)
        s = (cli_stages){{task->seconds, whole->seconds_inspect, whole->seconds_guide,
                          whole->seconds_build, whole->seconds_transfer, whole->seconds_solve}};
    if (path != NULL) {
        s.seconds[3] += path->seconds_build;
        s.seconds[6] = path->seconds_split;
        s.seconds[7] = path->seconds_base_cases;
    }
    return s;
}

static void note_stages(int level, const char *what, const cli_stages *s)
{
    cli_note(level,
             "%s: %.3f s; inspect %.3f, guide %.3f, build %.3f, transfer %.3f, solve %.3f, split "
             "%.3f, base cases %.3f",
             what, s->seconds[0], s->seconds[1], s->seconds[2], s->seconds[3], s->seconds[4],
             s->seconds[5], s->seconds[6], s->seconds[7]);
}

/* Adds a task that is done, and says what it took with -vv. */
static void add_times(cli_times *times, const cli_task *task)
{
    char what[64];
    const cli_stages s = stages_of(task);
    times->tasks++;
    snprintf(what, sizeof what, "pair %" PRId64 ", from %.3f s on", times->tasks,
             task->began - times->began);
    note_stages(2, what, &s);
    for (int i = 0; i < CLI_STAGES; i++)
        times->solved.seconds[i] += s.seconds[i];
}

/* Says it all with -v. */
static void note_times(const cli_times *times, int32_t at_a_time)
{
    cli_note(1,
             "%" PRId64 " pair%s, %d at a time: %.3f s, and %.3f s to open contexts; waited for "
             "looks %.3f s, for results %.3f s, written for %.3f s",
             times->tasks, cli_s(times->tasks), (int)at_a_time, cli_seconds_now() - times->began,
             times->opening, times->looked, times->waited, times->written);
    note_stages(1, "the pairs, together", &times->solved);
}

/* Delivers the first part of the list. */
static int deliver(cli_many *many)
{
    waiting *w = many->first;
    kept_pair *kept = w->pair;
    int status = CLI_OK;
    const double start = cli_seconds_now();
    if (!w->is_empty)
        status = cli_pool_wait(many->pool, &w->part.task);
    const double ready = cli_seconds_now();
    many->times.waited += ready - start;
    if (status == CLI_OK && !w->is_empty && w->part.task.status != RHOMB_OK)
        status = fail_part(many, w);
    if (status != CLI_OK)
        return status;
    const rhomb_report *report = cli_part_report(&w->part);
    if (!w->is_empty && (report == NULL || !report->exceeds_max_distance))
        kept->aligned[kept->count++] = w->part.range;
    if (!w->is_empty)
        status = many->hooks.part(&w->part, many->hooks.user);
    if (status == CLI_OK && w->is_last) {
        const int64_t aligned = (int64_t)kept->count;
        list_rests(many, kept);
        if (many->hooks.pair != NULL)
            status = many->hooks.pair(&kept->pair, aligned, many->hooks.user);
    }
    many->times.written += cli_seconds_now() - ready;
    if (status != CLI_OK)
        return status;
    if (!w->is_empty) {
        many->bases -= cli_task_bases(&w->part.task);
        add_times(&many->times, &w->part.task);
    }
    many->first = w->next;
    many->count--;
    if (many->first == NULL)
        many->last = &many->first;
    release_waiting(w);
    return CLI_OK;
}

int cli_many_finish(cli_many *many)
{
    int status = CLI_OK;
    while (status == CLI_OK && many->first != NULL)
        status = deliver(many);
    /* One that came while the last ones were written. */
    return status == CLI_OK && cli_interrupted() != 0 ? cli_stopped(cli_interrupted()) : status;
}

cli_times *cli_many_times(cli_many *many)
{
    return &many->times;
}

void cli_many_note_shares(const cli_many *many)
{
    const rhomb_device_info *device;
    const int32_t count = cli_pool_devices(many->pool);
    if (many->is_single) /* its report has all of it */
        return;
    note_times(&many->times, cli_pool_at_a_time(many->pool));
    for (int32_t i = 0; i < count && count > 1; i++) {
        const rhomb_device_work share = cli_pool_share(many->pool, i, &device);
        cli_note_share(device, &share);
    }
}

void cli_many_append_shares(const cli_many *many, cli_buffer *out)
{
    const int32_t count = cli_pool_devices(many->pool);
    cli_append_text(out, count > 1 ? ",\n\t\"devices\":\t[" : "");
    for (int32_t i = 0; i < count && count > 1; i++) {
        const rhomb_device_info *device;
        const rhomb_device_work share = cli_pool_share(many->pool, i, &device);
        cli_append_text(out, i > 0 ? ",\n\t\t{\"name\":" : "\n\t\t{\"name\":");
        cli_append_string(out, device->name);
        cli_append_format(out, ",\"index\":%d,\"pairs\":%" PRId64 ",\"busy_seconds\":%.3f}",
                          (int)device->index, share.pairs, share.seconds);
    }
    cli_append_text(out, count > 1 ? "]" : "");
}

static void describe_share(cli_schema *schema)
{
    cli_schema_value(schema, "name", "string", false, "", "the device");
    cli_schema_value(schema, "index", "integer", false, "", "its number");
    cli_schema_value(schema, "pairs", "integer", false, "", "pairs that it solved");
    cli_schema_value(schema, "busy_seconds", "number", false, "seconds", "the time that it took");
}

void cli_many_describe_shares(cli_schema *schema)
{
    schema->since = "0.3.0";
    schema->is_optional = true;
    cli_schema_list(schema, "devices", "the work of each of several devices", describe_share);
}

/* Where a part's query is: in the pair's bases, or in a copy. NULL without memory. */
static const char *orient(waiting *w)
{
    const cli_block *r = &w->part.range;
    const char *bases = w->pair->pair.query.bases + r->query_begin;
    if (!r->reverse && w->part.rotation == 0)
        return bases;
    w->oriented = cli_orient(bases, r->query_end - r->query_begin, r->reverse, w->part.rotation);
    return w->oriented;
}

/* Appends a part to the list. NULL if there is no memory. */
static waiting *append(cli_many *many, kept_pair *kept)
{
    waiting *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->pair = kept;
    w->part.pair = &kept->pair;
    w->is_empty = true; /* until it has a task */
    kept->users++;
    *many->last = w;
    many->last = &w->next;
    many->count++;
    return w;
}

/* Gives the pool a task for a range of a pair. False if there is no memory. */
static bool start(cli_many *many, waiting *w, const cli_block *range, const cli_frame *frame)
{
    cli_task *task = &w->part.task;
    w->part.range = *range;
    if (frame != NULL) {
        w->part.rotation = frame->rotation;
        task->guide = frame->guide;
    }
    task->target = w->pair->pair.target.bases + range->target_begin;
    task->target_length = range->target_end - range->target_begin;
    task->query = orient(w);
    task->query_length = range->query_end - range->query_begin;
    task->with_path = many->with_paths;
    if (task->query == NULL)
        return false;
    w->is_empty = false;
    many->bases += cli_task_bases(task);
    cli_pool_add(many->pool, task);
    return true;
}

/* A copy of a pair, and room for what is aligned of it. NULL if there is no memory. */
static kept_pair *keep(const cli_pair *pair, size_t count)
{
    kept_pair *kept = calloc(1, sizeof *kept);
    cli_block *aligned = malloc((count + 1) * sizeof *aligned);
    if (kept == NULL || aligned == NULL) {
        free(aligned);
        free(kept);
        return NULL;
    }
    *kept = (kept_pair){.pair = *pair, .users = 1, .aligned = aligned};
    return kept;
}

static int add(cli_many *many, const cli_pair *pair, const cli_block *blocks, size_t count,
               const cli_frame *frame)
{
    kept_pair *kept = keep(pair, count);
    bool good = kept != NULL;
    if (!good && pair->release != NULL)
        pair->release(pair->owner);
    if (!good && frame != NULL)
        free(frame->points);
    const size_t parts = count > 0 ? count : 1;
    int64_t number = 0;
    for (size_t i = 0; good && i < parts; i++) {
        waiting *w = append(many, kept);
        if (frame != NULL && w != NULL)
            w->part.task.points = frame->points;
        else if (frame != NULL)
            free(frame->points);
        number += i == 0 || count == 0 || !blocks[i - 1].goes_on;
        if (frame == NULL && count > 0 && w != NULL)
            w->part.block = number;
        good = w != NULL && (count == 0 || start(many, w, &blocks[i], frame));
        if (w != NULL)
            w->is_last = i + 1 == parts;
    }
    if (kept != NULL)
        drop_pair(kept);
    if (!good)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    int status = CLI_OK;
    while (status == CLI_OK && cli_pool_has_enough(many->pool, many->count, many->bases))
        status = deliver(many);
    return status;
}

int cli_many_add_whole(cli_many *many, const cli_pair *pair, const cli_frame *frame)
{
    const cli_block whole = {.target_end = pair->target.length,
                             .query_end = pair->query.length,
                             .reverse = frame->reverse};
    return add(many, pair, &whole, 1, frame);
}

int cli_many_add_blocks(cli_many *many, const cli_pair *pair, const cli_block *blocks, size_t count)
{
    return add(many, pair, blocks, count, NULL);
}

void cli_many_expect(cli_many *many, int64_t bases)
{
    cli_pool_expect(many->pool, bases);
}

void cli_many_release(cli_many *many)
{
    if (many == NULL)
        return;
    cli_pool_release(many->pool);
    while (many->first != NULL) {
        waiting *next = many->first->next;
        release_waiting(many->first);
        many->first = next;
    }
    cli_buffer_release(&many->covered);
    cli_unaligned_release(&many->unaligned);
    free(many);
}
