/* SPDX-License-Identifier: MIT */
/*
 * Sweeps that several devices share, by emulated kernels: each device has buffers of its own with
 * what an earlier sweep left in them, runs its own strips, and gets the rest through packets
 * (cl/common/borders.cl), as host/engines/bitparallel/borders.c moves them. The result, and how far
 * each strip came, are those of one device.
 */
#include "emulated_variants.h"
#include "src/base/int64.h"
#include "src/strips/strips_chunks.h"
#include "support/amount.h"
#include "support/test.h"
#include "sweep_rig.h"

enum { MOST_DEVICES = 4, MOST_TRAVEL = 3 };

#define DECLARE_BITPARALLEL(name) extern const emulated_bitparallel name;
EMULATED_BITPARALLEL_MAP(DECLARE_BITPARALLEL)
#define DECLARE_BITSLICED(name) extern const emulated_bitsliced name;
EMULATED_BITSLICED_MAP(DECLARE_BITSLICED)

#define ADDRESS(name) &name,
static const emulated_bitparallel *const MYERS[] = {EMULATED_BITPARALLEL_MAP(ADDRESS)};
static const emulated_bitsliced *const SLICED[] = {EMULATED_BITSLICED_MAP(ADDRESS)};

/* What one device has sent after each of the last launches. */
typedef struct sent {
    uint32_t *packets[MOST_TRAVEL + 2];
} sent;

typedef struct shared {
    int32_t owners;
    sweep_rig rigs[MOST_DEVICES];
    sent sent[MOST_DEVICES];
    uint32_t *listed[MOST_DEVICES]; /* borders */
    int64_t packet_words;
} shared;

static const rhomb__sweep *sweep_of(const shared *s)
{
    return &s->rigs[0].shares[0].sweep;
}

/* Copies an owner's borders of a launch to or from packets. */
static void copy_borders(shared *s, int32_t device, int32_t owner, int64_t launch, bool gathers)
{
    const rhomb__sweep *sweep = sweep_of(s);
    sweep_rig *rig = &s->rigs[device];
    int64_t active[2] = {0, 0};
    rhomb__sweep_active(sweep, rig->records, launch, &active[0], &active[1]);
    const int64_t first = 2 * rhomb__borders_owned(&sweep->chunks, owner, active[0], sweep->strips);
    const int64_t end = 2 * rhomb__borders_owned(&sweep->chunks, owner, active[1], sweep->strips);
    const emulated_border_arguments arguments = {
        .strips = rig->records,
        .across = rig->arguments.across,
        .listed = s->listed[owner],
        .first = first,
        .launch = launch,
        .steps = (int32_t)sweep->shape.steps,
        .lag = (int32_t)sweep->shape.lag,
        .block_words = (int32_t)rhomb__shape_border_words(&sweep->shape),
        .packets = s->sent[owner].packets[launch % (sweep->chunks.travel + 2)]};
    if (first < end)
        emulated_borders(gathers, &arguments, end - first, 1 + launch % 3);
}

static void run(shared *s, int64_t bound)
{
    const rhomb__sweep *sweep = sweep_of(s);
    for (int32_t d = 0; d < s->owners; d++)
        sweep_rig_begin(&s->rigs[d], &bound);
    for (int64_t launch = 0; launch < s->rigs[0].launches; launch++) {
        for (int32_t d = 0; d < s->owners; d++) {
            const int64_t due = launch - 1 - sweep->chunks.travel;
            if (due >= 0)
                copy_borders(s, d, (d + s->owners - 1) % s->owners, due, false);
            sweep_rig_launch(&s->rigs[d], launch);
            copy_borders(s, d, d, launch, true);
        }
    }
}

/* Collects the strips of all devices in the first one. */
static void collect(shared *s)
{
    const rhomb__sweep *sweep = sweep_of(s);
    const int64_t words =
        sweep->strip_rows / RHOMB__WORD_ROWS * rhomb__shape_down_words(&sweep->shape);
    for (int64_t i = 0; i < 2 * sweep->strips; i++) {
        const sweep_rig *from = &s->rigs[rhomb__strip_owner(&sweep->chunks, i / 2)];
        s->rigs[0].records[i + 2] = from->records[i + 2];
        memcpy((uint32_t *)s->rigs[0].arguments.down + i * words,
               (const uint32_t *)from->arguments.down + i * words, (size_t)words * 4);
    }
}

static void start(shared *s, const sweep_problem *p, const rhomb__strip_chunks *chunks)
{
    s->owners = chunks->owners;
    for (int32_t d = 0; d < s->owners; d++) {
        sweep_rig_start(&s->rigs[d], p, 1);
        s->rigs[d].shares[0].sweep.chunks = *chunks;
        s->rigs[d].owner = d;
    }
    const rhomb__sweep *sweep = sweep_of(s);
    const int64_t words = sweep->shape.steps * rhomb__shape_border_words(&sweep->shape);
    const int64_t packet = (int64_t)sizeof(rhomb_strip_front) / 4 + words + words % 2;
    for (int32_t d = 0; d < s->owners; d++) {
        const int64_t borders =
            rhomb__borders_owned(&sweep->chunks, d, sweep->strips, sweep->strips);
        for (int32_t i = 0; i < chunks->travel + 2; i++)
            s->sent[d].packets[i] = malloc((size_t)(2 * borders * packet) * 4 + 1);
        s->listed[d] = malloc((size_t)borders * 8 + 1);
        for (int64_t i = 0; i < 2 * borders; i++)
            s->listed[d][i] =
                (uint32_t)(2 * rhomb__border_of_owner(&sweep->chunks, d, i / 2) + i % 2);
    }
}

