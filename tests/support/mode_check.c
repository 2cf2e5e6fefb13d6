/* SPDX-License-Identifier: MIT */
/*
 * The tester of batches with a scoring, see mode_check.h.
 */
#include "mode_check.h"

#include "affine_pair.h"
#include "amount.h"
#include "rhomb/scoring.h"
#include "test.h"
#include "tests/reference/path_judge.h"

static const char *const MODE_NAMES[] = {"global", "ends-free", "extend", "local"};

oracle_penalties mode_penalties_of(rhomb_context *ctx, const char *text)
{
    rhomb_scoring s;
    assert_int_equal(rhomb_scoring_parse(ctx, text, &s), RHOMB_OK);
    return oracle_penalties_of(&s);
}

void batch_print_command(const rhomb_pair *p, const char *options, const rhomb_batch_tuning *t)
{
    fprintf(stderr, "printf '>%.*s\\n<%.*s\\n' | rhomb batch%s --tune ", (int)p->query_length,
            p->query, (int)p->target_length, p->target, options);
    fprintf(stderr, "group=%d,score-bits=%d,long=%d,bit-planes=%d,first-limit=%d,last-limit=%d",
            (int)t->group_size, (int)t->score_bits, (int)t->long_bases, (int)t->bit_planes,
            (int)t->first_limit, (int)t->last_limit);
    fprintf(stderr, ",job-bases=%lld,column-bytes=%lld -\n", (long long)t->job_bases,
            (long long)t->column_bytes);
}

static void fail_pair(const mode_asker *a, int64_t index, const char *why,
                      const rhomb_pair_extent *expected, const rhomb_pair_result *r)
{
    const rhomb_pair_extent none = {0};
    const rhomb_pair_extent *got = r->extent != NULL ? r->extent : &none;
    const rhomb_free_ends *f = &a->mode.free_ends;
    char options[256];
    int used = snprintf(options, sizeof options, "%s --score %s --mode %s --end-bonus %lld%s",
                        a->alphabet == RHOMB_ALPHABET_PROTEIN ? " --alphabet protein" : "",
                        a->scoring, MODE_NAMES[a->mode.mode], (long long)a->mode.end_bonus,
                        a->cigar ? " --cigar" : "");
    if (a->mode.mode == RHOMB_MODE_ENDS_FREE)
        snprintf(options + used, sizeof options - (size_t)used, " --free-ends %lld,%lld,%lld,%lld",
                 (long long)f->query_begin, (long long)f->query_end, (long long)f->target_begin,
                 (long long)f->target_end);
    else if (a->mode.z_drop >= 0)
        snprintf(options + used, sizeof options - (size_t)used, " --z-drop %lld",
                 (long long)a->mode.z_drop);
    fprintf(stderr, "seed: RHOMB_TEST_SEED=%llu, device %s, limit %lld\n",
            (unsigned long long)rng_seed(), rhomb_context_device(a->ctx)->name,
            (long long)a->max_distance);
    batch_print_command(&a->pairs[index], options, &a->tuning);
    fail_msg("pair %lld: %s: %lld, target %lld to %lld, query %lld to %lld, not %lld, %lld to "
             "%lld, %lld to %lld%s%s",
             (long long)index, why, (long long)got->score, (long long)got->target_begin,
             (long long)got->target_end, (long long)got->query_begin, (long long)got->query_end,
             (long long)expected->score, (long long)expected->target_begin,
             (long long)expected->target_end, (long long)expected->query_begin,
             (long long)expected->query_end, r->detail != NULL ? ": " : "",
             r->detail != NULL ? r->detail : "");
}

static bool same_extent(const rhomb_pair_extent *a, const rhomb_pair_extent *b, bool begins)
{
    return a->score == b->score && a->target_end == b->target_end && a->query_end == b->query_end &&
           a->reached_end == b->reached_end &&
           (!begins || (a->target_begin == b->target_begin && a->query_begin == b->query_begin));
}

/* How a result differs from the one that it has to be like; NULL: in nothing. */
static const char *unlike(const mode_asker *a, int64_t index, const rhomb_pair_result *r)
{
    const rhomb_pair_result *like = a->like[index];
    if (a->max_distance >= 0 && like->distance > a->max_distance)
        return r->status == RHOMB_OK && r->distance == -1 && r->extent == NULL ? NULL
                                                                               : "over the limit";
    if (r->status != like->status || r->distance != like->distance || r->extent == NULL ||
        !same_extent(r->extent, like->extent, true))
        return "another result";
    const size_t bytes = (size_t)r->cigar_count * sizeof *r->cigar;
    return a->cigar && (r->cigar_count != like->cigar_count ||
                        (bytes > 0 && memcmp(r->cigar, like->cigar, bytes) != 0))
               ? "another path"
               : NULL;
}

