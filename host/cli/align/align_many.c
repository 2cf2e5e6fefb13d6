/* SPDX-License-Identifier: MIT */
/*
 * Many alignments in one output, see align_many.h: of blocks, of the pairs of two assemblies, or of
 * the blocks of these. Each is written when it is done, in the order of the target, and then
 * released.
 */
#include "host/cli/align/align_many.h"

#include "host/cli/align/align_formats.h"
#include "host/cli/many/many.h"
#include "host/cli/pair/assemblies.h"
#include "host/cli/pair/pair_run.h"
#include "host/cli/sketch/extend.h"

#include <cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a run holds and has to release. */
typedef struct many_job {
    cli_align_arguments *args;
    cli_pair_job pair;
    cli_assemblies assemblies; /* with --match; else the job's pair is read */
    cli_journal *journal;      /* with --resume */
    cli_many *many;
    cli_output output;
    cli_output unaligned;
    cli_sink sink;
    bool has_primary; /* SAM: the query has a record */
    int64_t parts;    /* written */
} many_job;

static cli_path path_of(const many_job *job, const cli_part *part)
{
    const cli_side *target = &part->pair->target, *query = &part->pair->query;
    const cli_block *r = &part->range;
    cli_path path = {.target_name = target->name,
                     .query_name = query->name,
                     .target = part->task.target,
                     .query = part->task.query,
                     .target_length = part->task.target_length,
                     .query_length = part->task.query_length,
                     .target_before = target->before + r->target_begin,
                     .target_after = target->after + target->length - r->target_end,
                     .query_before = query->before + r->query_begin,
                     .query_after = query->after + query->length - r->query_end,
                     .reverse = r->reverse,
                     .rotation = part->rotation,
                     .scoring = job->pair.run.scoring,
                     .cigar_m = job->args->cigar_m,
                     .md = job->args->md};
    path.ops = rhomb_alignment_path(part->task.alignment, &path.count);
    return path;
}

static int refuse_sam(const char *why)
{
    cli_error("--format sam: %s", why);
    cli_say("the other formats have no such limits");
    return CLI_FAILED;
}

static void append_json_side(cli_buffer *out, const char *side, const char *name, int64_t length,
                             int64_t begin, int64_t end)
{
    const struct {
        const char *what;
        int64_t value;
    } numbers[] = {{"_length\":", length}, {"_begin\":", begin}, {"_end\":", end}};
    cli_append_text(out, ",\"");
    cli_append_text(out, side);
    cli_append_text(out, "\":");
    char *at = cli_buffer_room(out, 6 * strlen(name) + 2);
    if (at != NULL)
        cli_buffer_taken(out, cli_put_string(at, name));
    for (int i = 0; i < 3; i++) {
        cli_append_text(out, ",\"");
        cli_append_text(out, side);
        cli_append_text(out, numbers[i].what);
        cli_append_number(out, numbers[i].value);
    }
}

static void append_signed(cli_buffer *out, int64_t number)
{
    cli_append_text(out, number < 0 ? "-" : "");
    cli_append_number(out, number < 0 ? -number : number);
}

/* An alignment as a member of the array. */
static void write_json_part(many_job *job, const cli_path *path, const cli_part *part)
{
    cli_buffer *out = &job->sink.text;
    const rhomb_report *report = cli_part_report(part);
    const cli_side *target = &part->pair->target, *query = &part->pair->query;
    cli_append_text(out, job->parts > 0 ? ",\n\t\t{\"strand\":\"" : "\n\t\t{\"strand\":\"");
    cli_append_text(out, path->reverse ? "-\"" : "+\"");
    append_json_side(out, "target", target->name, cli_path_target_record(path), path->target_before,
                     path->target_before + path->target_length);
    append_json_side(out, "query", query->name, cli_path_query_record(path), path->query_before,
                     path->query_before + path->query_length);
    cli_append_text(out, ",\"rotation\":");
    cli_append_number(out, part->rotation);
    cli_append_text(out, ",\"distance\":");
    cli_append_number(out, report->distance);
    cli_append_text(out, ",\"score\":");
    if (report->has_score)
        append_signed(out, report->score);
    else
        cli_append_text(out, "null");
    cli_append_text(out, ",\"operations\":");
    cli_write_operations(&job->sink, path);
    cli_append_text(out, "}");
}

