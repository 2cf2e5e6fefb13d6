/* SPDX-License-Identifier: MIT */
/*
 * The three definitions of how alike two sequences are: the only ones in the project.
 */
#include "rhomb/identity.h"

static double share(int64_t part, int64_t whole, double of_nothing)
{
    return whole > 0 ? (double)part / (double)whole : of_nothing;
}

double rhomb_similarity(int64_t distance, int64_t longer_length)
{
    return 1 - share(distance, longer_length, 0);
}

double rhomb_identity(int64_t matches, int64_t columns)
{
    return share(matches, columns, 1);
}

double rhomb_gap_compressed_identity(int64_t matches, int64_t mismatches, int64_t gaps)
{
    return share(matches, matches + mismatches + gaps, 1);
}

double rhomb_gap_compressed_divergence(int64_t matches, int64_t mismatches, int64_t gaps)
{
    return share(mismatches + gaps, matches + mismatches + gaps, 0);
}
