/* SPDX-License-Identifier: MIT */
/*
 * The work of `rhomb align`: of one pair, of its blocks, of the pairs of two assemblies, or of the
 * blocks of these. Each alignment is written when it is done, in the order of the target, and then
 * released. All outputs are opened first, so that a bad name fails before a long run. What a format
 * cannot hold is refused before it too, as far as it is known by then.
 */
#include "host/cli/align/align_arguments.h"

#include "host/cli/align/align_files.h"
#include "host/cli/command/options.h"
#include "host/cli/pair/pair_run.h"
#include "host/cli/writers/align_formats.h"

/* Pairs without an alignment that are named; the others are counted. */
enum { WORDS_MOST = 10 };

/* Everything that a run holds and has to release. */
typedef struct align_job {
    cli_align_arguments *args;
    bool is_single; /* there is one pair, aligned as a whole */
    cli_pairs pairs;
    cli_target *targets; /* all there are */
    char *stem;          /* of the queries' file, where that names the sample */
    cli_head head;
    cli_align_files files;
    bool is_late;           /* the output is written of records that are kept */
    cli_kept_records *kept; /* NULL: none are */
    cli_output unaligned;
    cli_output report;
    int64_t parts;       /* written */
    int64_t lost;        /* pairs without an alignment */
    int64_t exceeding;   /* parts of the present pair beyond the limit */
    bool lacks_blocks;   /* a pair has no collinear blocks */
    cli_joined joined;   /* of blocks that were cut */
    cli_queries queries; /* that SAM writes */
} align_job;

/* A range of a pair, without operations yet. */
static cli_path path_within(const align_job *job, const cli_pair *pair, const cli_block *r)
{
    const cli_side *target = &pair->target, *query = &pair->query;
    return (cli_path){.target_name = target->name,
                      .query_name = query->name,
                      .target = target->bases + r->target_begin,
                      .query = query->bases + r->query_begin,
                      .target_length = r->target_end - r->target_begin,
                      .query_length = r->query_end - r->query_begin,
                      .target_before = target->before + r->target_begin,
                      .target_after = target->after + target->length - r->target_end,
                      .query_before = query->before + r->query_begin,
                      .query_after = query->after + query->length - r->query_end,
                      .side = query,
                      .last_pair = pair->query_last,
                      .reverse = r->reverse,
                      .scoring = job->pairs.job.run.scoring,
                      .iupac = job->pairs.job.run.alphabet == RHOMB_ALPHABET_IUPAC,
                      .cigar_m = job->args->cigar_m,
                      .md = job->args->md,
                      .atomize = job->args->atomize,
                      .least_identity = job->args->least_identity};
}

static cli_path path_of(const align_job *job, const cli_part *part)
{
    const rhomb_local_report *local = rhomb_alignment_local(part->task.alignment);
    cli_path path = path_within(job, part->pair, &part->range);
    path.query = part->task.query;
    path.rotation = part->rotation;
    path.block = part->block;
    path.ops = rhomb_alignment_path(part->task.alignment, &path.count);
    if (local != NULL)
        cli_path_take_parts(&path, local->extent);
    return path;
}

/* Whether the head of a file has the targets' digests. */
static bool has_digest(const align_job *job)
{
    return cli_align_has_bases(job->args->format) || job->args->format == CLI_ALIGN_VCF;
}

static int end_target(align_job *job)
{
    return job->is_late ? CLI_OK : cli_align_files_end_target(&job->files);
}

/* Writes a query that has no alignment. */
static int add_lost_query(align_job *job, const cli_side *query)
{
    const int status = job->is_late ? CLI_OK : cli_align_files_add_unaligned(&job->files, query);
    return status == CLI_OK && job->kept != NULL
               ? cli_align_files_add_unaligned(&job->kept->files, query)
               : status;
}

static int write_part(align_job *job, const cli_part *part, const cli_path *path)
{
    int status = cli_align_files_check(&job->files, path);
    if (status == CLI_OK && job->args->format == CLI_ALIGN_JSON)
        cli_write_alignment(&job->files.sink, path, part, job->parts == 0);
    if (status == CLI_OK && !job->is_late)
        status = cli_align_files_add(&job->files, path);
    if (status == CLI_OK && job->kept != NULL)
        status = cli_align_files_add(&job->kept->files, path);
    job->parts++;
    return status;
}