/* The report's first members, with an array begun in which the alignments come. */
static int write_json_head(many_job *job)
{
    char *text = cli_many_json_text(&job->pair.run, "rhomb.alignments.1");
    if (text == NULL)
        return CLI_MEMORY;
    cli_append_bytes(&job->sink.text, text, strlen(text) - strlen("\n}"));
    cJSON_free(text);
    cli_append_text(&job->sink.text, ",\n\t\"alignments\":\t[");
    return CLI_OK;
}

static void write_json_rest(many_job *job)
{
    const cli_unaligned *u = cli_many_unaligned(job->many);
    cli_buffer *out = &job->sink.text;
    cli_append_text(out, "],\n\t\"unaligned\":\t[");
    for (size_t i = 0; i < cli_unaligned_count(u) && cli_sink_spill(&job->sink); i++) {
        const cli_rest *rest = cli_unaligned_rest(u, i);
        const char *name = u->names.data + rest->name;
        cli_append_text(out, i > 0 ? ",\n\t\t{\"name\":" : "\n\t\t{\"name\":");
        char *at = cli_buffer_room(out, 6 * strlen(name) + 2);
        if (at != NULL)
            cli_buffer_taken(out, cli_put_string(at, name));
        cli_append_text(out, ",\"begin\":");
        cli_append_number(out, rest->begin);
        cli_append_text(out, ",\"end\":");
        cli_append_number(out, rest->end);
        cli_append_text(out, rest->side == 0 ? ",\"of\":\"target\"}" : ",\"of\":\"query\"}");
    }
    cli_append_text(out, "]\n}\n");
}

/* A file of what is in no alignment: BED, with the side as the name. */
static void write_bed(FILE *stream, const cli_unaligned *u)
{
    cli_sink sink;
    cli_sink_open(&sink, stream, 0);
    for (size_t i = 0; i < cli_unaligned_count(u) && cli_sink_spill(&sink); i++) {
        const cli_rest *rest = cli_unaligned_rest(u, i);
        cli_append_field(&sink.text, u->names.data + rest->name);
        cli_append_text(&sink.text, "\t");
        cli_append_number(&sink.text, rest->begin);
        cli_append_text(&sink.text, "\t");
        cli_append_number(&sink.text, rest->end);
        cli_append_text(&sink.text, rest->side == 0 ? "\ttarget\n" : "\tquery\n");
    }
    cli_sink_close(&sink);
}

/* Whether everything so far could be written; else the exit status. */
static int check_sink(const many_job *job)
{
    if (job->sink.code == 0)
        return CLI_OK;
    return job->sink.code == ENOMEM ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                                    : cli_output_fail(&job->output, job->sink.code);
}

static int write_sam_part(many_job *job, const cli_path *path)
{
    char why[320];
    if (cli_sam_lacks_sequences(path, why, sizeof why) || cli_sam_lacks_path(path, why, sizeof why))
        return refuse_sam(why);
    cli_write_sam(&job->sink, path, job->has_primary);
    job->has_primary = true;
    return CLI_OK;
}

static int on_part(const cli_part *part, void *user)
{
    many_job *job = user;
    const cli_align_arguments *args = job->args;
    int status = CLI_OK;
    if (cli_part_report(part)->exceeds_max_distance)
        return CLI_OK;
    const cli_path path = path_of(job, part);
    switch ((cli_align_format)args->format) {
    case CLI_ALIGN_PAF:
        cli_write_paf(&job->sink, &path, &args->cuts, args->cs);
        break;
    case CLI_ALIGN_SAM:
        status = write_sam_part(job, &path);
        break;
    case CLI_ALIGN_TSV:
        cli_write_differences(&job->sink, &path, true);
        break;
    case CLI_ALIGN_JSON:
        write_json_part(job, &path, part);
        break;
    default: /* the others are refused */
        break;
    }
    job->parts++;
    cli_sink_spill(&job->sink);
    return status == CLI_OK ? check_sink(job) : status;
}

static void write_unaligned(many_job *job, const char *name, int64_t length, const char *bases)
{
    if (job->args->format == CLI_ALIGN_PAF)
        cli_write_paf_unaligned(&job->sink, name, length);
    else if (job->args->format == CLI_ALIGN_SAM)
        cli_write_sam_unaligned(&job->sink, name, bases, length);
}

static int on_pair(const cli_pair *pair, int64_t aligned, void *user)
{
    many_job *job = user;
    const cli_side *query = &pair->query;
    job->has_primary = false;
    if (aligned == 0) {
        cli_note(0, "no alignment of %s and %s", pair->target.name, query->name);
        /* The bases of a region are all that is known of its record. */
        const bool is_sam = job->args->format == CLI_ALIGN_SAM;
        write_unaligned(job, query->name,
                        query->length + (is_sam ? 0 : query->before + query->after), query->bases);
    }
    if (job->args->pair.match != NULL)
        cli_assemblies_show(&job->assemblies, pair->number + 1);
    if (job->journal != NULL && pair->is_last && cli_sink_settle(&job->sink))
        return cli_journal_mark(job->journal, pair->number + 1, cli_many_unaligned(job->many),
                                job->parts);
    return check_sink(job);
}

