/* SPDX-License-Identifier: MIT */
/*
 * Results and plans as text, see report.h: TSV for programs and people, a table for --dry-run,
 * messages for -v.
 */
#include "host/cli/base/text_buffer.h"
#include "host/cli/command/options.h"
#include "host/cli/pair/report.h"

/* Of the longest description of a scoring. */
enum { CLI_SCORING_BYTES = 256 };

static int64_t longer_length(const cli_run *run)
{
    const int64_t target = rhomb_sequence_length(run->target);
    const int64_t query = rhomb_sequence_length(run->query);
    return target > query ? target : query;
}

static void print_field(FILE *stream, const char *label, const char *text)
{
    cli_buffer field = {0};
    cli_append_field(&field, text);
    fprintf(stream, "%-14s  %.*s", label, (int)field.length, field.failed ? "" : field.data);
    cli_buffer_release(&field);
}

/*
 * Of the edits if all have the same penalty; one that exceeds a limit K has more than the edits of
 * K.
 */
static void append_similarity(cli_buffer *out, const rhomb_report *report)
{
    char similarity[CLI_SIMILARITY_BYTES] = "*";
    const bool exceeds = report->exceeds_max_distance;
    const int64_t distance = exceeds ? report->max_distance : report->distance;
    const bool is_known = report->edit_penalty > 0;
    const int64_t longer =
        report->target_length > report->query_length ? report->target_length : report->query_length;
    if (is_known)
        *cli_put_similarity(similarity, distance / report->edit_penalty, longer) = '\0';
    cli_append_format(out, exceeds && is_known ? "<%s" : "%s", similarity);
}

static bool has_score(const cli_run *run)
{
    return run->scoring != NULL && run->scoring->match > 0;
}

void cli_report_tsv_head(cli_buffer *out, const cli_run *run)
{
    cli_append_format(out,
                      "#target\ttarget_length\tquery\tquery_length\tdistance\t%ssimilarity\t%s"
                      "engine\tdevice\tseconds\n",
                      has_score(run) ? "score\t" : "",
                      run->shows_strand ? "strand\trotation\t" : "");
}

void cli_report_tsv(cli_buffer *out, const cli_run *run, const rhomb_report *report, double seconds)
{
    const bool exceeds = report->exceeds_max_distance;
    cli_append_field(out, run->target_name);
    cli_append_format(out, "\t%" PRId64 "\t", report->target_length);
    cli_append_field(out, run->query_name);
    cli_append_labelled(out, "\t", report->query_length);
    cli_append_labelled(out, exceeds ? "\t>" : "\t",
                        exceeds ? report->max_distance : report->distance);
    if (report->has_score)
        cli_append_labelled(out, "\t", report->score);
    else if (has_score(run))
        cli_append_text(out, "\t*");
    cli_append_text(out, "\t");
    append_similarity(out, report);
    if (run->shows_strand)
        cli_append_labelled(out, run->reverse ? "\t-\t" : "\t+\t", run->rotation);
    cli_append_text(out, "\t");
    cli_append_field(out, report->plan->engine);
    cli_append_text(out, "\t");
    cli_append_field(out, run->device->name);
    cli_append_format(out, "\t%.3f\n", seconds);
}

void cli_report_tsv_left(cli_buffer *out, const cli_run *run, bool is_target, const char *name,
                         int64_t length)
{
    const int more = 5 + (has_score(run) ? 1 : 0) + (run->shows_strand ? 2 : 0);
    cli_append_text(out, is_target ? "" : "*\t*\t");
    cli_append_field(out, name);
    cli_append_labelled(out, "\t", length);
    cli_append_text(out, is_target ? "\t*\t*" : "");
    for (int i = 0; i < more; i++)
        cli_append_text(out, "\t*");
    cli_append_text(out, "\n");
}