static void end(shared *s)
{
    for (int32_t d = 0; d < s->owners; d++) {
        for (int32_t i = 0; i < MOST_TRAVEL + 2; i++)
            free(s->sent[d].packets[i]);
        free(s->listed[d]);
        sweep_rig_end(&s->rigs[d]);
    }
}

static void check(const sweep_problem *p, const rhomb__strip_chunks *chunks, int64_t bound)
{
    shared s = {0};
    sweep_rig one;
    rhomb__sweep_breakpoint found, expected;
    start(&s, p, chunks);
    run(&s, bound);
    collect(&s);
    sweep_rig_finish(&s.rigs[0], &found);
    sweep_rig_start(&one, p, 1);
    sweep_rig_run(&one, &bound, &expected);
    const bool same = found.cost == expected.cost && found.row == expected.row &&
                      found.forward_cost == expected.forward_cost && found.gap == expected.gap;
    for (int64_t i = 2; same && i < rhomb__sweep_records(&p->sweep); i++) {
        const rhomb_strip_front *x = rhomb__strip_result(&s.rigs[0].records[i]);
        const rhomb_strip_front *y = rhomb__strip_result(&one.records[i]);
        if (x->begin != y->begin || x->score != y->score || x->end != y->end)
            fail_msg("strip %" PRId64 " ended at %" PRId64 " with %" PRId64 ", not %" PRId64
                     " with %" PRId64,
                     i - 2, x->end, x->score, y->end, y->score);
    }
    if (!same)
        fail_msg("cost %" PRId64 " in row %" PRId64 ", not %" PRId64 " in row %" PRId64
                 "; bound %" PRId64 ", %d devices, chunks of %" PRId64 ", %" PRId64
                 " strips, %" PRId64 " steps, travel %d\ntarget %.*s\nquery %.*s",
                 found.cost, found.row, expected.cost, expected.row, bound, (int)chunks->owners,
                 chunks->strips[0], p->sweep.strips, p->sweep.shape.steps, (int)chunks->travel,
                 (int)p->letters.a.length, p->letters.a.at, (int)p->letters.b.length,
                 p->letters.b.at);
    sweep_rig_end(&one);
    end(&s);
}

static rhomb__strip_chunks random_chunks(rng *r)
{
    rhomb__strip_chunks chunks = {.owners = (int32_t)rng_between(r, 2, MOST_DEVICES),
                                  .travel = (int32_t)rng_between(r, 0, MOST_TRAVEL)};
    for (int32_t i = 0; i < chunks.owners; i++)
        chunks.strips[i] = rng_between(r, 1, rng_chance(r, 0.6) ? 1 : 3);
    return chunks;
}

static void check_random(const sweep_problem *p, rng *r)
{
    const rhomb__strip_chunks chunks = random_chunks(r);
    const int64_t least =
        rhomb__costs_gap(&p->sweep.costs, llabs(p->letters.a.length - p->letters.b.length));
    const int64_t most =
        rhomb__costs_most(&p->sweep.costs, p->letters.a.length, p->letters.b.length);
    check(p, &chunks, rng_chance(r, 0.3) ? most : rng_between(r, least, rhomb__max(least, most)));
    check(p, &chunks, least + (most - least) / 8);
}

/* Random pairs for a kernel; without costs Myers' step. */
static void check_kernel(const emulated_sweep *kernel, const rhomb__costs *costs, const char *name,
                         int64_t index, int64_t pairs)
{
    sweep_problem p = {0};
    for (int64_t number = 0; number < pairs; number++) {
        rng r = rng_for(name, index * 1000 + number);
        if (!sweep_random_pair(&p, kernel, &r))
            continue;
        sweep_complete_randomly(&p, costs, &r);
        check_random(&p, &r);
    }
    pair_release(&p.letters);
}

static void test_myers(void **state)
{
    for (size_t v = 0; v < COUNT(MYERS); v++)
        check_kernel(&MYERS[v]->sweep, NULL, "shared", (int64_t)v, amount(40));
}

static void test_sliced(void **state)
{
    for (size_t v = 0; v < COUNT(SLICED); v++) {
        const emulated_bitsliced *kernel = SLICED[v];
        const rhomb__costs costs = {.mismatch = kernel->mismatch,
                                    .pieces = kernel->extend[1] > 0 ? 2 : 1,
                                    .open = {kernel->open[0], kernel->open[1]},
                                    .extend = {kernel->extend[0], kernel->extend[1]},
                                    .unit = 1,
                                    .doubled = 1};
        check_kernel(&kernel->sweep, &costs, "shared_sliced", (int64_t)v, amount(20));
    }
}

int main(int argc, char **argv)
{
    amount_from(argc, argv, 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_myers), cmocka_unit_test(test_sliced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