/* Keeps a segment of a block that was cut, and writes the block once it has all of them. */
static int join_segment(align_job *job, const cli_part *part)
{
    cli_part whole;
    const int status = cli_joined_add(&job->joined, part, &whole);
    if (status != CLI_OK || part->range.goes_on)
        return status;
    cli_path path = path_of(job, &whole);
    path.ops = (const rhomb_path_op *)(const void *)job->joined.ops.data;
    path.count = (int64_t)(job->joined.ops.length / sizeof *path.ops);
    path.segments = job->joined.segments;
    const int written = write_part(job, &whole, &path);
    cli_joined_empty(&job->joined);
    return written;
}

/* Of a whole record; NULL for a part. */
static const char *target_md5(const rhomb_sequence *target)
{
    return rhomb_sequence_length(target) == rhomb_sequence_record_length(target)
               ? rhomb_sequence_md5(target)
               : NULL;
}

/* Begins the output, once there is an alignment, writes it, and puts it in its place. */
static int write_single(align_job *job, const cli_path *path, bool is_found,
                        const rhomb_align_report *report)
{
    const rhomb_sequence *target = job->pairs.job.run.target;
    cli_pair_join(&job->pairs.job);
    if (job->pairs.job.needs_digests)
        job->targets[0].md5 = target_md5(target);
    job->head.has_path = is_found;
    int status = cli_align_files_begin(&job->files, &job->head);
    if (status == CLI_OK && job->args->format == CLI_ALIGN_JSON)
        cli_write_align_json(&job->files.sink, &job->pairs.job.run, report, is_found ? path : NULL);
    if (status == CLI_OK && is_found)
        status = cli_align_files_add(&job->files, path);
    if (status == CLI_OK && !is_found && cli_align_has_bases(job->args->format))
        status = cli_align_files_add_unaligned(&job->files, path->side);
    return status == CLI_OK ? cli_align_files_commit(&job->files) : status;
}

/* Of cli_many_hooks: the only pair, of which all that is known is reported. */
static int on_single(const cli_part *part, void *user)
{
    align_job *job = user;
    cli_run *run = &job->pairs.job.run;
    const rhomb_align_report *report = rhomb_alignment_report(part->task.alignment);
    const bool exceeds = report->whole->exceeds_max_distance;
    const cli_path path = path_of(job, part);
    job->queries.present = &part->pair->query;
    run->local = rhomb_alignment_local(part->task.alignment);
    run->mode = job->args->how.mode;
    if (run->local != NULL)
        cli_note_empty(path.count == 0, 1, path.scoring, run->mode, &job->args->how.free_ends);
    cli_pair_solved(&job->pairs.job, report->whole);
    if (exceeds)
        cli_note(0, "the distance is larger than %" PRId64 ": there is no alignment",
                 report->whole->max_distance);
    int status = cli_align_files_check(&job->files, &path);
    const double start = cli_seconds_now();
    cli_text written;
    if (status == CLI_OK)
        status =
            write_single(job, &path, !exceeds && (run->local == NULL || path.count > 0), report);
    if (status != CLI_OK)
        return status;
    cli_report_details(run, report->whole, report);
    cli_note(1, "written in %s", cli_show_seconds(cli_seconds_now() - start, &written));
    if (job->args->report == NULL)
        return CLI_OK;
    if (!cli_align_json(job->report.stream, run, report))
        return CLI_MEMORY;
    return cli_output_commit(&job->report) ? CLI_OK : CLI_FAILED;
}

static int on_part(const cli_part *part, void *user)
{
    align_job *job = user;
    if (cli_part_report(part)->exceeds_max_distance) {
        job->exceeding++;
        return CLI_OK;
    }
    if (part->range.goes_on || job->joined.segments > 0)
        return join_segment(job, part);
    const cli_path path = path_of(job, part);
    return write_part(job, part, &path);
}

/*
 * The first output, or the second one that a journal keeps: of SAM records that may wait for
 * others, and of VCF that is written late what it is written of.
 */
static cli_sink *sink_of(align_job *job, int output)
{
    const bool is_sam = cli_align_has_bases(job->args->format);
    cli_sink *kept = job->kept != NULL ? &job->kept->files.sink : NULL;
    if (output == 0 && !job->is_late)
        return is_sam ? &job->files.records : &job->files.sink;
    return kept != NULL && (output == 0 || !job->is_late) ? kept : &job->files.callable_sink;
}

