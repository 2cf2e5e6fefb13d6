/* SPDX-License-Identifier: MIT */
/*
 * Alignments with a scoring in one screen: aligns two sequences from end to end and prints the
 * score, the penalty and the operations. Build it as example.c:
 *
 *     cc -std=c11 example_align.c $(pkg-config --cflags --libs rhomb) -o example_align
 *     ./example_align ACGTACGTTT ACGAACGTT match:2,4,4,2,24,1
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rhomb/align.h>
#include <rhomb/scoring.h>

static rhomb_status print_alignment(rhomb_context *ctx, const char *target, const char *query,
                                    const char *scoring_text)
{
    rhomb_alignment *alignment = NULL;
    rhomb_scoring scoring;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    options.scoring = &scoring;

    rhomb_status status = rhomb_scoring_parse(ctx, scoring_text, &scoring);
    if (status == RHOMB_OK)
        status = rhomb_align(ctx, target, (int64_t)strlen(target), query, (int64_t)strlen(query),
                             &options, &alignment);
    if (status == RHOMB_OK) {
        const rhomb_report *whole = rhomb_alignment_report(alignment)->whole;
        int64_t count = 0;
        const rhomb_path_op *path = rhomb_alignment_path(alignment, &count);
        printf("score %" PRId64 "\tpenalty %" PRId64 "\t", whole->score, whole->distance);
        for (int64_t i = 0; i < count; i++)
            printf("%" PRIu64 "%c", RHOMB_CIGAR_LENGTH(path[i]), RHOMB_CIGAR_LETTER(path[i]));
        printf("\n");
    }
    rhomb_alignment_destroy(alignment);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "Usage: %s TARGET QUERY SCORING\n", argc > 0 ? argv[0] : "example_align");
        return 2;
    }
    rhomb_context *ctx = NULL;
    rhomb_status status = rhomb_context_create(&ctx, NULL);
    if (status == RHOMB_OK)
        status = print_alignment(ctx, argv[1], argv[2], argv[3]);
    if (status != RHOMB_OK)
        fprintf(stderr, "%s: %s\n", rhomb_status_text(status),
                ctx != NULL ? rhomb_context_error(ctx) : "");
    rhomb_context_destroy(ctx);
    return rhomb_status_class(status);
}
