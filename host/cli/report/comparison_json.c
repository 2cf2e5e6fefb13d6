/* SPDX-License-Identifier: MIT */
/*
 * A comparison as JSON, see comparison_print.h. The names of members are an interface: a change
 * that could break a reader needs a new number in "schema".
 */
#include "host/cli/report/comparison_print.h"

static const int64_t LIMITS[RHOMB_COMPARISON_SIZES] = RHOMB_COMPARISON_LIMITS;

#define FIELDS "host/cli/report/comparison.def"
#include "host/cli/base/fields.inc"

const cli_document cli_document_report = {"rhomb.report.1",
                                          "rhomb report --json, and report.json of rhomb compare",
                                          describe_comparison, false};

bool cli_comparison_json(FILE *stream, const cli_comparison *c)
{
    cli_json json = cli_json_start(cli_document_report.name, c->argc, c->argv);
    write_comparison(&json, json.root, c, c->report);
    return cli_json_finish(&json, stream);
}