/* What a journal keeps of the parts so far: what chains are numbered by, JSON's commas, notes. */
static int64_t *counted(align_job *job)
{
    const int format = job->args->format;
    return format == CLI_ALIGN_CHAIN                  ? &job->files.chains
           : format == CLI_ALIGN_VCF && !job->is_late ? &job->files.symbolic
                                                      : &job->parts;
}

/* Says why a pair has no alignment, and once what there is besides blocks. */
static void note_lost(align_job *job, const cli_pair *pair)
{
    char why[80] = "no collinear blocks were found";
    if (pair->target.length < CLI_RELATION_BASES_LEAST ||
        pair->query.length < CLI_RELATION_BASES_LEAST)
        snprintf(why, sizeof why, "blocks are looked for in records of %d bases and more",
                 CLI_RELATION_BASES_LEAST);
    if (job->exceeding > 0)
        snprintf(why, sizeof why, "the distance%s is larger than %" PRId64,
                 job->args->pair.blocks ? " of each block" : "",
                 job->args->pair.options.max_distance);
    if (job->lost++ < WORDS_MOST)
        cli_note(0, "no alignment of %s and %s: %s", pair->target.name, pair->query.name, why);
    if (job->exceeding == 0 && !job->lacks_blocks)
        cli_note(0, "without --blocks any two sequences are aligned from end to end");
    job->lacks_blocks = job->lacks_blocks || job->exceeding == 0;
}

static int on_pair(const cli_pair *pair, int64_t aligned, void *user)
{
    align_job *job = user;
    const cli_side *query = &pair->query;
    int status = CLI_OK;
    job->queries.present = query;
    job->files.pairs = pair->number + 1;
    if (aligned == 0)
        note_lost(job, pair);
    job->exceeding = 0;
    const bool is_lost = aligned == 0 && !pair->query_comes_again &&
                         !(pair->query_came_before &&
                           cli_unaligned_holds(cli_many_unaligned(job->pairs.many), query->name));
    if (is_lost && job->args->pair.match != NULL && cli_align_has_bases(job->args->format))
        cli_unaligned_hold(cli_many_unaligned(job->pairs.many), query->name, -1, -1);
    else if (is_lost)
        status = add_lost_query(job, query);
    if (status == CLI_OK && pair->is_last)
        status = end_target(job);
    job->queries.present = NULL;
    if (status != CLI_OK || job->pairs.journal == NULL || !pair->is_last)
        return status;
    for (int i = 0; i < 2; i++)
        cli_sink_show(sink_of(job, i));
    const int64_t counts[CLI_JOURNAL_COUNTS] = {*counted(job), job->files.overlapping};
    return cli_journal_mark(job->pairs.journal, pair->number + 1,
                            cli_many_unaligned(job->pairs.many), counts);
}

/* Writes a query that has no alignment, when all alignments are written. */
static int add_unaligned(align_job *job, const cli_record *record)
{
    const cli_side bare = {.name = record->name, .length = record->length};
    if (!cli_align_has_bases(job->args->format))
        return add_lost_query(job, &bare);
    const cli_side *query = NULL;
    const int status = cli_queries_read(record->name, &query, &job->queries);
    return status == CLI_OK ? add_lost_query(job, query) : status;
}

/* SAM is sorted by coordinate, so that queries whose pairs have no alignment come after others. */
static int add_lost(align_job *job)
{
    const cli_unaligned *u = cli_many_unaligned(job->pairs.many);
    int status = CLI_OK;
    for (size_t i = 0; i < cli_unaligned_held_count(u) && status == CLI_OK; i++) {
        const cli_rest *held = cli_unaligned_held(u, i);
        if (held->begin >= 0)
            continue;
        const cli_side *query = NULL;
        status = cli_queries_read(u->names.data + held->name, &query, &job->queries);
        if (status == CLI_OK)
            status = cli_align_files_add_unaligned(&job->files, query);
    }
    return status;
}

/* For cli_assemblies_leave(). */
static int on_left(int side, const cli_record *record, void *user)
{
    align_job *job = user;
    cli_unaligned_add(cli_many_unaligned(job->pairs.many), side, record->name, 0, record->length);
    return side == 0 ? CLI_OK : add_unaligned(job, record);
}

