/* SPDX-License-Identifier: MIT */
/*
 * Results and plans as JSON, see report.h. The names of members are an interface: a change that
 * could break a reader needs a new number in "schema".
 */
#include "host/cli/pair/report.h"

#include "host/cli/base/json.h"
#include "rhomb/identity.h"

static cli_json start(const char *schema, const cli_run *run)
{
    cli_json json = cli_json_start(schema, run->argc, run->argv);
    char text[32] = "";
    struct tm utc;
    if (gmtime_r(&run->start, &utc) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    cli_json_text(&json, json.root, "start", text);
    cli_json_device(&json, cli_json_object(&json, json.root, "device"), run->device);
    return json;
}

/* `bases` may be NULL: a plan does not count them. */
static void add_input(cli_json *json, cJSON *input, const rhomb_sequence *sequence,
                      const rhomb_base_counts *bases)
{
    cli_json_text(json, input, "path", rhomb_sequence_path(sequence));
    cli_json_text(json, input, "name", rhomb_sequence_name(sequence));
    cli_json_integer(json, input, "length", rhomb_sequence_length(sequence));
    cli_json_text(json, input, "record", rhomb_sequence_record(sequence));
    cli_json_integer(json, input, "record_length", rhomb_sequence_record_length(sequence));
    cli_json_integer(json, input, "record_begin", rhomb_sequence_record_begin(sequence));
    cli_json_text(json, input, "md5", rhomb_sequence_md5(sequence));
    if (bases == NULL)
        return;
    cJSON *counts = cli_json_object(json, input, "bases");
    cli_json_integer(json, counts, "acgt", bases->acgt);
    cli_json_integer(json, counts, "n", bases->n);
    cli_json_integer(json, counts, "iupac", bases->iupac);
    cli_json_integer(json, counts, "other", bases->other);
    cli_json_integer(json, counts, "folded", bases->folded);
}

/* Both sides; a query has a strand, and a rotation of it. */
static void add_inputs(cli_json *json, const cli_run *run, const rhomb_base_counts *target,
                       const rhomb_base_counts *query)
{
    add_input(json, cli_json_object(json, json->root, "target"), run->target, target);
    cJSON *input = cli_json_object(json, json->root, "query");
    add_input(json, input, run->query, query);
    cli_json_text(json, input, "strand", run->reverse ? "-" : "+");
    cli_json_integer(json, input, "rotation", run->rotation);
}

/* The scoring as given, and its values; null where there is no second piece. */
static void add_scoring(cli_json *json, const cli_run *run)
{
    const rhomb_scoring edit = RHOMB_SCORING_EDIT;
    const rhomb_scoring *scoring = run->scoring != NULL ? run->scoring : &edit;
    cJSON *object = cli_json_object(json, json->root, "scoring");
    cli_json_text(json, object, "text", run->score != NULL ? run->score : "edit");
    cli_json_integer(json, object, "match", scoring->match);
    cli_json_integer(json, object, "mismatch", scoring->mismatch);
    cli_json_integer(json, object, "gap_open", scoring->gap_open);
    cli_json_integer(json, object, "gap_extend", scoring->gap_extend);
    if (scoring->gap_open_2 >= 0) {
        cli_json_integer(json, object, "gap_open_2", scoring->gap_open_2);
        cli_json_integer(json, object, "gap_extend_2", scoring->gap_extend_2);
    } else {
        cli_json_null(json, object, "gap_open_2");
        cli_json_null(json, object, "gap_extend_2");
    }
}

/* The penalty is the distance, by its name. */
static void add_result(cli_json *json, const rhomb_report *report)
{
    cJSON *result = cli_json_object(json, json->root, "result");
    if (report->exceeds_max_distance) {
        cli_json_null(json, result, "distance");
        cli_json_null(json, result, "penalty");
    } else {
        cli_json_integer(json, result, "distance", report->distance);
        cli_json_integer(json, result, "penalty", report->distance);
    }
    if (report->has_score)
        cli_json_integer(json, result, "score", report->score);
    else
        cli_json_null(json, result, "score");
    if (report->similarity < 0)
        cli_json_null(json, result, "similarity");
    else
        cli_json_number(json, result, "similarity", report->similarity);
    cli_json_bool(json, result, "exceeds_max_distance", report->exceeds_max_distance);
    if (report->max_distance == RHOMB_NO_LIMIT)
        cli_json_null(json, result, "max_distance");
    else
        cli_json_integer(json, result, "max_distance", report->max_distance);
}

static void add_plan(cli_json *json, const rhomb_plan *plan)
{
    cJSON *object = cli_json_object(json, json->root, "plan");
    cli_json_text(json, object, "engine", plan->engine);
    cli_json_text(json, object, "reason", plan->reason);
    cli_json_text(json, object, "tuning_row", plan->tuning_row);
    cli_json_integer(json, object, "planes", plan->planes);
    cli_json_integer(json, object, "offset_bits", plan->offset_bits);
    cli_json_text(json, object, "tile_shape",
                  cli_word_of((int)plan->tile_shape, cli_tile_shapes, CLI_COUNT(cli_tile_shapes)));
    cli_json_integer(json, object, "group_size", plan->group_size);
    cli_json_integer(json, object, "diagonals_per_item", plan->diagonals_per_item);
    cli_json_integer(json, object, "tile_scores", plan->tile_scores);
    cli_json_integer(json, object, "wide_group_size", plan->wide_group_size);
    cli_json_integer(json, object, "wide_diagonals_per_item", plan->wide_diagonals_per_item);
    cli_json_integer(json, object, "wide_tile_scores", plan->wide_tile_scores);
    cli_json_integer(json, object, "wide_diagonals", plan->wide_diagonals);
    cli_json_integer(json, object, "launches_per_read", plan->launches_per_read);
    cli_json_bool(json, object, "pruning", plan->pruning);
    cli_json_integer(json, object, "lanes", plan->lanes);
    cli_json_integer(json, object, "words_per_item", plan->words_per_item);
    cli_json_integer(json, object, "blocks_per_launch", plan->blocks_per_launch);
    cli_json_integer(json, object, "directions", plan->directions);
    cli_json_integer(json, object, "devices", plan->devices);
    cli_json_integer(json, object, "path_devices", plan->path_devices);
    cli_json_integer(json, object, "first_beside", plan->first_beside);
    cli_json_integer(json, object, "probe_beside", plan->probe_beside);
    cli_json_text(json, object, "step", plan->step);
    cli_json_integer(json, object, "lower_bound", plan->lower_bound);
    cli_json_integer(json, object, "upper_bound", plan->upper_bound);
    if (plan->expected_distance >= 0)
        cli_json_integer(json, object, "expected_distance", plan->expected_distance);
    else
        cli_json_null(json, object, "expected_distance");
    cli_json_integer(json, object, "host_bytes", plan->host_bytes);
    cli_json_integer(json, object, "sequence_bytes", plan->sequence_bytes);
    cli_json_integer(json, object, "device_bytes_min", plan->device_bytes_min);
    cli_json_integer(json, object, "device_bytes_max", plan->device_bytes_max);
    cli_json_integer(json, object, "device_bytes_limit", plan->device_bytes_limit);
    cli_json_integer(json, object, "buffer_bytes_min", plan->buffer_bytes_min);
    cli_json_integer(json, object, "buffer_bytes_limit", plan->buffer_bytes_limit);
    cli_json_number(json, object, "cells_per_second", plan->cells_per_second);
    cli_json_number(json, object, "column_seconds", plan->column_seconds);
    cli_json_number(json, object, "setup_seconds", plan->setup_seconds);
    cli_json_text(json, object, "rates_source", plan->rates_source);
}

static void add_work(cli_json *json, const rhomb_report *report)
{
    cJSON *work = cli_json_object(json, json->root, "work");
    cli_json_integer(json, work, "cells", report->cells);
    cli_json_integer(json, work, "batches", report->batches);
    cli_json_integer(json, work, "launches", report->launches);
    cli_json_integer(json, work, "reads", report->reads);
    cli_json_integer(json, work, "diagonals_in_use", report->diagonals_in_use);
    cli_json_integer(json, work, "column_bytes", report->column_bytes);
    cli_json_integer(json, work, "device_bytes", report->device_bytes);
    cli_json_integer(json, work, "guide_bound", report->guide_bound);
    cli_json_integer(json, work, "cells_saved_limit", report->cells_saved_limit);
    cli_json_integer(json, work, "cells_saved_diagonal", report->cells_saved_diagonal);
}

/* What each of several devices did; an empty list where one did it alone. */
static void add_shares(cli_json *json, const cli_run *run, const rhomb_report *report)
{
    cJSON *shares = cli_json_array(json, json->root, "devices");
    for (int64_t i = 0; i < report->share_count; i++) {
        const rhomb_device_share *share = report->shares[i];
        cJSON *object = cli_json_append_object(json, shares);
        /* Ranks know their own devices. */
        const rhomb_device_info *device =
            run->ctx != NULL && report->share_count <= rhomb_context_device_count(run->ctx)
                ? rhomb_context_device_at(run->ctx, (int32_t)i)
                : NULL;
        if (device != NULL) {
            cli_json_text(json, object, "name", device->name);
            cli_json_integer(json, object, "index", device->index);
        }
        cli_json_integer(json, object, "cells", share->cells);
        cli_json_number(json, object, "cells_per_second", share->cells_per_second);
        cli_json_integer(json, object, "bytes_sent", share->bytes_sent);
        cli_json_number(json, object, "seconds_waited", share->seconds_waited);
        cli_json_number(json, object, "seconds_idle", share->seconds_idle);
    }
}

/* What a run with a checkpoint has besides. */
static void add_checkpoint(cli_json *json, const rhomb_report *report)
{
    cJSON *object = cli_json_object(json, json->root, "checkpoint");
    cli_json_bool(json, object, "resumed", report->resumed);
    cli_json_number(json, object, "seconds_earlier", report->seconds_earlier);
    cli_json_integer(json, object, "written", report->checkpoints);
    cli_json_number(json, object, "seconds", report->seconds_checkpoint);
}

/* What only an alignment has; null if the distance was too large for one. */
static void add_alignment(cli_json *json, const rhomb_align_report *report)
{
    if (report->whole->exceeds_max_distance) {
        cli_json_null(json, json->root, "alignment");
        return;
    }
    cJSON *object = cli_json_object(json, json->root, "alignment");
    cli_json_text(json, object, "engine", report->engine);
    cli_json_integer(json, object, "operations", report->operations);
    cli_json_integer(json, object, "matches", report->matches);
    cli_json_integer(json, object, "mismatches", report->mismatches);
    cli_json_integer(json, object, "inserted", report->inserted);
    cli_json_integer(json, object, "deleted", report->deleted);
    cli_json_number(json, object, "identity",
                    rhomb_identity(report->matches, report->matches + report->mismatches +
                                                        report->inserted + report->deleted));
    cli_json_integer(json, object, "splits", report->splits);
    cJSON *shares = cli_json_array(json, object, "devices");
    for (int64_t i = 0; i < report->share_count; i++)
        cli_json_integer(json, cli_json_append_object(json, shares), "splits",
                         report->share_splits[i]);
    cli_json_integer(json, object, "leaves", report->base_cases);
    cli_json_integer(json, object, "cells", report->cells);
    cli_json_integer(json, object, "device_bytes", report->device_bytes);
    cli_json_integer(json, object, "host_bytes", report->host_bytes);
}

static const char *const MODE_NAMES[] = {"global", "ends_free", "extend", "local"};

/* What of the sequences as they were given is aligned, and the work until that was known. */
static void add_part(cli_json *json, const cli_run *run)
{
    const rhomb_local_report *local = run->local;
    const rhomb_pair_extent *e = local->extent;
    cJSON *object = cli_json_object(json, json->root, MODE_NAMES[run->mode]);
    cli_json_integer(json, object, "score", e->score);
    cli_json_integer(json, object, "target_begin", e->target_begin);
    cli_json_integer(json, object, "target_end", e->target_end);
    cli_json_integer(json, object, "query_begin", e->query_begin);
    cli_json_integer(json, object, "query_end", e->query_end);
    if (run->mode == RHOMB_MODE_EXTEND)
        cli_json_bool(json, object, "reached_end", e->reached_end);
    cli_json_integer(json, object, "cells", local->cells);
    cli_json_integer(json, object, "cells_pruned", local->cells_pruned);
    cli_json_integer(json, object, "begin_cells", local->begin_cells);
    cli_json_integer(json, object, "begin_cells_pruned", local->begin_cells_pruned);
    cli_json_integer(json, object, "launches", local->launches);
    cli_json_integer(json, object, "device_bytes", local->device_bytes);
    cli_json_number(json, object, "seconds_transfer", local->seconds_transfer);
    cli_json_number(json, object, "seconds_build", local->seconds_build);
    cli_json_number(json, object, "seconds_end", local->seconds_end);
    cli_json_number(json, object, "seconds_begin", local->seconds_begin);
}

/* `align` may be NULL. */
static void add_usage(cli_json *json, const cli_run *run, const rhomb_report *report,
                      const rhomb_align_report *align)
{
    cJSON *seconds = cli_json_object(json, json->root, "seconds");
    cli_json_number(json, seconds, "read", run->read_seconds);
    cli_json_number(json, seconds, "open", run->open_seconds);
    cli_json_number(json, seconds, "inspect", report->seconds_inspect);
    cli_json_number(json, seconds, "guide", report->seconds_guide);
    cli_json_number(json, seconds, "build", report->seconds_build);
    cli_json_number(json, seconds, "transfer", report->seconds_transfer);
    cli_json_number(json, seconds, "solve", report->seconds_solve);
    if (align != NULL) {
        cli_json_number(json, seconds, "split", align->seconds_split);
        cli_json_number(json, seconds, "leaves", align->seconds_base_cases);
        cli_json_number(json, seconds, "path_build", align->seconds_build);
    }
    cli_json_number(json, seconds, "library",
                    align != NULL ? align->seconds_total : report->seconds_total);
    cli_json_number(json, seconds, "total", cli_seconds_now() - run->start_seconds);
    cli_json_number(json, json->root, "cpu_seconds", cli_cpu_seconds());
    cli_json_integer(json, json->root, "peak_rss_bytes", cli_peak_rss_bytes());
}

/* The report of a distance, or of an alignment if `align` is not NULL. */
static cli_json report_of(const char *schema, const cli_run *run, const rhomb_report *report,
                          const rhomb_align_report *align)
{
    cli_json json = start(schema, run);
    add_inputs(&json, run, &report->target_bases, &report->query_bases);
    add_scoring(&json, run);
    add_result(&json, report);
    add_plan(&json, report->plan);
    add_work(&json, report);
    add_shares(&json, run, report);
    if (run->has_checkpoint)
        add_checkpoint(&json, report);
    if (run->local != NULL)
        add_part(&json, run);
    if (align != NULL)
        add_alignment(&json, align);
    add_usage(&json, run, report, align);
    return json;
}

bool cli_report_json(FILE *stream, const cli_run *run, const rhomb_report *report)
{
    cli_json json = report_of("rhomb.distance.1", run, report, NULL);
    return cli_json_finish(&json, stream);
}

bool cli_align_json(FILE *stream, const cli_run *run, const rhomb_align_report *report)
{
    cli_json json = report_of("rhomb.align.1", run, report->whole, report);
    return cli_json_finish(&json, stream);
}

char *cli_align_json_text(const cli_run *run, const rhomb_align_report *report)
{
    cli_json json = report_of("rhomb.align.1", run, report->whole, report);
    return cli_json_print(&json);
}

char *cli_many_json_text(const cli_run *run, const char *schema)
{
    cli_json json = start(schema, run);
    add_scoring(&json, run);
    return cli_json_print(&json);
}

bool cli_plan_json(FILE *stream, const cli_run *run, const rhomb_plan *plan)
{
    cli_json json = start("rhomb.plan.1", run);
    add_inputs(&json, run, NULL, NULL);
    add_scoring(&json, run);
    add_plan(&json, plan);
    cli_json_bool(&json, json.root, "must_build", plan->must_build);
    if (run->with_path) {
        cli_json_integer(&json, json.root, "path_bytes_max", cli_path_bytes(plan));
        cli_json_integer(&json, json.root, "path_device_bytes_max", cli_path_device_bytes(plan));
    }
    cJSON *array = cli_json_array(&json, json.root, "estimates");
    cli_estimate estimates[CLI_ESTIMATES];
    const size_t count = cli_plan_estimates(run, plan, estimates);
    for (size_t i = 0; i < count; i++) {
        cJSON *object = cli_json_append_object(&json, array);
        if (estimates[i].similarity >= 0)
            cli_json_number(&json, object, "similarity", estimates[i].similarity);
        else
            cli_json_null(&json, object, "similarity");
        cli_json_integer(&json, object, "distance", estimates[i].distance);
        cli_json_number(&json, object, "seconds", estimates[i].seconds);
    }
    return cli_json_finish(&json, stream);
}

bool cli_mode_plan_json(FILE *stream, const cli_run *run, const rhomb_mode_plan *plan)
{
    cli_json json = start("rhomb.mode_plan.1", run);
    add_inputs(&json, run, NULL, NULL);
    add_scoring(&json, run);
    cJSON *object = cli_json_object(&json, json.root, "plan");
    cli_json_text(&json, object, "mode", MODE_NAMES[run->mode]);
    cli_json_integer(&json, object, "columns", plan->columns);
    cli_json_integer(&json, object, "rows", plan->rows);
    cli_json_integer(&json, object, "planes", plan->planes);
    cli_json_integer(&json, object, "group_size", plan->group_size);
    cli_json_integer(&json, object, "item_rows", plan->item_rows);
    cli_json_integer(&json, object, "lanes", plan->lanes);
    cli_json_integer(&json, object, "steps", plan->steps);
    cli_json_integer(&json, object, "strips", plan->strips);
    cli_json_integer(&json, object, "launches", plan->launches);
    cli_json_integer(&json, object, "device_bytes", plan->device_bytes);
    cli_json_integer(&json, object, "device_bytes_limit", plan->device_bytes_limit);
    cli_json_number(&json, object, "seconds", plan->seconds);
    return cli_json_finish(&json, stream);
}