/* "a match 2, a mismatch 4, a gap of k bases 4 + k * 2 or 24 + k * 1": in the caller's buffer. */
static const char *describe_scoring(const rhomb_scoring *scoring, char *text, size_t size)
{
    char pairs[CLI_SCORING_BYTES / 2] = "", second[64] = "";
    if (scoring->matrix != NULL)
        snprintf(pairs, sizeof pairs, "two symbols %" PRId64 " to %" PRId64, -scoring->mismatch,
                 scoring->match);
    else if (scoring->match > 0)
        snprintf(pairs, sizeof pairs, "a match %" PRId64 ", a mismatch %" PRId64, scoring->match,
                 scoring->mismatch);
    else
        snprintf(pairs, sizeof pairs, "a mismatch %" PRId64, scoring->mismatch);
    if (scoring->gap_open_2 >= 0)
        snprintf(second, sizeof second, " or %" PRId64 " + k * %" PRId64, scoring->gap_open_2,
                 scoring->gap_extend_2);
    snprintf(text, size, "%s, a gap of k bases %" PRId64 " + k * %" PRId64 "%s", pairs,
             scoring->gap_open, scoring->gap_extend, second);
    return text;
}

static void note_scoring(const cli_run *run, const rhomb_report *report)
{
    char text[CLI_SCORING_BYTES], score[48] = "";
    if (run->scoring == NULL)
        return;
    if (report->has_score)
        snprintf(score, sizeof score, ", score %" PRId64, report->score);
    describe_scoring(run->scoring, text, sizeof text);
    if (report->exceeds_max_distance)
        cli_note(1, "scoring %s: %s", run->score, text);
    else
        cli_note(1, "scoring %s: %s; penalty %" PRId64 "%s", run->score, text, report->distance,
                 score);
}

void cli_report_details(const cli_run *run, const rhomb_report *report,
                        const rhomb_align_report *path)
{
    note_scoring(run, report);
    cli_note(1, "engine %s: %s", report->plan->engine, report->plan->reason);
    if (!report->plan->is_trivial)
        cli_note(1, "rates: %s", report->plan->rates_source);
    if (cli_verbosity() >= 1)
        cli_report_fields(run, report, path);
}

double cli_plan_seconds(const cli_run *run, const rhomb_plan *plan, int64_t distance)
{
    const double seconds = rhomb_plan_seconds(plan, distance);
    return run->with_path ? seconds + rhomb_plan_path_seconds(plan, distance) : seconds;
}

int64_t cli_path_bytes(const rhomb_plan *plan)
{
    return plan->upper_bound < INT64_MAX / CLI_PATH_BYTES_AN_EDIT
               ? plan->upper_bound * CLI_PATH_BYTES_AN_EDIT
               : INT64_MAX;
}

int64_t cli_path_device_bytes(const rhomb_plan *plan)
{
    return CLI_PATH_DEVICE_BYTES + plan->device_bytes_min / 2;
}

size_t cli_plan_estimates(const cli_run *run, const rhomb_plan *plan,
                          cli_estimate estimates[CLI_ESTIMATES])
{
    static const double SIMILARITIES[CLI_ESTIMATES - 1] = {0.999, 0.99, 0.9, 0.8};
    const double longer = (double)longer_length(run);
    size_t count = 0;
    for (size_t i = 0; i < CLI_COUNT(SIMILARITIES); i++) {
        const int64_t edits = (int64_t)((1 - SIMILARITIES[i]) * longer + 0.5);
        const int64_t distance = (int64_t)((double)edits * plan->mean_edit_penalty + 0.5);
        if (distance < plan->lower_bound || distance > plan->upper_bound)
            continue;
        estimates[count++] =
            (cli_estimate){SIMILARITIES[i], distance, cli_plan_seconds(run, plan, distance)};
    }
    estimates[count++] =
        (cli_estimate){-1, plan->upper_bound, cli_plan_seconds(run, plan, plan->upper_bound)};
    return count;
}

