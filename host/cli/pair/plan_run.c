/* SPDX-License-Identifier: MIT */
/*
 * Plans, see plan_run.h. Pairs are found as for a run, and go through the same pool, which plans
 * them.
 */
#include "host/cli/pair/plan_run.h"

#include <math.h>

#include "host/cli/pair/pair_run.h"

/* Everything that a run holds and has to release, and the sums. */
typedef struct plan_job {
    cli_pair_arguments *args;
    const rhomb_mode_options *how; /* NULL: end to end */
    bool is_single, json;          /* of one pair: its plan has all that is known */
    cli_pairs pairs;
    cli_output output;
    cli_plan_rows rows;
} plan_job;

/* By a guide, or for a block by what the look says of its pair; -1: not known. */
static int64_t expected_distance(const cli_part *part)
{
    const rhomb_plan *plan = part->task.plan;
    const cli_block *r = &part->range;
    const int64_t n = part->task.target_length, m = part->task.query_length;
    const double similarity = part->pair->similarity;
    if (plan->is_trivial || plan->lower_bound == plan->upper_bound)
        return plan->lower_bound;
    if (plan->expected_distance >= 0 || part->block == 0 || similarity <= 0)
        return plan->expected_distance;
    const double unlike = (double)((n > m ? n : m) - r->bases);
    const double edits = (1 - similarity) * (double)r->bases + unlike;
    const double distance = fmin(edits * plan->mean_edit_penalty, (double)plan->upper_bound);
    return distance > (double)plan->lower_bound ? (int64_t)distance : plan->lower_bound;
}

static void append_side(cli_buffer *out, const cli_side *side, int64_t begin, int64_t end)
{
    cli_append_field(out, side->name);
    cli_append_format(out, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t",
                      side->before + side->length + side->after, side->before + begin,
                      side->before + end);
}

int cli_plan_rows_part(const cli_part *part, void *user)
{
    cli_plan_rows *rows = user;
    cli_buffer *out = &rows->sink.text;
    const cli_run *run = rows->run;
    const rhomb_plan *plan = part->task.plan;
    const cli_block *r = &part->range;
    const int64_t distance = expected_distance(part);
    const bool is_trivial = plan->is_trivial;
    const bool has_path = run->with_path && !is_trivial;
    const int64_t device_bytes =
        plan->device_bytes_max + (has_path ? cli_path_device_bytes(plan) : 0);
    const double worst = is_trivial ? 0 : cli_plan_seconds(run, plan, plan->upper_bound);
    const double seconds =
        is_trivial || distance < 0 ? worst : cli_plan_seconds(run, plan, distance);
    append_side(out, &part->pair->target, r->target_begin, r->target_end);
    append_side(out, &part->pair->query, r->query_begin, r->query_end);
    cli_append_labelled(out, r->reverse ? "-\t" : "+\t", part->rotation);
    cli_append_format(out, distance >= 0 ? "\t%s\t%" PRId64 : "\t%s\t*", plan->engine, distance);
    cli_append_format(out, "\t%.4f\t%.4f\t%" PRId64 "\n", seconds, worst, device_bytes);
    rows->parts++;
    rows->unknown += distance < 0;
    rows->must_build = rows->must_build || plan->must_build;
    rows->too_large += device_bytes > plan->device_bytes_limit;
    rows->seconds += seconds;
    rows->worst += worst;
    rows->device_limit = plan->device_bytes_limit;
    rows->device_bytes = device_bytes > rows->device_bytes ? device_bytes : rows->device_bytes;
    rows->host_bytes = plan->host_bytes > rows->host_bytes ? plan->host_bytes : rows->host_bytes;
    (void)cli_sink_spill(&rows->sink);
    return cli_output_status(rows->output, rows->sink.code);
}

static int on_pair(const cli_pair *pair, int64_t aligned, void *user)
{
    (void)user;
    if (aligned == 0)
        cli_note(0, "no collinear blocks of %s and %s were found", pair->target.name,
                 pair->query.name);
    return CLI_OK;
}