/* For cli_assemblies_leave(). */
static int on_left(int side, const cli_record *record, void *user)
{
    many_job *job = user;
    const char *bases = NULL;
    rhomb_sequence *owned = NULL;
    int status = CLI_OK;
    cli_unaligned_add(cli_many_unaligned(job->many), side, record->name, 0, record->length);
    if (side == 0)
        return CLI_OK;
    if (job->args->format == CLI_ALIGN_SAM)
        status = cli_assembly_bases(job->assemblies.readers[1],
                                    (size_t)(record - job->assemblies.assemblies[1]->records),
                                    &bases, &owned);
    if (status == CLI_OK)
        write_unaligned(job, record->name, record->length, bases);
    rhomb_sequence_destroy(owned);
    return status == CLI_OK ? check_sink(job) : status;
}

/* Of a whole record; NULL for a part. */
static const char *target_md5(const rhomb_sequence *target)
{
    return rhomb_sequence_length(target) == rhomb_sequence_record_length(target)
               ? rhomb_sequence_md5(target)
               : NULL;
}

static void write_sam_targets(many_job *job)
{
    const rhomb_sequence *target = job->pair.run.target;
    const cli_assembly *all = job->assemblies.assemblies[0];
    if (target != NULL)
        cli_write_sam_target(&job->sink, rhomb_sequence_record(target),
                             rhomb_sequence_record_length(target), target_md5(target));
    for (size_t i = 0; all != NULL && i < all->count && cli_sink_spill(&job->sink); i++)
        cli_write_sam_target(&job->sink, all->records[i].name, all->records[i].length, NULL);
}

/* Whether each target has one query, so that records are in the order of the targets. */
static bool is_sorted(const cli_couples *couples)
{
    size_t i = 1;
    while (i < couples->count && couples->list[i].target != couples->list[i - 1].target)
        i++;
    return i >= couples->count;
}

static int write_head(many_job *job)
{
    const cli_run *run = &job->pair.run;
    const cli_sam_head head = {.argc = run->argc, .argv = run->argv};
    switch ((cli_align_format)job->args->format) {
    case CLI_ALIGN_SAM:
        cli_write_sam_first(&job->sink, is_sorted(&job->assemblies.couples));
        write_sam_targets(job);
        cli_write_sam_program(&job->sink, &head);
        return CLI_OK;
    case CLI_ALIGN_TSV:
        if (job->args->header)
            cli_write_differences_head(&job->sink, true);
        return CLI_OK;
    case CLI_ALIGN_JSON:
        return write_json_head(job);
    default:
        return CLI_OK;
    }
}

static cli_side side_of(const rhomb_sequence *sequence)
{
    const int64_t before = rhomb_sequence_record_begin(sequence);
    const int64_t length = rhomb_sequence_length(sequence);
    return (cli_side){.name = rhomb_sequence_record(sequence),
                      .bases = rhomb_sequence_bases(sequence),
                      .length = length,
                      .before = before,
                      .after = rhomb_sequence_record_length(sequence) - before - length};
}

/* Finds the blocks of the pair that was read, and adds them. */
static int add_blocks(many_job *job)
{
    const cli_run *run = &job->pair.run;
    const cli_pair pair = {
        .target = side_of(run->target), .query = side_of(run->query), .is_last = true};
    const cli_two two = {pair.target.bases, pair.target.length, pair.query.bases,
                         pair.query.length};
    const cli_relation *found = cli_look_relation(job->pair.look);
    if (found == NULL || !cli_blocks_extend(&two, found->blocks, found->count))
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    cli_note(0, "%zu collinear block%s, %zu inverted", found->count, found->count == 1 ? "" : "s",
             found->inverted);
    return cli_many_add_blocks(job->many, &pair, found->blocks, found->count);
}

static void note_rest(const cli_unaligned *u, bool is_listed)
{
    if (u->pieces[0] + u->pieces[1] > 0)
        cli_note(0, "in no alignment: %" PRId64 " bases of the target, %" PRId64 " of the query%s",
                 u->bases[0], u->bases[1], is_listed ? "" : "; --unaligned FILE lists them");
}

