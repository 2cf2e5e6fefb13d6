/* SPDX-License-Identifier: MIT */
/*
 * A comparison as JSON, see comparison_print.h. The names of members are an interface: a change
 * that could break a reader needs a new number in "schema".
 */
#include "host/cli/base/json.h"
#include "host/cli/report/comparison_print.h"

#include <string.h>

static const int64_t LIMITS[RHOMB_COMPARISON_SIZES] = RHOMB_COMPARISON_LIMITS;

static void add_side(cli_json *json, const char *name, const char *path,
                     const rhomb_comparison_side *side)
{
    cJSON *object = cli_json_object(json, json->root, name);
    cli_json_text(json, object, "path", path);
    cli_json_integer(json, object, "sequences", side->sequences);
    cli_json_integer(json, object, "covered_sequences", side->covered_sequences);
    cli_json_integer(json, object, "bases", side->bases);
    cli_json_integer(json, object, "aligned", side->aligned);
    cli_json_integer(json, object, "similar", side->similar);
    cli_json_integer(json, object, "not_similar", side->aligned - side->similar);
    cli_json_integer(json, object, "unaligned", side->in_gaps + side->outside);
    cli_json_integer(json, object, "in_gaps", side->in_gaps);
    cli_json_integer(json, object, "outside", side->outside);
    cli_json_integer(json, object, "repeated", side->repeated);
    cli_json_integer(json, object, "breakpoints", side->breakpoints);
    cJSON *joins = cli_json_object(json, object, "joins");
    for (int i = 0; i < RHOMB_JOINS; i++)
        cli_json_integer(json, joins, cli_join_names[i], side->joins[i]);
}

static void add_gaps(cli_json *json, cJSON *parent, const char *name,
                     const rhomb_comparison_gaps *gaps)
{
    cJSON *object = cli_json_object(json, parent, name);
    cli_json_integer(json, object, "count", gaps->count);
    cli_json_integer(json, object, "bases", gaps->bases);
    cJSON *sizes = cli_json_array(json, object, "by_length");
    for (int i = 0; i < RHOMB_COMPARISON_SIZES; i++) {
        cJSON *size = cli_json_append_object(json, sizes);
        cli_json_integer(json, size, "least", LIMITS[i]);
        cli_json_integer(json, size, "count", gaps->sizes[i]);
    }
}

static void add_sum(cli_json *json, const char *name, const rhomb_comparison_sum *sum)
{
    cJSON *object = cli_json_object(json, json->root, name);
    cli_json_integer(json, object, "records", sum->records);
    cli_json_integer(json, object, "target_bases", sum->target_bases);
    cli_json_integer(json, object, "query_bases", sum->query_bases);
    cli_json_integer(json, object, "columns", sum->columns);
    cli_json_integer(json, object, "matches", sum->matches);
    cli_json_integer(json, object, "mismatches", sum->mismatches);
    cli_json_integer(json, object, "gaps", sum->gaps);
    cli_json_number(json, object, "identity", sum->identity);
    cli_json_number(json, object, "gap_compressed_identity", sum->gap_compressed);
    cli_json_integer(json, object, "snps", sum->snps);
    cli_json_integer(json, object, "transitions", sum->transitions);
    cli_json_integer(json, object, "transversions", sum->transversions);
    cJSON *kinds = cli_json_object(json, object, "substitutions");
    for (int i = 0; i < 12; i++) {
        char kind[4];
        const int64_t count = cli_substitution(sum, i, kind);
        cli_json_integer(json, kinds, kind, count);
    }
    cli_json_integer(json, object, "other_mismatches", sum->other_mismatches);
    add_gaps(json, object, "insertions", &sum->insertions);
    add_gaps(json, object, "deletions", &sum->deletions);
}

static void add_headline(cli_json *json, const rhomb_comparison_report *r)
{
    const cli_headline h = cli_comparison_headline(r);
    cJSON *object = cli_json_object(json, json->root, "headline");
    cli_json_number(json, object, "ani", h.ani);
    cli_json_number(json, object, "target_share", h.target);
    cli_json_number(json, object, "query_share", h.query);
    cli_json_number(json, object, "least_identity", r->least_identity);
}

static void add_runs(cli_json *json, const char *name, const rhomb_comparison_runs *runs)
{
    cJSON *object = cli_json_object(json, json->root, name);
    cli_json_integer(json, object, "count", runs->count);
    cli_json_integer(json, object, "records", runs->records);
    cli_json_integer(json, object, "target_bases", runs->target_bases);
    cli_json_integer(json, object, "query_bases", runs->query_bases);
}

static void add_between(cli_json *json, const rhomb_comparison_report *r)
{
    cJSON *object = cli_json_object(json, json->root, "between_records");
    cli_json_integer(json, object, "indels", r->indels_between);
    cli_json_integer(json, object, "overlaps", r->overlaps);
    cli_json_integer(json, object, "replaced", r->replaced);
    cli_json_integer(json, object, "replaced_target_bases", r->replaced_target);
    cli_json_integer(json, object, "replaced_query_bases", r->replaced_query);
}

bool cli_comparison_json(FILE *stream, const cli_comparison *c)
{
    const rhomb_comparison_report *r = c->report;
    cli_json json = cli_json_start("rhomb.report.1", c->argc, c->argv);
    cli_json_text(&json, json.root, "paf", c->shown_paf);
    cli_json_integer(&json, json.root, "records", r->records);
    cli_json_integer(&json, json.root, "unaligned_records", r->unaligned);
    cli_json_integer(&json, json.root, "secondary_records", r->secondary);
    add_headline(&json, r);
    add_side(&json, "target", c->target, r->target);
    add_side(&json, "query", c->query, r->query);
    add_sum(&json, "similar", r->similar);
    add_sum(&json, "one_to_one", r->one_to_one);
    add_sum(&json, "all", r->all);
    add_runs(&json, "inversions", r->inversions);
    add_runs(&json, "relocations", r->relocations);
    add_runs(&json, "translocations", r->translocations);
    add_between(&json, r);
    return cli_json_finish(&json, stream);
}
