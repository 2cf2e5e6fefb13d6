/* SPDX-License-Identifier: MIT */
/* What a checkpoint is of, see call_identity.h. */
#include "host/checkpoint/call_identity.h"

#include "host/device/program.h"
#include "src/base/digest.h"
#include "src/base/parallel.h"
#include "src/base/text.h"

#include <stdlib.h>
#include <string.h>

/* The sequences, the guide's points and the kernels: what has a digest. */
enum { TARGET, QUERY, GUIDE, DIGESTS };

typedef struct digests {
    const void *data[DIGESTS];
    size_t bytes[DIGESTS];
    char hex[DIGESTS][RHOMB__MD5_HEX_SIZE];
} digests;

/* A rhomb__parallel_task. */
static void digest_one(int64_t index, void *user)
{
    digests *d = user;
    (void)rhomb__md5_hex(d->data[index], d->bytes[index], d->hex[index]);
}

/* The kernels whose buffers a checkpoint has: builds of one version may differ. */
static char *digest_kernels(void)
{
    char hex[RHOMB__MD5_HEX_SIZE] = "";
    char *all =
        rhomb__format("%s%s%s%s%s%s%s", rhomb__source_wavefront.sha256,
                      rhomb__source_wavefront_diamond.sha256, rhomb__source_bitparallel.sha256,
                      rhomb__source_bitparallel_lanes.sha256, rhomb__source_bitsliced.sha256,
                      rhomb__source_bitsliced_lanes.sha256, rhomb__source_affine_wavefront.sha256);
    const bool made = all != NULL && rhomb__md5_hex(all, strlen(all), hex);
    free(all);
    return made ? rhomb__format("%s", hex) : NULL;
}

static char *describe_tuning(const rhomb_tuning *t)
{
    return rhomb__format("%d %d %d %d %d %d %d %d %d %d %lld %d %d %d %lld %lld",
                         (int)t->tile_shape, (int)t->group_size, (int)t->diagonals_per_item,
                         (int)t->tile_scores, (int)t->launches_per_read, (int)t->offset_bits,
                         (int)t->no_pruning, (int)t->words_per_item, (int)t->blocks_per_launch,
                         (int)t->directions, (long long)t->first_beside, (int)t->wide_group_size,
                         (int)t->wide_diagonals_per_item, (int)t->wide_tile_scores,
                         (long long)t->wide_diagonals, (long long)t->chunk_strips);
}

static const char *const ALPHABETS[] = {"dna", "bytes", "iupac"};
static const char *const ENGINES[] = {"auto", "wavefront", "bitparallel"};

rhomb_status rhomb__identity_make(rhomb__error *error, const char *call,
                                  const rhomb__identified *target, const rhomb__identified *query,
                                  const rhomb_options *options, int32_t threads, char **out)
{
    const rhomb_scoring *s = options->scoring;
    const rhomb_guide *guide = options->guide;
    const int64_t points = guide != NULL ? guide->count : 0;
    digests d = {.data = {target->bases, query->bases, points > 0 ? guide->points : NULL},
                 .bytes = {(size_t)target->length, (size_t)query->length,
                           (size_t)points * sizeof(rhomb_guide_point)}};
    char *kernels = digest_kernels(), *tuning = describe_tuning(options->tuning);
    rhomb__parallel_run(threads, DIGESTS, digest_one, &d);
    *out = NULL;
    if (kernels != NULL && tuning != NULL && d.hex[TARGET][0] != '\0' && d.hex[QUERY][0] != '\0' &&
        d.hex[GUIDE][0] != '\0')
        *out = rhomb__format(
            "version: %s\nkernels: %s\ncall: %s\ntarget: %lld bases, MD5 %s\n"
            "query: %lld bases, MD5 %s\nalphabet: %s\nengine: %s\nlimit: %lld\n"
            "scoring: %lld %lld %lld %lld %lld %lld\ntuning: %s\nguide: %lld points, MD5 %s\n",
            RHOMB_VERSION, kernels, call, (long long)target->length, d.hex[TARGET],
            (long long)query->length, d.hex[QUERY], ALPHABETS[options->alphabet],
            ENGINES[options->engine], (long long)options->max_distance, (long long)s->match,
            (long long)s->mismatch, (long long)s->gap_open, (long long)s->gap_extend,
            (long long)s->gap_open_2, (long long)s->gap_extend_2, tuning, (long long)points,
            d.hex[GUIDE]);
    free(kernels);
    free(tuning);
    return *out != NULL ? RHOMB_OK : rhomb__fail_memory(error, 1024, "what a checkpoint is of");
}
