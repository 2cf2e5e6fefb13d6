/* SPDX-License-Identifier: MIT */
/*
 * Guides for the long pairs of a matrix, see matrix_run.h. A row's minimizers serve all of its
 * pairs on a device.
 */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/sketch/relation.h"

bool cli_matrix_looks(const cli_matrix_arguments *args)
{
    return args->sketch && cli_is_dna(args->options.alphabet);
}

bool cli_matrix_guides_open(cli_matrix_guides *g, const cli_matrix_arguments *args,
                            const rhomb_matrix_sequence *list, int32_t devices)
{
    const int threads = cli_space_limit() > 0 ? 1 : cli_threads_meant(args->threads);
    *g = (cli_matrix_guides){.list = list,
                             .scoring = args->options.scoring,
                             .devices = devices,
                             .threads = threads > devices ? threads / devices : 1};
    g->lookers = calloc((size_t)devices + 1, sizeof *g->lookers);
    return g->lookers != NULL;
}

bool cli_matrix_guide(int64_t row, int64_t column, int32_t device, rhomb_guide *guide, void *user)
{
    const cli_matrix_guides *g = user;
    const rhomb_matrix_sequence *target = &g->list[row], *query = &g->list[column];
    cli_matrix_looker *looker = &g->lookers[device];
    const cli_two two = {target->bases, target->length, query->bases, query->length};
    const cli_relation_options options = {.threads = g->threads,
                                          .whole = true,
                                          .guides = true,
                                          .kept = &looker->kept,
                                          .number = row + 1};
    cli_relation relation;
    free(looker->points);
    looker->points = NULL;
    const bool has_guide = cli_relate(&two, &options, &relation) &&
                           cli_guide_make(&relation, g->scoring, two.target_length,
                                          two.query_length, false, 0, guide, &looker->points);
    cli_relation_release(&relation);
    return has_guide;
}

void cli_matrix_guides_release(cli_matrix_guides *g)
{
    for (int32_t i = 0; i < g->devices && g->lookers != NULL; i++) {
        cli_minimizers_release(&g->lookers[i].kept.list);
        free(g->lookers[i].points);
    }
    free(g->lookers);
}
