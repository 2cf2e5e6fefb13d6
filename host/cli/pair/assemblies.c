/* SPDX-License-Identifier: MIT */
/* Two assemblies, see pair_run.h. */
#include "host/cli/pair/pair_run.h"

#include "host/cli/sketch/relation.h"

/* Words for so many unusual pairs; the others are counted. */
enum { WORDS_MOST = 10 };

/* Starts to read both files. */
static int start(cli_assemblies *a)
{
    const cli_pair_arguments *args = a->args;
    const cli_minimizer_shape none = {0};
    const cli_minimizer_shape shape = cli_match_needs_lists(args->match)
                                          ? cli_assembly_shape(args->target_path, args->query_path)
                                          : none;
    a->readers[0] = cli_assembly_start(args->target_path, args->threads, &shape, a->target_md5);
    a->readers[1] = cli_assembly_start(args->query_path, args->threads, &shape, false);
    return a->readers[0] != NULL && a->readers[1] != NULL ? CLI_OK : CLI_MEMORY;
}

/* What a pool needs to know of the options, and of couples from the number `first` on. */
static cli_pool_options pool_options(const cli_pair_arguments *args, const cli_assemblies *a,
                                     int64_t first)
{
    cli_pool_options options = {.cache_dir = args->cache_dir,
                                .threads = args->threads,
                                .at_a_time = args->at_a_time,
                                .blocks = args->blocks,
                                .options = &args->options};
    options.is_single = args->match == NULL && !args->blocks;
    options.tasks = options.is_single;
    const size_t skipped = (size_t)first;
    size_t i = a->couples.begin > skipped ? a->couples.begin : skipped;
    for (; i < a->couples.end; i++) {
        options.tasks += !args->blocks;
        options.bases += cli_looks_bases(&a->looks, i);
    }
    return options;
}

/* Whether there is something to say of a pair that is aligned from end to end. */
static bool is_unusual(const cli_relation *r, const cli_look_asked *asked)
{
    return r->is_unrelated || r->is_opposite || (r->reverse && asked->strand) ||
           (r->rotation != 0 && asked->rotation) || r->is_rearranged || r->is_interrupted;
}

/* Whether the lengths say enough: one is too short to be looked at, and the other ten times it. */
static bool have_unlike_lengths(int64_t n, int64_t m)
{
    const int64_t shorter = n < m ? n : m, longer = n < m ? m : n;
    return shorter < CLI_RELATION_BASES_LEAST && 10 * shorter < longer;
}

static void warn(cli_assemblies *a, const cli_looking *l)
{
    char prefix[200];
    const cli_couple *couple = l->couple;
    const cli_pair *pair = &l->pair;
    const cli_relation *relation = &l->found;
    const int64_t n = pair->target.length, m = pair->query.length;
    const cli_look_asked asked = {.strand =
                                      a->args->strand == CLI_STRAND_NONE && couple->strand == '\0',
                                  .rotation = a->args->rotation == CLI_ROTATE_NONE,
                                  .as_given = a->args->as_given,
                                  .prefix = prefix};
    snprintf(prefix, sizeof prefix, "%.80s, %.80s: ", pair->target.name, pair->query.name);
    /* Blocks are aligned however they are arranged. */
    const bool warns = a->args->blocks ? relation->is_unrelated : is_unusual(relation, &asked);
    const bool is_short = l->looks && !a->args->blocks && have_unlike_lengths(n, m);
    if (!(warns || is_short) || a->unusual++ >= WORDS_MOST)
        return;
    if (is_short)
        cli_note(0,
                 "%starget and query look unrelated: %" PRId64 " base%s of the target, %" PRId64
                 " of the query",
                 prefix, n, cli_s(n), m);
    else
        cli_look_warn(relation, &asked);
}

/*
 * Adds a pair from end to end, and where the sketch believes that a path leads; `found` NULL: that
 * is not known.
 */