static void write_sum(cli_plan_rows *rows)
{
    cli_text seconds, worst, device, limit, host;
    cli_buffer *out = &rows->sink.text;
    if (rows->parts == 0)
        return;
    cli_append_format(out, "# %" PRId64 " %s%s: about %s one after the other, at worst %s\n",
                      rows->parts, rows->part, cli_s(rows->parts),
                      cli_show_seconds(rows->seconds, &seconds),
                      cli_show_seconds(rows->worst, &worst));
    cli_append_format(
        out, "# largest: device memory %s of %s, host memory %s besides the sequences\n",
        cli_show_bytes(rows->device_bytes, &device), cli_show_bytes(rows->device_limit, &limit),
        cli_show_bytes(rows->host_bytes, &host));
    if (rows->must_build)
        cli_append_text(out, "# kernels: " CLI_MUST_BUILD "\n");
    if (rows->unknown > 0)
        cli_note(0, "%" PRId64 " without an expected distance: the worst case is in the sum",
                 rows->unknown);
    if (rows->too_large > 0)
        cli_note(0, "the largest distances of %" PRId64 " would not fit and end with an error",
                 rows->too_large);
}

void cli_plan_rows_begin(cli_plan_rows *rows, const cli_run *run, const cli_output *output,
                         const char *part)
{
    *rows = (cli_plan_rows){.run = run, .output = output, .part = part};
    cli_sink_open(&rows->sink, output->stream, 0);
    cli_append_text(&rows->sink.text,
                    "#target\ttarget_length\ttarget_begin\ttarget_end\tquery\tquery_length\t"
                    "query_begin\tquery_end\tstrand\trotation\tengine\tdistance\tseconds\t"
                    "seconds_at_worst\tdevice_bytes\n");
}

int cli_plan_rows_end(cli_plan_rows *rows)
{
    write_sum(rows);
    const int code = cli_sink_close(&rows->sink);
    return cli_output_status(rows->output, code);
}

/* Of cli_many_hooks: the only pair. */
static int on_single(const cli_part *part, void *user)
{
    plan_job *job = user;
    cli_run *run = &job->pairs.job.run;
    FILE *stream = job->output.stream;
    const cli_task *task = &part->task;
    cli_pair_join(&job->pairs.job);
    run->mode = task->plan == NULL ? job->how->mode : RHOMB_MODE_GLOBAL;
    if (job->json)
        return (task->plan != NULL ? cli_plan_json(stream, run, task->plan)
                                   : cli_mode_plan_json(stream, run, &task->mode_plan))
                   ? CLI_OK
                   : CLI_MEMORY;
    if (task->plan != NULL)
        cli_plan_text(stream, run, task->plan);
    else
        cli_mode_plan_text(stream, run, &task->mode_plan);
    return CLI_OK;
}

/* Of cli_pairs_steps. */
static int open_output(void *user)
{
    plan_job *job = user;
    return cli_output_open(&job->output, NULL) ? CLI_OK : CLI_FAILED;
}

static int start(void *user)
{
    plan_job *job = user;
    const cli_many_hooks single = {.part = on_single, .user = job};
    const cli_many_hooks several = {
        .part = cli_plan_rows_part, .pair = on_pair, .user = &job->rows};
    const char *part = job->args->cut ? "piece" : job->args->blocks ? "block" : "pair";
    const int status =
        cli_pairs_start(&job->pairs, job->how, true, job->is_single ? &single : &several);
    if (status == CLI_OK && !job->is_single)
        cli_plan_rows_begin(&job->rows, &job->pairs.job.run, &job->output, part);
    return status;
}

static int finish(void *user)
{
    plan_job *job = user;
    int status = cli_assemblies_leave(&job->pairs.assemblies, NULL, NULL);
    if (status == CLI_OK && !job->is_single)
        status = cli_plan_rows_end(&job->rows);
    return status != CLI_OK || cli_output_commit(&job->output) ? status : CLI_FAILED;
}

int cli_plan_run(cli_pair_arguments *args, const cli_plan_asked *asked, int argc, char **argv)
{
    plan_job job = {.args = args, .how = asked->how, .json = asked->json};
    const cli_pairs_steps steps = {open_output, start, finish, &job};
    job.is_single = !args->blocks && args->match == NULL;
    args->resume = NULL; /* there is nothing to go on with */
    args->resume_beside = false;
    if (asked->with_path) {
        args->tuning.directions = 2; /* as the run */
        args->options.tuning = &args->tuning;
    }
    job.pairs.job = cli_pair_start(args, argc, argv);
    job.pairs.job.run.with_path = asked->with_path;
    job.pairs.job.needs_digests = asked->json;
    const int status = cli_pairs_run(&job.pairs, &steps);
    cli_pairs_release(&job.pairs);
    cli_sink_release(&job.rows.sink);
    cli_output_close(&job.output);
    return status;
}
