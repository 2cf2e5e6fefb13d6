/* SPDX-License-Identifier: MIT */
/*
 * The library in one screen: reads the only record of two FASTA or FASTQ files and prints their
 * edit distance. Build it against an installed librhomb:
 *
 *     cc -std=c11 example.c $(pkg-config --cflags --libs rhomb) -o example
 *     ./example target.fa query.fa.gz
 */
#include <inttypes.h>
#include <stdio.h>

#include <rhomb/rhomb.h>

/* Several times a second at most. Returning anything but 0 would stop the computation. */
static int show_progress(const rhomb_progress *progress, void *user)
{
    fprintf(user, "distance at least %" PRId64 "\n", progress->lower_bound);
    return 0;
}

static rhomb_status print_distance(rhomb_context *ctx, const char *target_path,
                                   const char *query_path)
{
    rhomb_sequence *target = NULL, *query = NULL;
    rhomb_result *result = NULL;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.progress = show_progress;
    options.progress_user = stderr;

    rhomb_status status = rhomb_sequence_read(ctx, target_path, NULL, &target);
    if (status == RHOMB_OK)
        status = rhomb_sequence_read(ctx, query_path, NULL, &query);
    if (status == RHOMB_OK)
        status = rhomb_distance(ctx, rhomb_sequence_bases(target), rhomb_sequence_length(target),
                                rhomb_sequence_bases(query), rhomb_sequence_length(query), &options,
                                &result);
    if (status == RHOMB_OK)
        printf("%s\t%s\t%" PRId64 "\n", rhomb_sequence_name(target), rhomb_sequence_name(query),
               rhomb_result_report(result)->distance);

    rhomb_result_destroy(result);
    rhomb_sequence_destroy(query);
    rhomb_sequence_destroy(target);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "Usage: %s TARGET QUERY\n", argc > 0 ? argv[0] : "example");
        return 2;
    }
    rhomb_context *ctx = NULL;
    rhomb_status status = rhomb_context_create(&ctx, NULL);
    if (status == RHOMB_OK)
        status = print_distance(ctx, argv[1], argv[2]);
    if (status != RHOMB_OK)
        fprintf(stderr, "%s: %s\n", rhomb_status_text(status),
                ctx != NULL ? rhomb_context_error(ctx) : "");
    rhomb_context_destroy(ctx);
    return rhomb_status_class(status);
}