static void judge_like(mode_asker *a, int64_t index, const rhomb_pair_result *r)
{
    const char *why = unlike(a, index, r);
    if (why != NULL)
        fail_pair(a, index, why, a->like[index]->extent, r);
}

/* The distance of a result: the penalty, where the least one is looked for. */
static int64_t distance_of(const mode_asker *a, const rhomb_pair *p, int64_t score)
{
    const int64_t match = a->penalties.match, bases = p->target_length + p->query_length;
    if (a->mode.mode == RHOMB_MODE_GLOBAL || (a->mode.mode == RHOMB_MODE_ENDS_FREE && match == 0))
        return (match * bases - 2 * score) / (match % 2 == 0 ? 2 : 1);
    return 0;
}

static void judge(mode_asker *a, int64_t index, const rhomb_pair_result *r)
{
    const rhomb_pair *p = &a->pairs[index];
    const bool begins =
        !a->ends_only || a->mode.mode == RHOMB_MODE_EXTEND || a->mode.mode == RHOMB_MODE_GLOBAL;
    const rhomb_pair_extent expected =
        a->expected != NULL ? a->expected[index]
                            : oracle_mode_extent(p->target, p->target_length, p->query,
                                                 p->query_length, &a->penalties, &a->mode, NULL);
    const char *why = NULL;
    if (r->status != RHOMB_OK || r->extent == NULL)
        why = "no result";
    else if (!same_extent(r->extent, &expected, begins))
        why = "another alignment";
    else if (r->distance != distance_of(a, p, expected.score))
        why = "another distance";
    else if (!begins && (r->extent->target_begin != -1 || r->extent->query_begin != -1))
        why = "a begin that was not mode_asker for";
    else if (a->cigar)
        why = path_judge_extent(r->cigar, r->cigar_count, p, r->extent, &a->penalties);
    if (why != NULL)
        fail_pair(a, index, why, &expected, r);
    if (a->got != NULL)
        a->got[index] = *r->extent;
    for (int64_t i = 0; i < r->cigar_count; i++)
        a->operations += (index + 1) * (int64_t)r->cigar[i] * (i + 1);
}

static int take(int64_t first, const rhomb_pair_result *const *results, size_t count, void *user)
{
    mode_asker *a = user;
    assert_int_equal(first, a->delivered);
    for (size_t i = 0; i < count; i++)
        (a->like != NULL ? judge_like : judge)(a, first + (int64_t)i, results[i]);
    a->delivered += (int64_t)count;
    return 0;
}

/* What does not call back. */
static rhomb_batch_options options_of(const mode_asker *a, rhomb_scoring *scoring)
{
    rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
    assert_int_equal(rhomb_scoring_parse(a->ctx, a->scoring, scoring), RHOMB_OK);
    options.scoring = scoring;
    options.mode = a->mode.mode;
    options.free_ends = a->mode.free_ends;
    options.alphabet = a->alphabet;
    options.z_drop = a->mode.z_drop;
    options.end_bonus = a->mode.end_bonus;
    options.cigar = a->cigar;
    options.ends_only = a->ends_only;
    options.tuning = &a->tuning;
    options.max_distance = a->max_distance;
    return options;
}

void mode_ask(mode_asker *a)
{
    rhomb_scoring scoring;
    rhomb_batch_options options = options_of(a, &scoring);
    rhomb_batch *batch = NULL;
    a->penalties = mode_penalties_of(a->ctx, a->scoring);
    a->delivered = a->operations = 0;
    options.results = take;
    options.user = a;
    rhomb_status status = rhomb_batch_create(a->ctx, &options, &batch);
    if (status == RHOMB_OK)
        status = rhomb_batch_add(batch, a->pairs, (size_t)a->count);
    if (status == RHOMB_OK)
        status = rhomb_batch_finish(batch);
    if (status != RHOMB_OK)
        fail_msg("%s %s: %s", a->scoring, MODE_NAMES[a->mode.mode], rhomb_context_error(a->ctx));
    assert_int_equal(a->delivered, a->count);
    rhomb_batch_destroy(batch);
}

void mode_ask_one(mode_asker *a)
{
    static int64_t asked = 0;
    uint32_t from = (uint32_t)a->mode.mode;
    for (const char *c = a->scoring; *c != '\0'; c++)
        from = from * 31 + (uint32_t)*c;
    if (asked == 0 || amount_takes_case((int64_t)from + asked))
        mode_ask(a);
    asked++;
}

