/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a matrix that go through a pool, see matrix_run.h: those of files, as many as their
 * records have partners, and all that are only planned. Pairs of records are delivered in the order
 * in which they were added, so that those of a pair of files follow each other.
 */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/base/mix.h"
#include "host/cli/pair/pair_run.h"
#include "host/cli/pair/plan_run.h"

typedef struct many_job {
    const cli_matrix_arguments *args;
    const cli_matrix_sequences *sequences;
    cli_pair_arguments pair; /* of records */
    cli_many *many;
    cli_matrix_guides guides; /* of plans */
    rhomb_matrix_fn take;     /* NULL with plans */
    void *user;
    cli_plan_rows rows; /* of plans */
    int64_t shorter;    /* pairs that these leave out */
    /* Of each pair of the matrix, pairs of records that are not delivered yet. */
    int32_t *left;
    int64_t first, at; /* the first pair, and the next one to deliver */
    cli_matrix_cell cell;
    int64_t sum;
    bool exceeds, is_begun; /* that pair */
} many_job;

/* Of cli_many_hooks: a line for each pair of files, then those of its records. */
static int on_plan(const cli_part *part, void *user)
{
    many_job *job = user;
    cli_buffer *out = &job->rows.sink.text;
    if (job->args->by_file && !job->is_begun) {
        cli_append_text(out, "# ");
        cli_append_field(out, job->sequences->list[job->cell.column].name);
        cli_append_text(out, "\t");
        cli_append_field(out, job->sequences->list[job->cell.row].name);
        cli_append_text(out, "\n");
    }
    job->is_begun = true;
    return cli_plan_rows_part(part, &job->rows);
}

static int on_part(const cli_part *part, void *user)
{
    many_job *job = user;
    const rhomb_report *report = cli_part_report(part);
    job->exceeds = job->exceeds || report->exceeds_max_distance;
    job->sum += report->exceeds_max_distance ? 0 : report->distance;
    return CLI_OK;
}

static int on_pair(const cli_pair *pair, int64_t aligned, void *user)
{
    many_job *job = user;
    const int64_t most = job->pair.options.max_distance;
    const int64_t distance = job->exceeds || (most >= 0 && job->sum > most) ? -1 : job->sum;
    (void)pair;
    (void)aligned;
    for (; job->left[job->at - job->first] == 0; job->at++) /* was not added */
        job->cell = cli_matrix_after(job->sequences, job->cell);
    if (--job->left[job->at - job->first] > 0)
        return CLI_OK;
    /* What could not be written is said when it is closed. */
    if (job->take != NULL &&
        job->take(job->cell.row, job->cell.column, &distance, 1, job->user) != 0)
        return CLI_FAILED;
    job->sum = 0;
    job->exceeds = job->is_begun = false;
    job->at++;
    job->cell = cli_matrix_after(job->sequences, job->cell);
    return CLI_OK;
}

/* What a record without a partner borrows. */
static void release_bases(void *owner)
{
    rhomb_sequence_destroy(owner);
}

/* Compares a record with nothing. */
static int add_alone(many_job *job, const cli_assemblies *a, int side, size_t index)
{
    const cli_record *record = &a->assemblies[side]->records[index];
    const cli_side none = {.file = a->assemblies[1 - side]->path, .name = "no record", .bases = ""};
    cli_side own = {.file = a->assemblies[side]->path, .name = record->name};
    rhomb_sequence *owned = NULL;
    const int status = cli_assembly_bases(a->readers[side], index, &own.bases, &owned);
    if (status != CLI_OK)
        return status;
    own.length = record->length;
    const cli_pair pair = {.target = side == 0 ? own : none,
                           .query = side == 0 ? none : own,
                           .release = release_bases,
                           .owner = owned,
                           .is_last = true};
    const cli_frame frame = {.rotation = 0};
    return cli_many_add_whole(job->many, &pair, &frame);
}

