/* SPDX-License-Identifier: MIT */
/*
 * See sweep_rig.h.
 */
#include "sweep_rig.h"

#include "emu/emu_packed.h"
#include "host/engines/bitparallel/sweeps.h"
#include "host/engines/engine.h"
#include "src/base/int64.h"
#include "src/strips/strips_chunks.h"
#include "support/guard.h"
#include "support/test.h"

const char *sweep_alphabet(int32_t planes)
{
    static const char *const ALPHABETS[] = {"ACGN", "NACGTRYK",
                                            "QWERTZUIOPASDFGHJKLYXCVBNMqwertzu"};
    return ALPHABETS[planes == 2 ? 0 : planes == 3 ? 1 : 2];
}

int64_t sweep_strip_rows(const emulated_sweep *kernel)
{
    return (int64_t)RHOMB__WORD_ROWS * kernel->group_size * kernel->lanes * kernel->item_words;
}

static void assign_codes(sweep_problem *p)
{
    const char *alphabet = sweep_alphabet(p->kernel->planes);
    memset(p->codes, (1 << p->kernel->planes) - 1, sizeof p->codes);
    for (int i = 0; alphabet[i] != '\0'; i++)
        p->codes[(unsigned char)alphabet[i]] =
            (unsigned char)((i * 37) & ((1 << p->kernel->planes) - 1));
}

void sweep_complete_problem(sweep_problem *p, const rhomb__costs *costs, int64_t steps,
                            int directions)
{
    const emulated_sweep *k = p->kernel;
    rhomb__plan *plan = &p->plan;
    assign_codes(p);
    memset(plan, 0, sizeof *plan);
    plan->costs = costs != NULL ? *costs : rhomb__costs_edit();
    plan->target_length = p->letters.a.length;
    plan->query_length = p->letters.b.length;
    plan->planes = k->planes;
    plan->directions = directions;
    plan->sweep = (rhomb__sweep_plan){.sliced = costs != NULL,
                                      .group_size = k->group_size,
                                      .words_per_item = k->item_words,
                                      .lanes = k->lanes,
                                      .blocks_per_launch = (int32_t)steps};
    p->sweep = rhomb__plan_sweep(plan);
}

void sweep_complete_randomly(sweep_problem *p, const rhomb__costs *costs, rng *r)
{
    const int64_t steps = rng_between(r, 1, rng_chance(r, 0.7) ? 4 : 20);
    sweep_complete_problem(p, costs, steps, (int)rng_between(r, 1, 2));
}

int64_t sweep_random_length(const emulated_sweep *kernel, rng *r)
{
    const int64_t strip_rows = sweep_strip_rows(kernel);
    const int64_t strips = rhomb__min(rhomb__max(SWEEP_LONGEST / strip_rows, 2), 5);
    if (rng_chance(r, 0.3))
        return rng_between(r, 1, SWEEP_SHORT);
    if (rng_chance(r, 0.3))
        return rhomb__max(16 * rng_below(r, SWEEP_SHORT / 16 + 1) + rng_between(r, -2, 2), 1);
    return rng_between(r, 1, strips) * strip_rows + rng_between(r, -2, 2);
}

bool sweep_random_pair(sweep_problem *p, const emulated_sweep *kernel, rng *r)
{
    const int64_t length = sweep_random_length(kernel, r);
    const pair_recipe recipe = {.model = (pair_model)rng_below(r, PAIR_MODEL_COUNT),
                                .length = length,
                                .error_rate = (double)rng_below(r, 40) / 100,
                                .spacing = rng_between(r, 1, 40),
                                .longest_indel = rng_between(r, 1, rhomb__max(length / 3, 1)),
                                .alphabet = sweep_alphabet(kernel->planes)};
    p->kernel = kernel;
    pair_make(&recipe, r, &p->letters);
    if (rng_chance(r, 0.3) && p->letters.b.length > 0) /* an end right at an edge */
        p->letters.b.length = rhomb__min(p->letters.b.length, sweep_random_length(kernel, r));
    return p->letters.a.length > 0 && p->letters.b.length > 0;
}