static int finish(many_job *job)
{
    const cli_unaligned *u = cli_many_unaligned(job->many);
    if (u->rests.failed || u->names.failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (job->args->format == CLI_ALIGN_JSON)
        write_json_rest(job);
    const int code = cli_sink_close(&job->sink);
    if (code != 0)
        return code == ENOMEM ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                              : cli_output_fail(&job->output, code);
    if (!cli_output_commit(&job->output))
        return CLI_FAILED;
    note_rest(u, job->args->unaligned != NULL || job->args->format == CLI_ALIGN_JSON);
    if (job->args->unaligned == NULL)
        return CLI_OK;
    write_bed(job->unaligned.stream, u);
    return cli_output_commit(&job->unaligned) ? CLI_OK : CLI_FAILED;
}

/* What of the options decides the bytes of the output. */
static uint64_t key_of(const many_job *job)
{
    const cli_align_arguments *args = job->args;
    char text[160];
    snprintf(text, sizeof text, "align %d %" PRId64 " %" PRId64 " %d %d %d", args->format,
             args->cuts.split, args->cuts.chunk, (int)args->cs, (int)args->header,
             (int)args->compress);
    return cli_assemblies_key(&job->assemblies, job->pair.run.device, text);
}

static int open_outputs(many_job *job)
{
    const cli_align_arguments *args = job->args;
    if (!args->pair.resume && !cli_output_open(&job->output, args->pair.output))
        return CLI_FAILED;
    return args->unaligned == NULL || cli_output_open(&job->unaligned, args->unaligned)
               ? CLI_OK
               : CLI_FAILED;
}

static int start(many_job *job)
{
    const cli_align_arguments *args = job->args;
    const cli_pair_arguments *pair = &args->pair;
    const cli_many_hooks hooks = {.part = on_part, .pair = on_pair, .user = job};
    const cli_pool_options options = cli_pair_pool(pair);
    if (pair->resume) {
        const int status = cli_journal_open(&job->journal, pair->output, key_of(job), &job->output);
        if (status != CLI_OK)
            return status;
    }
    cli_sink_open(&job->sink, job->output.stream,
                  args->compress ? cli_threads_meant(pair->threads) : 0);
    job->many = cli_many_start(job->pair.ctx, &options, true, &hooks);
    if (job->many == NULL)
        return CLI_MEMORY;
    if (job->journal == NULL || cli_journal_pairs(job->journal) == 0)
        return write_head(job);
    cli_note(0, "%" PRId64 " pairs are complete already", cli_journal_pairs(job->journal));
    cli_journal_rests(job->journal, cli_many_unaligned(job->many));
    job->parts = cli_journal_counted(job->journal);
    return CLI_OK;
}

/* Adds all there is to do, and waits for it. */
static int solve(many_job *job)
{
    const int64_t first = job->journal != NULL ? cli_journal_pairs(job->journal) : 0;
    const bool has_assemblies = job->args->pair.match != NULL;
    int status =
        has_assemblies ? cli_assemblies_add(&job->assemblies, job->many, first) : add_blocks(job);
    if (status == CLI_OK)
        status = cli_many_finish(job->many);
    if (status == CLI_OK && has_assemblies)
        status = cli_assemblies_leave(&job->assemblies, on_left, job);
    return status;
}

static int work(many_job *job)
{
    int status = cli_pair_create(&job->pair);
    if (status == CLI_OK)
        status = open_outputs(job);
    if (status == CLI_OK)
        status = job->args->pair.match != NULL ? cli_assemblies_read(&job->assemblies, &job->pair)
                                               : cli_pair_prepare(&job->pair);
    if (status == CLI_OK)
        status = start(job);
    if (status == CLI_OK)
        status = solve(job);
    if (status == CLI_OK)
        status = finish(job);
    if (status != CLI_OK)
        return status;
    if (job->journal != NULL)
        cli_journal_remove(job->journal);
    cli_note_usage(job->pair.run.device, job->pair.run.start_seconds);
    return CLI_OK;
}

int cli_align_many(cli_align_arguments *args, int argc, char **argv)
{
    many_job job = {.args = args};
    job.pair = cli_pair_start(&args->pair, argc, argv);
    job.pair.run.with_path = true;
    const int status = work(&job);
    cli_many_release(job.many);
    cli_sink_release(&job.sink);
    cli_assemblies_release(&job.assemblies);
    cli_journal_release(job.journal);
    cli_pair_release(&job.pair);
    cli_output_close(&job.unaligned);
    cli_output_close(&job.output);
    return status;
}
