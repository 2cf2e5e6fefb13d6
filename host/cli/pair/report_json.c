/* SPDX-License-Identifier: MIT */
/*
 * Results and plans as JSON, see report.h. The names of members are an interface: a change that
 * could break a reader needs a new number in "schema".
 */
#include "host/cli/pair/report.h"

#include "host/cli/many/many.h"
#include "host/cli/ranks/run_ranks.h"
#include "rhomb/identity.h"

static const char *const MODE_NAMES[] = {"global", "ends_free", "extend", "local"};

static const char *utc(const cli_run *run, char text[32])
{
    struct tm utc;
    if (gmtime_r(&run->start, &utc) != NULL)
        strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

static const rhomb_scoring *scoring_of(const cli_run *run)
{
    static const rhomb_scoring EDIT = RHOMB_SCORING_EDIT;
    return run->scoring != NULL ? run->scoring : &EDIT;
}

/* The device of a share. Ranks know their own devices: NULL. */
static const rhomb_device_info *shared_device(const cli_run *run, const rhomb_report *report,
                                              int64_t i)
{
    return run->ctx != NULL && report->share_count <= rhomb_context_device_count(run->ctx)
               ? rhomb_context_device_at(run->ctx, (int32_t)i)
               : NULL;
}

#define FIELDS "host/cli/pair/report.def"
#include "host/cli/base/fields.inc"

/* Says what a section has. */
#define NOTE(label, section, ...)                       \
    do {                                                \
        cli_json json = {.root = cJSON_CreateObject()}; \
        write_##section(&json, json.root, __VA_ARGS__); \
        cli_json_note(label, &json);                    \
    } while (0)

void cli_report_fields(const cli_run *run, const rhomb_report *report,
                       const rhomb_align_report *path)
{
    const bool has_ranks = cli_ranks_count() > 1; /* which are counted from 0 */
    if (!report->plan->is_trivial)
        NOTE("work", work, report);
    for (int64_t i = 0; i < report->share_count; i++) {
        char label[64];
        snprintf(label, sizeof label, "%s %lld of %lld", has_ranks ? "rank" : "device",
                 (long long)i + !has_ranks, (long long)report->share_count);
        NOTE(label, share, shared_device(run, report, i), report->shares[i]);
    }
    if (run->local != NULL)
        NOTE(MODE_NAMES[run->mode], range, run->mode, run->local, run->local->extent);
    if (path != NULL && !report->exceeds_max_distance)
        NOTE("path", path, path);
    NOTE(run->read_while_open ? "time, read alongside open" : "time", seconds, run, report, path);
}

static void describe_distances(cli_schema *schema)
{
    describe_many(schema);
    cli_schema_list(schema, "pairs", "each pair", describe_row);
    cli_schema_list(schema, "unmatched", "the records without a partner", describe_unmatched);
    cli_many_describe_shares(schema);
}

const cli_document cli_document_distance = {"rhomb.distance.1", "rhomb distance --json",
                                            describe_distance, false};
const cli_document cli_document_distances = {"rhomb.distances.1", "rhomb distance --match --json",
                                             describe_distances, false};
const cli_document cli_document_align = {"rhomb.align.1", "rhomb align --json, and its --report",
                                         describe_align, false};
const cli_document cli_document_plan = {"rhomb.plan.1", "rhomb distance or align --dry-run --json",
                                        describe_pair_plan, false};
const cli_document cli_document_mode_plan = {
    "rhomb.mode_plan.1", "rhomb align --mode MODE --dry-run --json", describe_mode_plan, false};

bool cli_report_json(FILE *stream, const cli_run *run, const rhomb_report *report)
{
    cli_json json = cli_json_start(cli_document_distance.name, run->argc, run->argv);
    write_distance(&json, json.root, run, report);
    return cli_json_finish(&json, stream);
}

static cli_json align_json(const cli_run *run, const rhomb_align_report *report)
{
    cli_json json = cli_json_start(cli_document_align.name, run->argc, run->argv);
    write_align(&json, json.root, run, report);
    return json;
}

bool cli_align_json(FILE *stream, const cli_run *run, const rhomb_align_report *report)
{
    cli_json json = align_json(run, report);
    return cli_json_finish(&json, stream);
}

char *cli_align_json_text(const cli_run *run, const rhomb_align_report *report)
{
    cli_json json = align_json(run, report);
    return cli_json_print(&json);
}

char *cli_many_json_text(const cli_run *run, const char *schema)
{
    cli_json json = cli_json_start(schema, run->argc, run->argv);
    write_many(&json, json.root, run);
    return cli_json_print(&json);
}

void cli_many_json_describe(cli_schema *schema)
{
    describe_many(schema);
}

void cli_report_json_row(cli_buffer *out, const cli_run *run, const rhomb_report *report)
{
    cli_json json = {.root = cJSON_CreateObject()};
    write_row(&json, json.root, run, report);
    cli_json_append_row(&json, false, out);
}

void cli_report_json_left(cli_buffer *out, bool is_target, const char *name, int64_t length)
{
    cli_json json = {.root = cJSON_CreateObject()};
    write_unmatched(&json, json.root, is_target, name, length);
    cli_json_append_row(&json, false, out);
}

bool cli_plan_json(FILE *stream, const cli_run *run, const rhomb_plan *plan)
{
    cli_json json = cli_json_start(cli_document_plan.name, run->argc, run->argv);
    cli_estimate estimates[CLI_ESTIMATES];
    const size_t count = cli_plan_estimates(run, plan, estimates);
    write_pair_plan(&json, json.root, run, plan, estimates, count);
    return cli_json_finish(&json, stream);
}

bool cli_mode_plan_json(FILE *stream, const cli_run *run, const rhomb_mode_plan *plan)
{
    cli_json json = cli_json_start(cli_document_mode_plan.name, run->argc, run->argv);
    write_mode_plan(&json, json.root, run, plan);
    return cli_json_finish(&json, stream);
}