void *sweep_pack(const sweep_problem *p, const rhomb__packing *packing, const letters *these,
                 int64_t most_bases)
{
    const unsigned char *at = (const unsigned char *)these->at;
    void *packed = emulated_pack_sequence(packing, at, these->length, p->codes, most_bases);
    assert_non_null(packed);
    return packed;
}

/* Packs a problem to its place among all; one alone has no more than its own units. */
static void pack_problem(sweep_rig *rig, int64_t index)
{
    const sweep_problem *p = &rig->problems[index];
    const rhomb__sweep_share *share = &rig->shares[index];
    const rhomb__pair_packing packing = rhomb__engine_bitparallel.packing(&p->plan);
    const rhomb__packing *target = &packing.target, *query = &packing.query;
    uint16_t *columns = sweep_pack(p, target, &p->letters.a, INT64_MAX);
    uint32_t *rows = sweep_pack(p, query, &p->letters.b, INT64_MAX);
    if (rig->count == 1) {
        rig->columns = columns;
        rig->rows = rows;
        return;
    }
    const int64_t column_units = target->parts[0].units + target->parts[1].units;
    const int64_t row_units = query->parts[0].units + query->parts[1].units;
    const int64_t first_row = share->first_item * p->kernel->item_words;
    memcpy(&rig->columns[share->first_block * p->plan.planes], columns,
           (size_t)(column_units * target->unit_bytes));
    memcpy(&rig->rows[first_row * p->plan.planes], rows, (size_t)(row_units * query->unit_bytes));
    free(columns);
    free(rows);
}

void sweep_rig_start(sweep_rig *rig, const sweep_problem *problems, int64_t count)
{
    const sweep_problem *p = &problems[0];
    int64_t bytes[RHOMB__SWEEP_BUFFERS];
    memset(rig, 0, sizeof *rig);
    rig->problems = problems;
    rig->count = count;
    rig->shares = calloc((size_t)count, sizeof *rig->shares);
    assert_non_null(rig->shares);
    for (int64_t i = 0; i < count; i++)
        rig->shares[i].sweep = problems[i].sweep;
    rig->totals = rhomb__shares_lay_out(rig->shares, count);
    rhomb__sweeps_bytes(&p->sweep, &rig->totals, bytes);
    if (count > 1) {
        const int64_t planes = p->plan.planes;
        rig->columns = filled_memory(2 * planes * rig->totals.blocks, 1);
        rig->rows = filled_memory(4 * planes * rig->totals.items * p->kernel->item_words, 1);
    }
    for (int64_t i = 0; i < count; i++)
        pack_problem(rig, i);
    rig->records = filled_memory(bytes[RHOMB__SWEEP_STRIPS], 1);
    rig->listed = filled_memory(bytes[RHOMB__SWEEP_LISTED], 1);
    rig->arguments =
        (emulated_sweep_arguments){.rows = rig->rows,
                                   .columns = rig->columns,
                                   .down = filled_memory(bytes[RHOMB__SWEEP_DOWN], 1),
                                   .across = filled_memory(bytes[RHOMB__SWEEP_ACROSS], 1),
                                   .carry = filled_memory(bytes[RHOMB__SWEEP_CARRY], 1),
                                   .strips = rig->records,
                                   .listed = rig->listed,
                                   .steps = (int32_t)p->sweep.shape.steps};
}

void sweep_rig_end(sweep_rig *rig)
{
    free(rig->columns);
    free(rig->rows);
    free(rig->records);
    free(rig->listed);
    free(rig->counts);
    free(rig->shares);
    free(rig->arguments.down);
    free(rig->arguments.across);
    free(rig->arguments.carry);
}