static void print_sequence(FILE *stream, const char *role, const rhomb_sequence *sequence)
{
    print_field(stream, role, rhomb_sequence_name(sequence));
    fprintf(stream, ", length %" PRId64 "\n", rhomb_sequence_length(sequence));
}

static void print_tile(FILE *stream, const rhomb_plan *plan)
{
    if (plan->step != NULL) {
        const bool vectors = plan->lanes > 1;
        fprintf(stream, "%-14s  %s of %d, %d words %s, %d blocks per launch, %s\n", "sweep",
                vectors ? "vectors" : "groups", (int)(vectors ? plan->lanes : plan->group_size),
                (int)plan->words_per_item, vectors ? "per lane" : "per item",
                (int)plan->blocks_per_launch,
                plan->directions == 2 ? "two directions" : "one direction");
        fprintf(stream,
                "%-14s  the %s step, %d bit planes, a first band of %" PRId64
                " diagonals on either side\n",
                "", plan->step, (int)plan->planes,
                plan->probe_half_width > 0 ? plan->probe_half_width : plan->first_half_width);
        if (plan->devices > 1)
            fprintf(stream, "%-14s  shared by %" PRId64 " devices\n", "", plan->devices);
        fprintf(stream, "%-14s  %s\n", "tuning row", plan->tuning_row);
        return;
    }
    fprintf(stream, "%-14s  %s, groups of %d, %d diagonals per item, %d scores per launch\n",
            "tile", cli_word_of((int)plan->tile_shape, cli_tile_shapes, CLI_COUNT(cli_tile_shapes)),
            (int)plan->group_size, (int)plan->diagonals_per_item, (int)plan->tile_scores);
    if (plan->wide_group_size > 0)
        fprintf(stream,
                "%-14s  from %" PRId64
                " diagonals on, groups of %d, %d diagonals per item, %d scores\n",
                "", plan->wide_diagonals, (int)plan->wide_group_size,
                (int)plan->wide_diagonals_per_item, (int)plan->wide_tile_scores);
    fprintf(stream, "%-14s  %s, %d launches per read, pruning %s\n", "",
            plan->directions == 2 ? "two directions" : "one direction",
            (int)plan->launches_per_read, plan->pruning ? "on" : "off");
    fprintf(stream, "%-14s  %d bit planes, %d-bit offsets\n", "", (int)plan->planes,
            (int)plan->offset_bits);
    fprintf(stream, "%-14s  %s\n", "tuning row", plan->tuning_row);
}

/* A sweep takes the same memory for every distance. */
static void print_memory(FILE *stream, const cli_run *run, const rhomb_plan *plan)
{
    cli_text a, b;
    fprintf(
        stream, "%-14s  %s, besides %s of sequence\n", "host memory",
        cli_show_bytes(plan->host_bytes, &a),
        cli_show_bytes(rhomb_sequence_length(run->target) + rhomb_sequence_length(run->query), &b));
    if (run->with_path)
        fprintf(stream, "%-14s  %d B more for each edit of the path, %s at worst\n", "",
                (int)CLI_PATH_BYTES_AN_EDIT, cli_show_bytes(cli_path_bytes(plan), &a));
    fprintf(stream, "%-14s  %s", "device memory", cli_show_bytes(plan->device_bytes_min, &a));
    if (plan->device_bytes_max > plan->device_bytes_min)
        fprintf(stream, " to %s", cli_show_bytes(plan->device_bytes_max, &a));
    fprintf(stream, ", the device has %s\n", cli_show_bytes(plan->device_bytes_limit, &a));
    if (run->with_path)
        fprintf(stream, "%-14s  up to %s more for the path\n", "",
                cli_show_bytes(cli_path_device_bytes(plan), &a));
    if (plan->device_bytes_max > plan->device_bytes_limit)
        fprintf(stream, "%-14s  the largest distances would not fit and end with an error\n", "");
}

