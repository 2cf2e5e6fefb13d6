/* SPDX-License-Identifier: MIT */
/* What a batch did, see batch_arguments.h. */
#include "host/cli/batch/batch_arguments.h"

/*
 * Each stage's busy time, summed over its threads: a line each for the input, the device, where
 * jobs also wait for each other, and the output.
 */
static void note_stages(const cli_batch_details *d)
{
    cli_text text[6];
    const rhomb_batch_report *report = d->report;
    const rhomb_pairs_report reading = cli_feed_report(d->feed);
    cli_note(1, "time: build %s; then at the same time: read %s, parse %s, fill %s",
             cli_show_seconds(report->seconds_build, &text[0]),
             cli_show_seconds(reading.seconds_read, &text[1]),
             cli_show_seconds(reading.seconds_parse, &text[2]),
             cli_show_seconds(report->seconds_fill, &text[3]));
    cli_note(1, "time: open %s, device %s, in it busy: send %s, pack %s, solve %s, fetch %s",
             cli_show_seconds(report->seconds_open, &text[5]),
             cli_show_seconds(report->seconds_device, &text[0]),
             cli_show_seconds(report->seconds_send, &text[1]),
             cli_show_seconds(report->seconds_pack, &text[2]),
             cli_show_seconds(report->seconds_solve, &text[3]),
             cli_show_seconds(report->seconds_fetch, &text[4]));
    cli_note(1, "time: results %s, long pairs %s, deliver %s, format %s, write %s",
             cli_show_seconds(report->seconds_results, &text[0]),
             cli_show_seconds(report->seconds_long, &text[1]),
             cli_show_seconds(report->seconds_deliver, &text[2]),
             cli_show_seconds(cli_printer_format_seconds(d->printer), &text[3]),
             cli_show_seconds(cli_printer_write_seconds(d->printer), &text[4]));
}

void cli_batch_note_details(const cli_batch_details *d)
{
    cli_text device, total, read, rate;
    const rhomb_batch_report *report = d->report;
    const double seconds = cli_seconds_now() - d->start_seconds;
    cli_note(1,
             "pairs: %" PRId64 " of %" PRId64 " bases, %" PRId64 " beyond the limit, %" PRId64
             " without a result, %" PRId64 " repeated for bases other than A, C, G and T, %" PRId64
             " by the engines for long pairs",
             report->pairs, report->bases, report->exceeding, d->failures, report->other_bases,
             report->long_pairs);
    cli_note(1, "work: %" PRId64 " jobs, %d at a time, memory %s on the device, %s on the host",
             report->jobs, (int)report->workers, cli_show_bytes(report->device_bytes, &device),
             cli_show_bytes(report->host_bytes, &total));
    note_stages(d);
    cli_note(
        1, "time: pairs %s (%s/s), total %s", cli_show_seconds(report->seconds_total, &read),
        cli_show_rate(report->seconds_total > 0 ? (double)report->pairs / report->seconds_total : 0,
                      &rate),
        cli_show_seconds(seconds, &total));
}

/* Details of faults name file and line themselves. */
int cli_batch_fail_pair(const cli_batch_failure *f, const cli_batch_arguments *args)
{
    const char *path = cli_input_name(args->path);
    const char *queries = args->queries;
    const char *text = rhomb_status_text(f->status);
    if (f->status == RHOMB_ERR_INPUT) {
        cli_error("%s: %s", text, f->detail);
        if (queries != NULL && args->match == NULL && strstr(f->detail, ": has no record ") != NULL)
            cli_say("records of one number are a pair: --match best-target pairs reads with their "
                    "targets, --one-to-many one record with all");
    } else if (queries == NULL) {
        cli_error("%s: %s: line %" PRId64 ": pair %" PRId64 ": %s", text, path, f->line, f->number,
                  f->detail);
    } else {
        cli_error("%s: %s %" PRId64 ": %s", text, args->match != NULL ? "pair" : "record",
                  f->number, f->detail);
        cli_say("target: %s of %s", f->names[0], path);
        cli_say("query: %s of %s", f->names[1], cli_input_name(queries));
    }
    if (f->status == RHOMB_ERR_ALPHABET)
        cli_say_if_protein(f->detail);
    return rhomb_status_class(f->status);
}