/* Adds the records without a partner. The exit status. */
static int add_all_alone(many_job *job, const cli_assemblies *a)
{
    int status = CLI_OK;
    for (int side = 0; side < 2 && status == CLI_OK; side++) {
        const size_t records = a->assemblies[side]->count;
        bool *has = cli_couples_have(&a->couples, side, records);
        if (has == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        for (size_t i = 0; i < records && status == CLI_OK; i++)
            status = has[i] ? CLI_OK : add_alone(job, a, side, i);
        free(has);
    }
    return status;
}

/* Adds the pairs of records of two files. */
static int add_files(many_job *job, int64_t row, int64_t column, int32_t *left)
{
    const cli_matrix_sequences *s = job->sequences;
    cli_assembly_reader *const readers[2] = {s->readers[column], s->readers[row]};
    const cli_assembly *const assemblies[2] = {s->assemblies[column], s->assemblies[row]};
    cli_assemblies a;
    int status = cli_assemblies_take(&a, &job->pair, readers, assemblies);
    /* A record has one partner at most: each couple is one pair of two records. */
    *left = (int32_t)(assemblies[0]->count + assemblies[1]->count - a.couples.count);
    if (status == CLI_OK)
        status = cli_assemblies_add(&a, job->many, 0);
    if (status == CLI_OK)
        status = add_all_alone(job, &a);
    cli_assemblies_release(&a);
    return status;
}

/* Adds a pair to be planned, if it is one of those that are looked at. */
static int add_sequences(many_job *job, int64_t row, int64_t column, int32_t *left)
{
    const rhomb_matrix_sequence *a = &job->sequences->list[row], *b = &job->sequences->list[column];
    cli_matrix_looker *looker = &job->guides.lookers[0];
    const cli_pair pair = {.target = {.name = a->name, .bases = a->bases, .length = a->length},
                           .query = {.name = b->name, .bases = b->bases, .length = b->length},
                           .is_last = true};
    cli_frame frame = {.guide = RHOMB_GUIDE_INIT};
    if ((a->length < b->length ? a->length : b->length) < RHOMB_GUIDE_LEAST) {
        job->shorter++;
        return CLI_OK;
    }
    if (!cli_matrix_looks(job->args) ||
        !cli_matrix_guide(row, column, 0, &frame.guide, &job->guides))
        frame.guide.struct_size = 0;
    frame.points = looker->points;
    looker->points = NULL;
    *left = 1;
    return cli_many_add_whole(job->many, &pair, &frame);
}

static int add_all(many_job *job, int64_t end)
{
    int status = CLI_OK;
    cli_matrix_cell c = job->cell;
    for (int64_t pair = job->first; pair < end && status == CLI_OK; pair++) {
        int32_t *left = &job->left[pair - job->first];
        status = job->args->by_file ? add_files(job, c.row, c.column, left)
                                    : add_sequences(job, c.row, c.column, left);
        c = cli_matrix_after(job->sequences, c);
    }
    return status == CLI_OK ? cli_many_finish(job->many) : status;
}

/* The bases of all pairs, for progress. */
static int64_t bases_of(const many_job *job, int64_t end)
{
    const rhomb_matrix_sequence *list = job->sequences->list;
    cli_matrix_cell c = job->cell;
    int64_t bases = 0;
    for (int64_t pair = job->first; pair < end; pair++) {
        bases += list[c.row].length + list[c.column].length;
        c = cli_matrix_after(job->sequences, c);
    }
    return bases;
}

static int start(many_job *job, rhomb_context *ctx, int64_t first, int64_t end)
{
    const cli_matrix_arguments *args = job->args;
    const bool plans = job->take == NULL;
    const cli_many_hooks hooks = {.part = plans ? on_plan : on_part, .pair = on_pair, .user = job};
    const cli_pool_options options = {.cache_dir = args->cache_dir,
                                      .threads = args->threads,
                                      .at_a_time = plans ? 1 : 0,
                                      .plans = plans,
                                      .options = &job->pair.options};
    job->pair = (cli_pair_arguments)CLI_PAIR_ARGUMENTS_INIT;
    job->pair.threads = args->threads;
    job->pair.sketch = args->sketch;
    job->pair.match = "best";
    job->pair.options.max_distance = args->options.max_distance;
    job->pair.options.alphabet = args->options.alphabet;
    job->pair.options.scoring = args->options.scoring;
    job->first = job->at = first;
    job->cell = cli_matrix_cell_of(job->sequences, first);
    job->left = calloc((size_t)(end - first) + 1, sizeof *job->left);
    if (job->left == NULL || !cli_matrix_guides_open(&job->guides, args, job->sequences->list, 1))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    job->many = cli_many_start(ctx, &options, false, &hooks);
    if (job->many == NULL)
        return CLI_MEMORY;
    if (!plans)
        cli_many_expect(job->many, bases_of(job, end));
    return CLI_OK;
}

static void release(many_job *job)
{
    cli_many_release(job->many);
    cli_matrix_guides_release(&job->guides);
    cli_sink_release(&job->rows.sink);
    free(job->left);
}

int cli_matrix_files_compute(const cli_matrix_arguments *args,
                             const cli_matrix_sequences *sequences, rhomb_context *ctx,
                             int64_t first, int64_t end, rhomb_matrix_fn take, void *user)
{
    many_job job = {.args = args, .sequences = sequences, .take = take, .user = user};
    int status = start(&job, ctx, first, end);
    if (status == CLI_OK)
        status = add_all(&job, end);
    if (status == CLI_OK)
        cli_many_note_shares(job.many);
    release(&job);
    return status;
}

int cli_matrix_plan(const cli_matrix_arguments *args, const cli_matrix_sequences *sequences,
                    rhomb_context *ctx, int64_t first, int64_t end, const cli_output *output)
{
    const cli_run run = {.device = rhomb_context_device(ctx),
                         .ctx = ctx,
                         .scoring = args->options.scoring,
                         .alphabet = args->options.alphabet};
    many_job job = {.args = args, .sequences = sequences};
    cli_plan_rows_begin(&job.rows, &run, output, "pair");
    int status = start(&job, ctx, first, end);
    if (status == CLI_OK)
        status = add_all(&job, end);
    if (status == CLI_OK)
        status = cli_plan_rows_end(&job.rows);
    if (status == CLI_OK && job.shorter > 0)
        fprintf(output->stream,
                "# not in these: %" PRId64 " pair%s with less than %" PRId64
                " bases, which are solved many at a time\n",
                job.shorter, cli_s(job.shorter), RHOMB_GUIDE_LEAST);
    release(&job);
    return status;
}

int cli_matrix_files_read(const cli_matrix_arguments *args, cli_matrix_sequences *s)
{
    const cli_operand_list *files = &s->inputs;
    s->by_file = true;
    s->count = files->count;
    s->readers = calloc((size_t)s->count + 1, sizeof *s->readers);
    s->assemblies = calloc((size_t)s->count + 1, sizeof *s->assemblies);
    if (s->readers == NULL || s->assemblies == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    /* All have the same shape, to be compared: that of the largest. */
    cli_minimizer_shape shape = {.w = 0};
    for (int i = 0; i < files->count; i++) {
        const cli_minimizer_shape own = cli_assembly_shape(files->names[i], files->names[i]);
        shape = own.w > shape.w ? own : shape;
    }
    for (int i = 0; i < files->count; i++) {
        s->readers[i] = cli_assembly_start(files->names[i], args->threads, &shape, false);
        const int status = s->readers[i] == NULL
                               ? CLI_MEMORY
                               : cli_assembly_finish(s->readers[i], &s->assemblies[i]);
        if (status != CLI_OK)
            return status;
    }
    return CLI_OK;
}

void cli_matrix_files_digest(const cli_matrix_arguments *args, const cli_matrix_sequences *s,
                             char out[33])
{
    const rhomb_scoring edit = RHOMB_SCORING_EDIT;
    const rhomb_scoring *c = args->options.scoring != NULL ? args->options.scoring : &edit;
    char text[256];
    snprintf(text, sizeof text,
             "by file %s %" PRId64 " %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
             " %" PRId64,
             rhomb_version(), args->options.max_distance, (int)args->options.alphabet,
             (int64_t)c->match, (int64_t)c->mismatch, (int64_t)c->gap_open, (int64_t)c->gap_extend,
             (int64_t)c->gap_open_2, (int64_t)c->gap_extend_2);
    uint64_t key = cli_mix(CLI_MIX_NONE, text, strlen(text) + 1);
    if (s->has_two)
        key = cli_mix(key, &s->columns, sizeof s->columns);
    const uint64_t asked = key;
    for (int64_t i = 0; i < s->count; i++) {
        key = cli_mix(key, s->list[i].name, strlen(s->list[i].name) + 1);
        key = cli_mix(key, &s->assemblies[i]->digest, sizeof s->assemblies[i]->digest);
    }
    snprintf(out, 33, "%016" PRIx64 "%016" PRIx64, asked, key);
}