static int add_whole(const cli_pair_arguments *args, cli_many *many, const cli_pair *pair,
                     cli_frame *frame, const cli_relation *found)
{
    if (found == NULL || args->options.engine == RHOMB_ENGINE_WAVEFRONT ||
        !cli_guide_make(found, args->options.scoring, pair->target.length, pair->query.length,
                        frame->reverse, frame->rotation, &frame->guide, &frame->points))
        frame->guide.struct_size = 0;
    return cli_many_add_whole(many, pair, frame);
}

/* Adds a pair that was looked at as a whole. */
static int add_looked(const cli_assemblies *a, cli_many *many, const cli_looking *l)
{
    const cli_pair_arguments *args = a->args;
    const int64_t given = args->rotation > 0 ? args->rotation : 0;
    cli_frame frame = {.reverse = args->strand == CLI_STRAND_AUTO ? l->found.reverse
                                                                  : l->options.strand == '-',
                       .rotation = args->rotation == CLI_ROTATE_AUTO ? l->found.rotation : given};
    return add_whole(args, many, &l->pair, &frame, l->looks ? &l->found : NULL);
}

/* The bases of blocks, which are what there is to do, instead of those of both records. */
static int64_t more_bases(const cli_looking *l)
{
    return cli_blocks_bases(l->found.blocks, l->found.count) - l->pair.target.length -
           l->pair.query.length;
}