/* What is compared, where, and by what scoring. */
static void print_run(FILE *stream, const cli_run *run)
{
    char scoring[CLI_SCORING_BYTES];
    print_sequence(stream, "target", run->target);
    print_sequence(stream, "query", run->query);
    fprintf(stream, "%-14s  %d, %s, %s\n", "device", (int)run->device->index, run->device->name,
            cli_device_kind_name(run->device->kind));
    if (run->scoring != NULL)
        fprintf(stream, "%-14s  %s: %s\n", "scoring", run->score,
                describe_scoring(run->scoring, scoring, sizeof scoring));
}

void cli_mode_plan_text(FILE *stream, const cli_run *run, const rhomb_mode_plan *plan)
{
    cli_text a, b;
    const bool vectors = plan->lanes > 1;
    print_run(stream, run);
    fprintf(stream, "%-14s  %s\n", "mode",
            cli_word_of((int)run->mode, cli_modes, CLI_COUNT(cli_modes)));
    fprintf(stream, "%-14s  %" PRId64 " columns of the target, %" PRId64 " rows of the query\n",
            "matrix", plan->columns, plan->rows);
    fprintf(stream, "%-14s  %s of %d, %d rows %s, %d steps per launch, %d bit planes\n", "sweep",
            vectors ? "vectors" : "groups", (int)(vectors ? plan->lanes : plan->group_size),
            (int)plan->item_rows, vectors ? "per lane" : "per item", (int)plan->steps,
            (int)plan->planes);
    fprintf(stream, "%-14s  %" PRId64 " strips, %" PRId64 " launches\n", "", plan->strips,
            plan->launches);
    fprintf(stream, "%-14s  %s, the device has %s\n", "device memory",
            cli_show_bytes(plan->device_bytes, &a), cli_show_bytes(plan->device_bytes_limit, &b));
    if (plan->device_bytes > plan->device_bytes_limit)
        fprintf(stream, "%-14s  which would not fit and ends with an error\n", "");
    fprintf(stream, "%-14s  about %s for score and end, less what is pruned\n", "time",
            cli_show_seconds(plan->seconds, &a));
}

void cli_plan_text(FILE *stream, const cli_run *run, const rhomb_plan *plan)
{
    cli_text a;
    print_run(stream, run);
    fprintf(stream, "%-14s  %s: %s\n", "engine", plan->engine, plan->reason);
    if (plan->is_trivial)
        return;
    print_tile(stream, plan);
    if (plan->must_build)
        fprintf(stream, "%-14s  %s\n", "kernels", CLI_MUST_BUILD);
    if (run->with_path && plan->path_devices > 1)
        fprintf(stream, "%-14s  split by %" PRId64 " devices, if it takes long\n", "path",
                plan->path_devices);
    fprintf(stream, "%-14s  %s\n", "estimates from", plan->rates_source);
    fprintf(stream, "%-14s  %" PRId64 " to %" PRId64 "\n", "distance", plan->lower_bound,
            plan->upper_bound);
    print_memory(stream, run, plan);

    const char *heading = "time";
    if (plan->expected_distance >= 0) {
        fprintf(stream, "%-14s  %-14s  distance %-12" PRId64 "  about %s\n", heading,
                "by the sketch", plan->expected_distance,
                cli_show_seconds(cli_plan_seconds(run, plan, plan->expected_distance), &a));
        heading = "";
    }
    cli_estimate estimates[CLI_ESTIMATES];
    const size_t count = cli_plan_estimates(run, plan, estimates);
    for (size_t i = 0; i < count; i++) {
        const cli_estimate *estimate = &estimates[i];
        char similarity[32] = "at worst";
        if (estimate->similarity >= 0)
            snprintf(similarity, sizeof similarity, "%g %% similar", 100 * estimate->similarity);
        fprintf(stream, "%-14s  %-14s  distance %-12" PRId64 "  about %s\n", i == 0 ? heading : "",
                similarity, estimate->distance, cli_show_seconds(estimate->seconds, &a));
    }
}