/* Whether each target has one query, so that records are in the order of the targets. */
static bool is_sorted(const cli_couples *couples)
{
    size_t i = 1;
    while (i < couples->count && couples->list[i].target != couples->list[i - 1].target)
        i++;
    return i >= couples->count;
}

/* All records of the targets' file, or the one that was read. */
static int list_targets(align_job *job)
{
    const rhomb_sequence *target = job->pairs.job.run.target;
    const cli_assembly *all = job->pairs.assemblies.assemblies[0];
    const size_t count = target != NULL ? 1 : all->count;
    job->targets = calloc(count > 0 ? count : 1, sizeof *job->targets);
    if (job->targets == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (size_t i = 0; target == NULL && i < count; i++)
        job->targets[i] = (cli_target){all->records[i].name, all->records[i].length,
                                       all->records[i].md5[0] != '\0' ? all->records[i].md5 : NULL};
    if (target != NULL)
        job->targets[0] =
            (cli_target){rhomb_sequence_record(target), rhomb_sequence_record_length(target),
                         job->is_single ? NULL : target_md5(target)};
    job->head.targets = job->targets;
    job->head.target_count = count;
    return CLI_OK;
}

/* Why not everything of both files is in the output; NULL if it is. */
static const char *left_out(const align_job *job)
{
    const cli_assemblies *a = &job->pairs.assemblies;
    if (job->args->pair.options.alphabet == RHOMB_ALPHABET_IUPAC)
        return "where an IUPAC code matches, it has the target's bases";
    if (job->args->pair.blocks)
        return "only collinear blocks are aligned";
    if (job->args->diploid != NULL && job->args->pair.options.max_distance != RHOMB_NO_LIMIT)
        return "pairs beyond --max-distance are left out";
    if (job->args->pair.match == NULL)
        return NULL;
    if (!is_sorted(&a->couples))
        return "a target has several queries";
    if (job->args->pair.options.max_distance != RHOMB_NO_LIMIT)
        return "pairs beyond --max-distance are left out";
    if (a->couples.count != a->assemblies[0]->count || a->couples.count != a->assemblies[1]->count)
        return "records without a partner are left out";
    return NULL;
}

/* The name of a sample: that of the query's only record, or of its file. NULL without memory. */
static const char *sample_name(align_job *job)
{
    const cli_diploid *diploid = job->args->diploid;
    if (job->args->sample != NULL)
        return job->args->sample;
    if (diploid != NULL && diploid->sample != NULL)
        return diploid->sample;
    if (job->pairs.job.run.query != NULL)
        return rhomb_sequence_record(job->pairs.job.run.query);
    job->stem = cli_stem(job->args->pair.query_path);
    return job->stem;
}

static int set_head(align_job *job)
{
    const cli_pair_arguments *pair = &job->args->pair;
    const cli_run *run = &job->pairs.job.run;
    job->head = (cli_head){.target_file = pair->target_path,
                           .sample = sample_name(job),
                           .reverse = pair->strand == CLI_STRAND_REVERSE || run->reverse,
                           .rotation = pair->rotation > 0 ? pair->rotation : run->rotation,
                           .max_allele = job->args->max_allele,
                           .least_identity = job->args->least_identity,
                           .has_path = true,
                           .has_events = job->is_late && job->args->diploid == NULL,
                           .is_diploid = job->args->diploid != NULL,
                           .is_sorted = is_sorted(&job->pairs.assemblies.couples),
                           .left_out = left_out(job),
                           .argc = run->argc,
                           .argv = run->argv};
    return job->head.sample != NULL ? list_targets(job) : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

static void note_rest(const cli_unaligned *u, bool is_listed)
{
    if (u->segments[0] + u->segments[1] > 0)
        cli_note(0, "in no alignment: %" PRId64 " base%s of the target, %" PRId64 " of the query%s",
                 u->bases[0], cli_s(u->bases[0]), u->bases[1],
                 is_listed ? "" : "; --unaligned FILE lists them");
}

/* Compares the records, and writes what is made of them. */
static int use_records(align_job *job)
{
    const cli_run *run = &job->pairs.job.run;
    if (job->args->diploid != NULL)
        return cli_diploid_take(job->args->diploid, &job->head, &job->files);
    const char *const only[2] = {run->target != NULL ? rhomb_sequence_record(run->target) : NULL,
                                 run->query != NULL ? rhomb_sequence_record(run->query) : NULL};
    return cli_kept_records_use(job->kept, only, &job->head, &job->files);
}

static int write_end(align_job *job)
{
    const bool is_of_compare = job->args->compared != NULL; /* which says the rest in its way */
    const cli_unaligned *u = cli_many_unaligned(job->pairs.many);
    if (u->rests.failed || u->held.failed || u->names.failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (job->args->format == CLI_ALIGN_JSON)
        cli_write_alignments_end(&job->files.sink, job->pairs.many);
    int status = job->kept != NULL ? use_records(job) : CLI_OK;
    if (is_of_compare) {
        job->files.left_out = NULL;
        job->files.events = 0;
    }
    if (status == CLI_OK && job->args->diploid == NULL)
        status = cli_align_files_commit(&job->files);
    if (status == CLI_OK && job->kept != NULL)
        status = cli_kept_records_commit(job->kept);
    if (status != CLI_OK)
        return status;
    if (job->lost > WORDS_MOST)
        cli_note(0, "no alignment of %" PRId64 " more pair%s", job->lost - WORDS_MOST,
                 cli_s(job->lost - WORDS_MOST));
    if (!is_of_compare)
        note_rest(u, job->args->unaligned != NULL || job->args->diploid != NULL ||
                         job->args->format == CLI_ALIGN_JSON);
    if (job->args->unaligned == NULL)
        return CLI_OK;
    cli_write_unaligned(job->unaligned.stream, u);
    return cli_output_commit(&job->unaligned) ? CLI_OK : CLI_FAILED;
}

/* What of the options decides the records of the output. */
static int open_journal(align_job *job)
{
    const cli_align_arguments *args = job->args;
    char text[400];
    snprintf(text, sizeof text,
             "format: %s\nsplit: %" PRId64 "\nchunk: %" PRId64 "\nsimilar-only: %d\ncs: %d\n"
             "cigar-m: %d\nmd: %d\natomize: %d\nfrom-query: %d\nmax-allele: %" PRId64
             "\nmin-identity: %g\n"
             "callable: %d\nrecords: %d\n",
             cli_word_of(args->format, cli_align_formats, CLI_COUNT(cli_align_formats)),
             args->cuts.split, args->cuts.chunk, (int)args->cuts.similar_only, (int)args->cs,
             (int)args->cigar_m, (int)args->md, (int)args->atomize, (int)args->from_query,
             args->max_allele, args->least_identity, args->callable != NULL, job->kept != NULL);
    return cli_assemblies_journal(&job->pairs.assemblies, job->pairs.job.run.device,
                                  "align --match", text, job->head.sample, &job->pairs.journal);
}

/* Whether it is the second haplotype, whose output is open. */
static bool is_second(const align_job *job)
{
    return job->args->diploid != NULL && job->args->diploid->done > 0;
}

/* Of cli_pairs_steps. */
static int open_outputs(void *user)
{
    align_job *job = user;
    const cli_align_arguments *args = job->args;
    int status = is_second(job) ? CLI_OK : cli_align_files_open(&job->files, args);
    if (is_second(job)) {
        job->files = args->diploid->files;
        args->diploid->files = (cli_align_files){0};
    }
    job->queries.from = &job->pairs.assemblies;
    job->files.read = cli_queries_read;
    job->files.user = &job->queries;
    if (status == CLI_OK && job->kept != NULL)
        status = cli_kept_records_open(job->kept, args, &job->files.output);
    const bool opened =
        status == CLI_OK &&
        (args->unaligned == NULL || cli_output_open(&job->unaligned, args->unaligned)) &&
        (args->report == NULL || cli_output_open(&job->report, args->report));
    return status != CLI_OK || opened ? status : CLI_FAILED;
}

/* A cli_journal_take: text that an earlier run has written. */
static int repeat(int output, const char *text, size_t length, void *user)
{
    align_job *job = user;
    cli_append_bytes(&sink_of(job, output)->text, text, length);
    const int status = job->is_late ? CLI_OK : cli_align_files_spill(&job->files);
    return status == CLI_OK && job->kept != NULL ? cli_align_files_spill(&job->kept->files)
                                                 : status;
}

/* Writes what an earlier run has left, and keeps what comes from now on. */
static int go_on(align_job *job)
{
    cli_journal *journal = job->pairs.journal;
    const int status =
        cli_journal_repeat(journal, cli_many_unaligned(job->pairs.many), repeat, job);
    if (cli_align_has_bases(job->args->format))
        job->files.last_pair = cli_sam_last_pair(&job->files.records.text);
    *counted(job) = cli_journal_counted(journal)[0];
    job->files.overlapping = cli_journal_counted(journal)[1];
    cli_sink_set_copy(sink_of(job, 0), cli_journal_first, journal);
    cli_sink_set_copy(sink_of(job, 1), cli_journal_second, journal);
    return status;
}

/* Begins the output, with that of an earlier run. */
static int begin_output(align_job *job)
{
    int status = job->is_late ? CLI_OK : cli_align_files_begin(&job->files, &job->head);
    if (status == CLI_OK && job->kept != NULL)
        status = cli_align_files_begin(&job->kept->files, &job->head);
    if (status == CLI_OK && job->args->format == CLI_ALIGN_JSON)
        cli_write_alignments_begin(&job->files.sink, &job->pairs.job.run);
    return status == CLI_OK && job->pairs.journal != NULL ? go_on(job) : status;
}

/* Refuses what the format cannot hold of the only pair. */
static int check_single(const align_job *job)
{
    const cli_pair pair = cli_pair_read(&job->pairs.job);
    const cli_block whole = {.target_end = pair.target.length, .query_end = pair.query.length};
    const cli_path path = path_within(job, &pair, &whole);
    return cli_align_files_check(&job->files, &path);
}

static int start(void *user)
{
    align_job *job = user;
    const cli_pair_arguments *pair = &job->args->pair;
    const cli_many_hooks single = {.part = on_single, .user = job};
    const cli_many_hooks several = {.part = on_part, .pair = on_pair, .user = job};
    int status = set_head(job);
    if (status == CLI_OK && pair->match != NULL && pair->resume != NULL)
        status = open_journal(job);
    if (status == CLI_OK)
        status = is_second(job) ? CLI_OK : cli_align_files_prepare(&job->files, &job->head);
    if (status == CLI_OK && job->is_single)
        status = check_single(job);
    if (status == CLI_OK)
        status = cli_pairs_start(&job->pairs, &job->args->how, false,
                                 job->is_single ? &single : &several);
    return status == CLI_OK && !job->is_single ? begin_output(job) : status;
}

static int finish(void *user)
{
    align_job *job = user;
    int status = CLI_OK;
    job->files.pairs = INT64_MAX; /* all records go before the queries that have none */
    if (!job->is_single)
        status = end_target(job);
    if (status == CLI_OK && job->args->pair.match != NULL)
        status = add_lost(job);
    if (status == CLI_OK)
        status = cli_assemblies_leave(&job->pairs.assemblies, on_left, job);
    return status == CLI_OK && !job->is_single ? write_end(job) : status;
}

int cli_align_run(cli_align_arguments *args, int argc, char **argv)
{
    cli_kept_records kept = {0};
    align_job job = {.args = args,
                     .is_single = args->pair.match == NULL && !args->pair.blocks && !args->diploid,
                     .is_late = cli_records_come_first(args),
                     .kept = cli_records_are_kept(args) ? &kept : NULL};
    if (args->diploid != NULL)
        job.kept = &args->diploid->kept[args->diploid->done];
    const cli_pairs_steps steps = {open_outputs, start, finish, &job};
    job.pairs.job = cli_pair_start(&args->pair, argc, argv);
    job.pairs.job.run.with_path = true;
    job.pairs.job.needs_digests = job.is_single && (args->report != NULL || has_digest(&job) ||
                                                    args->format == CLI_ALIGN_JSON);
    job.pairs.assemblies.target_md5 = has_digest(&job);
    const int status = cli_pairs_run(&job.pairs, &steps);
    cli_pairs_release(&job.pairs);
    cli_output_close(&job.unaligned);
    cli_output_close(&job.report);
    cli_align_files_close(&job.files);
    cli_kept_records_close(&kept);
    cli_joined_release(&job.joined);
    cli_queries_release(&job.queries);
    free(job.targets);
    free(job.stem);
    return status;
}