void sweep_rig_begin(sweep_rig *rig, const int64_t *bounds)
{
    const int64_t strips = rig->totals.strips, steps = rig->arguments.steps;
    rig->launches = rig->active[0] = rig->active[1] = 0;
    for (int64_t i = 0; i < rig->count; i++) {
        rig->shares[i].bound = bounds[i];
        rhomb__share_band(&rig->shares[i], bounds[i], rig->records);
        rig->launches = rhomb__max(rig->launches, rig->shares[i].launches);
    }
    for (int64_t i = 0; i < strips; i++) {
        const int64_t g = rhomb__strip_of_owner(&rig->shares[0].sweep.chunks, rig->owner, i / 2);
        rig->listed[i] = (uint32_t)(rig->count == 1 ? 2 * g + i % 2 : i);
    }
    free(rig->counts);
    rig->counts = filled_memory((rig->launches + 1) * (int64_t)sizeof *rig->counts, 1);
    if (rig->count > 1)
        rhomb__shares_count(rig->records, strips, steps, rig->launches, rig->counts);
}

/* Groups of a launch run in any order: here, every other launch goes through them backwards. */
static void launch_listed(sweep_rig *rig, int64_t first, int64_t end)
{
    const emulated_sweep *kernel = rig->problems[0].kernel;
    if (rig->arguments.launch % 2 == 0) {
        rig->arguments.first_listed = first;
        kernel->launch(&rig->arguments, end - first);
        return;
    }
    for (int64_t at = end - 1; at >= first; at--) {
        rig->arguments.first_listed = at;
        kernel->launch(&rig->arguments, 1);
    }
}

void sweep_rig_launch(sweep_rig *rig, int64_t launch)
{
    int64_t first = 0, end = 0;
    rig->arguments.launch = launch;
    if (rig->count == 1) {
        rhomb__sweep_active(&rig->shares[0].sweep, rig->records, launch, &rig->active[0],
                            &rig->active[1]);
        first = 2 * rhomb__strips_owned(&rig->shares[0].sweep.chunks, rig->owner, rig->active[0]);
        end = 2 * rhomb__strips_owned(&rig->shares[0].sweep.chunks, rig->owner, rig->active[1]);
    } else {
        rhomb__shares_list(rig->records, rig->totals.strips, rig->arguments.steps, launch,
                           launch + 1, rig->counts, &end, rig->listed);
    }
    if (first < end)
        launch_listed(rig, first, end);
}

void sweep_rig_finish(sweep_rig *rig, rhomb__sweep_breakpoint *found)
{
    for (int64_t i = 0; i < rig->count; i++) {
        const rhomb__sweep_share *share = &rig->shares[i];
        rhomb_strip *records = sweep_rig_records(rig, i);
        int64_t first = 0, end = 0;
        for (int64_t k = 2; k < rhomb__sweep_records(&share->sweep); k++)
            assert_true(rhomb__strip_is_sound(&share->sweep, &records[k]));
        rhomb__share_take_out(share, rig->records);
        rhomb__sweep_middle(&share->sweep, records, &first, &end);
        found[i] =
            rhomb__sweep_cost(&share->sweep, records, sweep_rig_down(rig, i, 2 * first), first);
    }
}

void sweep_rig_run(sweep_rig *rig, const int64_t *bounds, rhomb__sweep_breakpoint *found)
{
    sweep_rig_begin(rig, bounds);
    for (int64_t launch = 0; launch < rig->launches; launch++)
        sweep_rig_launch(rig, launch);
    sweep_rig_finish(rig, found);
}

rhomb_strip *sweep_rig_records(const sweep_rig *rig, int64_t problem)
{
    return &rig->records[rig->shares[problem].first_record];
}

const uint32_t *sweep_rig_down(const sweep_rig *rig, int64_t problem, int64_t strip)
{
    const rhomb__sweep *sweep = &rig->shares[problem].sweep;
    const int64_t words =
        sweep->strip_rows / RHOMB__WORD_ROWS * rhomb__shape_down_words(&sweep->shape);
    const uint32_t *down = rig->arguments.down;
    return down + (rig->shares[problem].first_record + strip) * words;
}