/* Waits for a look, and adds the pair, or gives it back. */
static int add_pair(cli_assemblies *a, cli_many *many, cli_looking *l)
{
    const cli_pair_arguments *args = a->args;
    const double start = cli_seconds_now();
    cli_looking_end(l);
    cli_many_times(many)->looked += cli_seconds_now() - start;
    if (!l->has_memory) {
        cli_looking_drop(l);
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    if (!a->borrows)
        warn(a, l);
    l->pair.similarity = l->found.similarity;
    const cli_two two = {l->pair.target.bases, l->pair.target.length, l->pair.query.bases,
                         l->pair.query.length};
    if (args->cut && !cli_blocks_cut(&two, &l->found)) {
        cli_looking_drop(l);
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    if (args->blocks)
        cli_many_expect(many, more_bases(l));
    const int status = args->blocks
                           ? cli_many_add_blocks(many, &l->pair, l->found.blocks, l->found.count)
                           : add_looked(a, many, l);
    cli_relation_release(&l->found);
    return status;
}

/* Whether the rows of a run that fails are of use: they have been seen, or are gone on with. */
static bool keeps_rows(const cli_pair_arguments *args)
{
    return args->resume != NULL || args->output == NULL || cli_is_standard_output(args->output);
}

static cli_side side_of(const rhomb_sequence *sequence)
{
    const int64_t before = rhomb_sequence_record_begin(sequence);
    const int64_t length = rhomb_sequence_length(sequence);
    return (cli_side){.file = rhomb_sequence_path(sequence),
                      .name = rhomb_sequence_record(sequence),
                      .bases = rhomb_sequence_bases(sequence),
                      .qualities = rhomb_sequence_qualities(sequence),
                      .length = length,
                      .before = before,
                      .after = rhomb_sequence_record_length(sequence) - before - length};
}

cli_pair cli_pair_read(const cli_pair_job *job)
{
    return (cli_pair){
        .target = side_of(job->run.target), .query = side_of(job->run.query), .is_last = true};
}

/* Adds the pair that was read; or with --blocks its blocks, which it counts for the user. */
static int add_single(const cli_pair_job *job, cli_many *many)
{
    const cli_run *run = &job->run;
    cli_pair pair = cli_pair_read(job);
    const cli_relation *found = cli_pair_relation(job);
    cli_frame frame = {.reverse = run->reverse, .rotation = run->rotation};
    if (!job->args->blocks)
        return add_whole(job->args, many, &pair, &frame, found);
    if (found == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (found->count > 0)
        cli_note(0, "%zu collinear block%s, %zu inverted", found->count,
                 cli_s((int64_t)found->count), found->inverted);
    pair.similarity = found->similarity;
    cli_many_expect(many, cli_blocks_bases(found->blocks, found->count));
    return cli_many_add_blocks(many, &pair, found->blocks, found->count);
}

int cli_assemblies_add(cli_assemblies *a, cli_many *many, int64_t first)
{
    cli_looks *looks = &a->looks;
    if (a->args->match == NULL)
        return add_single(a->job, many);
    int status = cli_looks_skip(looks, (size_t)first);
    while (status == CLI_OK && looks->next < a->couples.end) {
        if (a->failed == CLI_OK)
            a->failed = cli_looks_ahead(looks);
        if (a->failed != CLI_OK && (looks->next == looks->begun || !keeps_rows(a->args)))
            break;
        status = add_pair(a, many, cli_looks_next(looks));
    }
    if (status == CLI_OK && a->failed != CLI_OK) {
        status = keeps_rows(a->args) ? cli_many_finish(many) : CLI_OK;
        return status == CLI_OK ? a->failed : status;
    }
    if (status == CLI_OK && a->unusual > WORDS_MOST)
        cli_note(0, "%" PRId64 " more pair%s unusual", a->unusual - WORDS_MOST,
                 a->unusual == WORDS_MOST + 1 ? " looks" : "s look");
    return status;
}

/* Refuses a rotation that a query is too short for. */
static int check_rotation(const cli_assemblies *a)
{
    const int64_t rotation = a->args->rotation;
    for (size_t i = a->couples.begin; i < a->couples.end && rotation > 0; i++) {
        const cli_record *query = &a->assemblies[1]->records[a->couples.list[i].query];
        if (rotation >= query->length)
            return cli_fail_with(CLI_USAGE, "--rotate: query %s has only %" PRId64 " base%s",
                                 query->name, query->length, cli_s(query->length));
    }
    return CLI_OK;
}

/* Waits for both files, and finds partners. The exit status, with the message printed. */
static int match(cli_assemblies *a)
{
    int status = CLI_OK;
    for (int i = 0; i < 2 && status == CLI_OK; i++)
        status = cli_assembly_finish(a->readers[i], &a->assemblies[i]);
    a->read = cli_seconds_now();
    if (status == CLI_OK)
        status = cli_match(a->args->match, a->assemblies, a->readers, a->args->blocks,
                           cli_is_dna(a->args->options.alphabet), &a->couples);
    if (status == CLI_OK)
        cli_match_part(a->assemblies, &a->args->part, &a->couples);
    if (status == CLI_OK)
        status = check_rotation(a);
    a->matched = cli_seconds_now();
    return status;
}

/* The same, on a thread while the device is being opened; then the first pairs are looked at. */
static void *prepare(void *user)
{
    cli_assemblies *a = user;
    a->status = match(a);
    a->looks.next = a->looks.begun = a->couples.begin;
    if (a->status == CLI_OK && a->args->resume == NULL && cli_looks_at_a_time(&a->looks) > 1)
        a->failed = cli_looks_ahead(&a->looks);
    return NULL;
}

/*
 * Reads both files while the device is being opened, finds partners, and begins to look at the
 * first pairs; or reads one pair. The exit status.
 */
static int read_files(cli_assemblies *a, cli_pair_job *job)
{
    const double began = cli_seconds_now();
    a->args = job->args;
    a->job = job;
    if (a->args->match == NULL)
        return cli_pair_prepare(job);
    a->looks = (cli_looks){.args = a->args,
                           .readers = a->readers,
                           .assemblies = a->assemblies,
                           .couples = &a->couples};
    int status = cli_looks_open(&a->looks) ? start(a) : cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (status == CLI_OK)
        status = cli_pair_open(job, prepare, a, &a->status);
    if (status != CLI_OK)
        return status;
    cli_note(1,
             "files read after %.3f s, records matched in %.3f s, the device was open after %.3f s",
             a->read - began, a->matched - a->read, job->opened - began);
    return CLI_OK;
}

int cli_assemblies_take(cli_assemblies *a, const cli_pair_arguments *args,
                        cli_assembly_reader *const readers[2],
                        const cli_assembly *const assemblies[2])
{
    *a = (cli_assemblies){.args = args,
                          .readers = {readers[0], readers[1]},
                          .assemblies = {assemblies[0], assemblies[1]},
                          .borrows = true,
                          .looks = {.args = args}};
    a->looks.readers = a->readers;
    a->looks.assemblies = a->assemblies;
    a->looks.couples = &a->couples;
    if (!cli_looks_open(&a->looks))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int status = cli_match_find("best", a->assemblies, a->readers, false, true, &a->couples);
    if (status != CLI_OK || a->couples.count > 0 || assemblies[0]->count != 1 ||
        assemblies[1]->count != 1)
        return status;
    a->couples.end = 1;
    return cli_couples_add(&a->couples, (cli_couple){.target = 0})
               ? CLI_OK
               : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

int cli_assemblies_leave(const cli_assemblies *a, cli_leave_fn leave, void *user)
{
    return a->couples.is_last ? cli_match_leave(a->assemblies, &a->couples, leave, user) : CLI_OK;
}

int cli_assemblies_journal(const cli_assemblies *a, const rhomb_device_info *device,
                           const char *call, const char *more, const char *sample,
                           cli_journal **journal)
{
    const cli_pair_arguments *args = a->args;
    cli_buffer identity = {0};
    cli_journal_identify(&identity, call, device->name, a->assemblies, &a->couples, &args->part);
    cli_journal_line(&identity, "scoring", args->score.text);
    cli_journal_line(&identity, "tune", args->tune);
    cli_append_format(&identity,
                      "strand: %d\nrotate: %" PRId64 "\nblocks: %d\ncut: %d\nmax-distance: %" PRId64
                      "\nsketch: %d\n",
                      args->strand, args->rotation, (int)args->blocks, (int)args->cut,
                      args->options.max_distance, (int)args->sketch);
    cli_journal_line(
        &identity, "alphabet",
        cli_word_of((int)args->options.alphabet, cli_alphabets, CLI_COUNT(cli_alphabets)));
    cli_journal_line(&identity, "engine",
                     cli_word_of((int)args->options.engine, cli_engines, CLI_COUNT(cli_engines)));
    cli_append_text(&identity, more);
    cli_journal_line(&identity, "sample", sample);
    return cli_journal_open_pairs(journal, args->resume, &identity);
}

void cli_assemblies_release(cli_assemblies *a)
{
    cli_looks_release(&a->looks);
    for (int i = 0; i < 2 && !a->borrows; i++)
        cli_assembly_release(a->readers[i]);
    cli_couples_release(&a->couples);
}

int cli_pairs_start(cli_pairs *p, const rhomb_mode_options *how, bool plans,
                    const cli_many_hooks *hooks)
{
    cli_pool_options options =
        pool_options(p->job.args, &p->assemblies, cli_journal_pairs(p->journal));
    options.how = how;
    options.plans = plans;
    options.at_a_time = plans ? 1 : options.at_a_time;
    p->many = cli_many_start(p->job.ctx, &options, p->job.run.with_path, hooks);
    return p->many != NULL ? CLI_OK : CLI_MEMORY;
}

int cli_pairs_run(cli_pairs *p, const cli_pairs_steps *steps)
{
    int status = cli_pair_create(&p->job);
    if (status == CLI_OK)
        status = steps->open(steps->user);
    if (status == CLI_OK)
        status = read_files(&p->assemblies, &p->job);
    if (status == CLI_OK)
        status = steps->start(steps->user);
    if (status == CLI_OK)
        status = cli_assemblies_add(&p->assemblies, p->many, cli_journal_pairs(p->journal));
    if (status == CLI_OK)
        status = cli_many_finish(p->many);
    if (status == CLI_OK)
        status = steps->finish(steps->user);
    if (status != CLI_OK)
        return status;
    cli_pair_drop_resume(&p->job);
    cli_journal_drop(p->journal);
    if (!p->job.args->dry_run)
        cli_many_note_shares(p->many);
    cli_note_usage(p->job.run.device, p->job.run.start_seconds);
    return CLI_OK;
}

void cli_pairs_release(cli_pairs *p)
{
    cli_many_release(p->many);
    cli_assemblies_release(&p->assemblies);
    cli_journal_release(p->journal);
    cli_pair_release(&p->job);
}