const rhomb_pair_result *const *mode_results(const mode_asker *a)
{
    rhomb_scoring scoring;
    const rhomb_batch_options options = options_of(a, &scoring);
    const rhomb_pair_result *const *results = NULL;
    if (rhomb_batch_align(a->ctx, a->pairs, (size_t)a->count, &options, &results) != RHOMB_OK)
        fail_msg("%s %s: %s", a->scoring, MODE_NAMES[a->mode.mode], rhomb_context_error(a->ctx));
    return results;
}

mode_asker mode_asker_of(rhomb_context *ctx, const char *scoring, rhomb_mode mode)
{
    const rhomb_score_matrix *matrix = mode_penalties_of(ctx, scoring).matrix;
    return (mode_asker){.ctx = ctx,
                        .scoring = scoring,
                        .alphabet = matrix != NULL ? matrix->alphabet : RHOMB_ALPHABET_DNA,
                        .mode = {.mode = mode, .z_drop = -1},
                        .cigar = true,
                        .max_distance = RHOMB_NO_LIMIT,
                        .tuning = RHOMB_BATCH_TUNING_INIT};
}

static char *copy(const char *text, int64_t length)
{
    char *own = malloc((size_t)length + 1);
    assert_non_null(own);
    memcpy(own, text != NULL ? text : "", (size_t)length);
    return own;
}

void mode_add(mode_asker *a, const char *target, int64_t n, const char *query, int64_t m)
{
    a->pairs = realloc(a->pairs, (size_t)(a->count + 1) * sizeof *a->pairs);
    assert_non_null(a->pairs);
    a->pairs[a->count++] = (rhomb_pair){copy(target, n), n, copy(query, m), m};
}

void mode_release(mode_asker *a)
{
    for (int64_t i = 0; i < a->count; i++) {
        free((void *)(uintptr_t)a->pairs[i].target);
        free((void *)(uintptr_t)a->pairs[i].query);
    }
    free(a->pairs);
    a->pairs = NULL;
    a->count = 0;
}

/* Lengths at the edges of words, lanes, blocks and strips, and others. */
static int64_t draw_length(rng *r, int64_t most)
{
    static const int64_t EDGES[] = {4, 8, 16, 32, 64, 128, 256};
    const int64_t length = rng_chance(r, 0.4)
                               ? EDGES[rng_below(r, COUNT(EDGES))] + rng_between(r, -1, 1)
                               : rng_below(r, most) + 1;
    return length < most ? length : most;
}

/* Letters of the families as symbols of a matrix, in either case: the same ones become the same. */
static void translate(const rhomb_score_matrix *matrix, rng *r, pair *p)
{
    char symbols[256];
    for (int c = 0; c < 256; c++)
        symbols[c] = matrix->symbols[rng_below(r, matrix->count)];
    for (int side = 0; side < 2; side++) {
        letters *l = side == 0 ? &p->a : &p->b;
        for (int64_t i = 0; i < l->length; i++)
            l->at[i] = symbols[(unsigned char)l->at[i]];
    }
}

void mode_add_random(mode_asker *a, int64_t count, int64_t most, rng *r)
{
    const rhomb_score_matrix *matrix = mode_penalties_of(a->ctx, a->scoring).matrix;
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int64_t i = 0; i < count; i++) {
        affine_family family = (affine_family)(i % AFFINE_FAMILY_COUNT);
        if (family == AFFINE_STRIPS) /* thousands of bases */
            family = AFFINE_ACROSS;
        affine_pair_make(family, draw_length(r, most), r, &p);
        if (matrix != NULL)
            translate(matrix, r, &p);
        mode_add(a, p.a.at, p.a.length, p.b.at, p.b.length);
    }
    pair_release(&p);
}

void mode_add_tiny(mode_asker *a, int strings)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (int both = 0; both < strings * strings; both++) {
        pair_tiny(&p, strings, both);
        mode_add(a, p.a.at, p.a.length, p.b.at, p.b.length);
    }
    pair_release(&p);
}

void mode_draw(mode_asker *a, rng *r)
{
    a->mode.free_ends = (rhomb_free_ends){0, 0, 0, 0};
    a->mode.z_drop = -1;
    a->mode.end_bonus = 0;
    if (a->mode.mode == RHOMB_MODE_ENDS_FREE)
        a->mode.free_ends = (rhomb_free_ends){
            rng_below(r, 4) * rng_below(r, 40), rng_below(r, 4) * rng_below(r, 40),
            rng_below(r, 4) * rng_below(r, 40), rng_below(r, 4) * rng_below(r, 40)};
    if (a->mode.mode != RHOMB_MODE_EXTEND)
        return;
    a->mode.z_drop = rng_chance(r, 0.3) ? -1 : rng_below(r, 100);
    a->mode.end_bonus = rng_chance(r, 0.5) ? 0 : rng_below(r, 30);
}
