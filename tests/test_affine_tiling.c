/* SPDX-License-Identifier: MIT */
/*
 * The geometry of affine wavefronts, against plain matrices of small pairs with gaps at their
 * borders. A launch has to have all diagonals that a best path is on: at the scores that it
 * computes, and at those that later ones look back to. Where both directions are to meet, a best
 * path has a point, as src/planner/affine_tiling.h proves; and tiles cover a window.
 */
#include "src/base/int64.h"
#include "src/planner/affine_paths.h"
#include "src/planner/affine_tiling.h"
#include "support/affine_pair.h"
#include "support/cost_sets.h"
#include "support/test.h"

/* A pair's costs from its beginning and from its end, and its range: all of it, gaps and cost. */
typedef struct affine_model {
    rhomb__costs costs;
    rhomb_subproblem range;
    oracle_vertex *vertices[2];
} affine_model;

enum { PAIRS = 1000, MOST_LAUNCHES = 512, MOST_BEST = 1 << 17 };

/* Launches of a direction, one after the other: the scores [first, last] of each. */
typedef struct chain {
    int64_t first[MOST_LAUNCHES];
    int64_t last[MOST_LAUNCHES];
    int count;
} chain;

static void add_launch(chain *c, int64_t first, int64_t last)
{
    assert_true(c->count < MOST_LAUNCHES);
    c->first[c->count] = first;
    c->last[c->count++] = last;
}

/* A vertex of a path of the least cost, and what it costs in both directions. */
typedef struct best {
    int64_t i, j;
    int32_t kind;
    int64_t score[2];
} best;

typedef struct best_list {
    best at[MOST_BEST];
    int64_t count;
} best_list;

static best_list bests; /* of the present pair */

/* The scores of a kind of vertices that slots hold. */
static int64_t slots_of(const rhomb__costs *costs, int32_t kind)
{
    return kind == RHOMB_GAP_NONE ? rhomb__affine_lookback(costs)
                                  : costs->extend[RHOMB_GAP_PIECE(kind)];
}

static void fail_vertex(const affine_model *model, int direction, int64_t bound, int64_t first,
                        int64_t last, const best *v)
{
    const rhomb__costs *costs = &model->costs;
    const rhomb_subproblem *range = &model->range;
    const rhomb__window window = rhomb__affine_window(costs, range, direction, first, last, bound);
    fail_msg("mismatch %lld, gaps %lld + k * %lld and %lld + k * %lld; %lld by %lld bases, gaps %d "
             "and %d, cost %lld, bound %lld, direction %d: scores [%lld, %lld] are without vertex "
             "(%lld, %lld) of kind %d and score %lld: diagonals [%lld, %lld]",
             (long long)costs->mismatch, (long long)costs->open[0], (long long)costs->extend[0],
             (long long)costs->open[1], (long long)costs->extend[1],
             (long long)range->pair.target_length, (long long)range->pair.query_length,
             (int)range->begin_gap, (int)range->end_gap, (long long)range->pair.distance,
             (long long)bound, direction, (long long)first, (long long)last, (long long)v->i,
             (long long)v->j, (int)v->kind, (long long)v->score[direction], (long long)window.low,
             (long long)window.high);
}

/* A launch has all vertices of best paths with scores that it computes, or keeps from before. */
static void check_launch(const affine_model *model, int direction, int64_t bound, int64_t first,
                         int64_t last)
{
    const rhomb__costs *costs = &model->costs;
    const rhomb_split_pair *all = &model->range.pair;
    const int64_t n = all->target_length, m = all->query_length;
    const rhomb__window window =
        rhomb__affine_window(costs, &model->range, direction, first, last, bound);
    const rhomb__window widest =
        rhomb__affine_window(costs, &model->range, direction, 0, last, bound);
    assert_true(widest.low >= -m && widest.high <= n);
    assert_true(window.low > window.high ||
                (window.low >= widest.low && window.high <= widest.high));
    for (const best *v = bests.at; v < bests.at + bests.count; v++) {
        const int64_t k = direction == 0 ? v->j - v->i : n - m - (v->j - v->i);
        const int64_t held = rhomb__min(first, last - slots_of(costs, v->kind) + 1);
        if (v->score[direction] >= held && v->score[direction] <= last &&
            (k < window.low || k > window.high))
            fail_vertex(model, direction, bound, first, last, v);
    }
}

static void check_chain(const affine_model *model, int direction, int64_t bound, const chain *c)
{
    for (int i = 0; i < c->count; i++)
        check_launch(model, direction, bound, c->first[i], c->last[i]);
}

/* Launches of `scores` scores up to a score. */
static void add_launches(chain *c, int64_t scores, int64_t until)
{
    for (int64_t first = 0; first <= until; first += scores)
        add_launch(c, first, rhomb__min(first + scores - 1, until));
}

static rhomb__costs draw_costs(rng *r)
{
    static const rhomb__costs WFA = {.mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    static const rhomb__costs STEEP = {
        .mismatch = 3, .pieces = 2, .open = {1, 40}, .extend = {9, 3}};
    return rng_chance(r, 0.1)   ? WFA
           : rng_chance(r, 0.1) ? STEEP
                                : random_costs(r, rng_chance(r, 0.7) ? 8 : 30);
}

/*
 * The least cost of what lies before the vertex after j bases of the target and i of the query
 * (direction 0), or after it (direction 1). A gap that it lies within is opened on both sides.
 */
static int64_t cost_at(const affine_model *model, int direction, int64_t i, int64_t j, int32_t kind)
{
    const int64_t n = model->range.pair.target_length, m = model->range.pair.query_length;
    const int64_t at = i * (n + 1) + j;
    return model->vertices[direction][direction == 0 ? at : (m + 1) * (n + 1) - 1 - at].cost[kind];
}

/* Whether a path of the least cost leads through a vertex. */
static bool is_best(const affine_model *model, int64_t i, int64_t j, int32_t kind)
{
    return cost_at(model, 0, i, j, kind) + cost_at(model, 1, i, j, kind) ==
           model->range.pair.distance + rhomb__costs_of_opening(&model->costs, kind);
}

static void affine_model_open(affine_model *model, const pair *p, const rhomb__costs *costs,
                              int32_t begin_gap, int32_t end_gap)
{
    const int64_t n = p->a.length, m = p->b.length;
    const oracle_penalties penalties = costs_penalties(costs);
    *model = (affine_model){.costs = *costs, .range = {{0, n, 0, m, 0}, begin_gap, end_gap}};
    for (int direction = 0; direction < 2; direction++) {
        const plain_pair texts = {p->a.at, n, p->b.at, m, direction == 1};
        model->vertices[direction] =
            oracle_gotoh_matrix(&texts, &penalties, direction == 0 ? begin_gap : end_gap);
    }
    model->range.pair.distance =
        oracle_gotoh_end(&model->vertices[0][(m + 1) * (n + 1) - 1], &penalties, end_gap);
}

static void affine_model_close(affine_model *model)
{
    free(model->vertices[0]);
    free(model->vertices[1]);
}

static void list_best(const affine_model *model)
{
    const rhomb_split_pair *all = &model->range.pair;
    bests.count = 0;
    for (int64_t i = 0; i <= all->query_length; i++)
        for (int64_t j = 0; j <= all->target_length; j++)
            for (int32_t kind = 0; kind < ORACLE_KINDS; kind++) {
                if (!is_best(model, i, j, kind))
                    continue;
                assert_true(bests.count < MOST_BEST);
                bests.at[bests.count++] = (best){
                    i, j, kind, {cost_at(model, 0, i, j, kind), cost_at(model, 1, i, j, kind)}};
            }
}

static void draw_model(affine_model *model, bool has_borders, rng *r)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    const rhomb__costs costs = draw_costs(r);
    affine_bordered_pair(50, rng_chance(r, 0.5) ? 50 : 5, r, &p);
    affine_model_open(model, &p, &costs, has_borders ? random_gap(r, &costs) : 0,
                      has_borders ? random_gap(r, &costs) : 0);
    list_best(model);
    pair_release(&p);
}

/* As host/splits/split_affine.c goes to the first stage, and from there to each of them. */
static void check_stages(const affine_model *model, int64_t scores)
{
    for (int direction = 0; direction < 2; direction++) {
        for (int stage = 0; stage < rhomb__affine_stages(&model->costs); stage++) {
            const int64_t cost = model->range.pair.distance;
            chain c = {.count = 0};
            int64_t first[2], until[2];
            rhomb__affine_until(&model->costs, cost, 0, first);
            rhomb__affine_until(&model->costs, cost, stage, until);
            add_launches(&c, scores, first[direction]);
            if (until[direction] > first[direction])
                add_launch(&c, first[direction] + 1, until[direction]);
            check_chain(model, direction, cost, &c);
        }
    }
}

static void test_stages(void **state)
{
    int many = 0;
    for (int64_t index = 0; index < PAIRS; index++) {
        rng r = rng_for("affine stages", index);
        affine_model model;
        draw_model(&model, true, &r);
        const int64_t look = rhomb__affine_lookback(&model.costs),
                      scores = rng_between(&r, look + 2, 2 * look + 4);
        if (model.range.pair.distance > 2 * look)
            check_stages(&model, scores);
        many += model.range.pair.distance > 3 * scores;
        affine_model_close(&model);
    }
    assert_true(many > PAIRS / 4);
}

/* Whether both directions are at one vertex with this score or less. */
static bool have_met(const affine_model *model, int64_t score)
{
    const rhomb_split_pair *all = &model->range.pair;
    for (int64_t i = 0; i <= all->query_length; i++)
        for (int64_t j = 0; j <= all->target_length; j++)
            for (int32_t kind = 0; kind < ORACLE_KINDS; kind++)
                if (cost_at(model, 0, i, j, kind) <= score &&
                    cost_at(model, 1, i, j, kind) <= score)
                    return true;
    return false;
}

/* Whether a direction has come to a vertex, in M at least, and stays for launches that follow. */
static bool stays(const affine_model *model, int direction, const best *v, int64_t bound,
                  const chain *c)
{
    const rhomb_split_pair *all = &model->range.pair;
    const int64_t apart = all->target_length - all->query_length, k = v->j - v->i;
    const int64_t diagonal = direction == 0 ? k : apart - k;
    if (v->score[direction] > c->last[c->count - 1])
        return false;
    for (int i = 0; i < c->count; i++) {
        const rhomb__window window = rhomb__affine_window(&model->costs, &model->range, direction,
                                                          c->first[i], c->last[i], bound);
        if (c->last[i] >= v->score[direction] && (diagonal < window.low || diagonal > window.high))
            return false;
    }
    return true;
}

/* Whether a look sees that both have come to a vertex of a best path. It may see others. */
static bool see_best(const affine_model *model, int64_t bound, const chain *c)
{
    for (const best *v = bests.at; v < bests.at + bests.count; v++) {
        if (stays(model, 0, v, bound, c) && stays(model, 1, v, bound, c))
            return true;
    }
    return false;
}

/*
 * Adds a launch, unless a look after it sees that both have met: as early as can be, or at the
 * latest.
 */
static bool add_unless_met(const affine_model *model, bool early, int64_t bound, int64_t last,
                           chain *c)
{
    add_launch(c, c->count > 0 ? c->last[c->count - 1] + 1 : 0, last);
    const bool met = early ? have_met(model, last) : see_best(model, bound, c);
    c->count -= met;
    return !met;
}

/* The launches of narrow() in engine_affine.c that count; the last score that has not met. */
static int64_t narrow(const affine_model *model, bool early, int64_t bound, int64_t scores,
                      chain *c)
{
    int64_t from = -1;
    while (add_unless_met(model, early, bound, from + scores, c))
        from += scores;
    for (int64_t met_at = from + scores; met_at - from > 1;) {
        const int64_t middle = from + (met_at - from) / 2;
        if (add_unless_met(model, early, bound, middle, c))
            from = middle;
        else
            met_at = middle;
    }
    return from;
}

/* A best path has a vertex of a score that is held, whose rest the search looks at. */
static void check_search(const affine_model *model, int64_t from)
{
    const int64_t last = from + rhomb__affine_lookback(&model->costs) + 1;
    bool found = false;
    for (const best *v = bests.at; v < bests.at + bests.count; v++)
        found |= v->score[0] <= from && v->score[0] > from - slots_of(&model->costs, v->kind) &&
                 v->score[1] > from && v->score[1] <= last;
    if (!found)
        fail_msg("no point with a score up to %lld of a path that costs %lld", (long long)from,
                 (long long)model->range.pair.distance);
}

/* As engine_affine.c goes: to where they have not met, and from there in one launch. */
static void test_pairs(void **state)
{
    for (int64_t index = 0; index < PAIRS; index++) {
        rng r = rng_for("affine pairs", index);
        affine_model model;
        chain c = {.count = 0};
        draw_model(&model, false, &r);
        const int64_t cost = model.range.pair.distance;
        const int64_t look = rhomb__affine_lookback(&model.costs);
        const int64_t bound = cost + (rng_chance(&r, 0.5) ? 0 : rng_below(&r, 2 * look));
        const int64_t from =
            narrow(&model, index % 2 == 0, bound, rng_between(&r, look + 2, 2 * look + 4), &c);
        if (cost == 0) /* empty, or equal: there is nothing to search for */
            assert_int_equal(from, -1);
        for (int direction = 0; cost > 0 && direction < 2; direction++) {
            check_chain(&model, direction, bound, &c);
            for (int64_t to = from + 1; to <= from + look + 1; to++)
                check_launch(&model, direction, bound, from + 1, to);
        }
        if (cost > 0 && from >= 0)
            check_search(&model, from);
        affine_model_close(&model);
    }
}

/* A look sees that both directions have met, at the latest after the launch that proves the cost.
 */
static void test_looks(void **state)
{
    for (int64_t index = 0; index < PAIRS; index++) {
        rng r = rng_for("affine looks", index);
        affine_model model;
        chain c = {.count = 0};
        bool seen = false;
        draw_model(&model, false, &r);
        const int64_t cost = model.range.pair.distance;
        const int64_t look = rhomb__affine_lookback(&model.costs);
        const int64_t scores = rng_between(&r, look + 2, 2 * look + 4);
        int64_t last = -1;
        for (; !seen && 2 * last - look < cost; last += scores) {
            add_launch(&c, last + 1, last + scores);
            seen = see_best(&model, cost, &c);
        }
        assert_true(seen);
        affine_model_close(&model);
    }
}

/* Whether a stage has a point of a best path within the slots; checks what its key says. */
static bool has_point(const affine_model *model, int stage)
{
    const rhomb__costs *costs = &model->costs;
    const int64_t cost = model->range.pair.distance;
    const int piece = rhomb__affine_stage_piece(costs, stage);
    int64_t until[2];
    bool found = false;
    rhomb__affine_until(costs, cost, stage, until);
    for (const best *v = bests.at; v < bests.at + bests.count; v++) {
        const int64_t behind = until[0] - v->score[0], slots = slots_of(costs, v->kind);
        if (piece != (v->kind == RHOMB_GAP_NONE ? 0 : RHOMB_GAP_PIECE(v->kind) + 1) || behind < 0 ||
            behind >= slots || v->score[1] > until[1] || v->score[1] <= until[1] - slots)
            continue;
        const rhomb_affine_point point = {RHOMB_AFFINE_KEY(v->j - v->i + 1000, v->kind, behind),
                                          v->j};
        const rhomb__affine_breakpoint b = rhomb__affine_breakpoint_of(costs, &point, -1000, cost);
        assert_true(b.target == v->j && b.query == v->i && b.gap == v->kind);
        assert_int_equal(b.cost, v->score[0] - rhomb__costs_of_opening(costs, v->kind));
        found = true;
    }
    return found;
}

static void test_points(void **state)
{
    int within_gaps = 0, outside = 0;
    for (int64_t index = 0; index < PAIRS; index++) {
        rng r = rng_for("affine points", index);
        affine_model model;
        draw_model(&model, true, &r);
        const int stages = rhomb__affine_stages(&model.costs);
        int found = 0, stage = 0;
        if (model.range.pair.distance > 2 * rhomb__affine_lookback(&model.costs)) {
            for (; stage < stages; stage++)
                found += has_point(&model, stage) << stage;
            assert_int_not_equal(found, 0);
            within_gaps += found >> (stages - 1) == 0;
            outside += found == 1 << (stages - 1);
        }
        affine_model_close(&model);
    }
    assert_true(within_gaps > PAIRS / 50 && outside > PAIRS / 50);
}

/* Scores of stages grow, as each starts from the first one's. */
static void test_until(void **state)
{
    for (int64_t index = 0; index < PAIRS; index++) {
        rng r = rng_for("affine stages' scores", index);
        const rhomb__costs costs = draw_costs(&r);
        const int64_t look = rhomb__affine_lookback(&costs);
        const int64_t cost = 2 * look + 1 + rng_below(&r, 100);
        int64_t before[2] = {0, 0}, until[2];
        for (int stage = 0; stage < rhomb__affine_stages(&costs); stage++) {
            const int piece = rhomb__affine_stage_piece(&costs, stage);
            const int64_t next =
                piece == 0 ? look : costs.open[piece - 1] + costs.extend[piece - 1];
            rhomb__affine_until(&costs, cost, stage, until);
            assert_int_equal(until[0] + until[1], cost + next - 1);
            assert_true(until[1] - until[0] >= 0 && until[1] - until[0] <= 1);
            assert_true(until[0] >= before[0] && until[1] >= before[1]);
            /* One launch is enough from the first stage on. */
            assert_true(stage == 0 || until[0] - before[0] <= look);
            memcpy(before, until, sizeof before);
        }
        assert_int_equal(rhomb__affine_stage_piece(&costs, costs.pieces), 0);
    }
}

/*
 * What tiles store: each diagonal of a window once; and one more than their margins, at least. They
 * come from the middle outwards: in turns the next one above and the next one below.
 */
static void test_tiles(void **state)
{
    for (int64_t index = 0; index < 10 * PAIRS; index++) {
        rng r = rng_for("affine tiles", index);
        rhomb__affine_shape shape = {.costs = draw_costs(&r)};
        shape.scores = rhomb__affine_lookback(&shape.costs) + 2 + rng_below(&r, 40);
        const int64_t margin = rhomb__affine_margin(&shape);
        const int64_t extend = rhomb__costs_least_extend(&shape.costs);
        assert_true(margin * extend >= shape.scores && (margin - 1) * extend < shape.scores);
        shape.diagonals = 2 * margin + 1 + rng_below(&r, 60);
        const rhomb__window window = {rng_between(&r, -200, 200), rng_between(&r, -200, 200)};
        const int64_t tiles = rhomb__affine_tiles(&shape, window);
        const int64_t pitch = shape.diagonals - 2 * margin;
        int64_t low = tiles > 0 ? rhomb__affine_tile_first(&shape, window, 0) : 0;
        int64_t end = low; /* [low, end) is stored so far, but for the margins */
        for (int64_t rank = 0; rank < tiles; rank++) {
            const int64_t first = rhomb__affine_tile_first(&shape, window, rank);
            assert_int_equal(first, rank % 2 != 0 ? low - pitch : end);
            low = rhomb__min(low, first);
            end = rhomb__max(end, first + pitch);
        }
        assert_true(tiles == 0 ? window.low > window.high
                               : low + margin == window.low && end + margin > window.high &&
                                     end + margin - pitch <= window.high);
    }
}

/* What costs look back to, and what memory and tiles have for it. */
static void test_sizes(void **state)
{
    const rhomb__costs one = {.mismatch = 7, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    const rhomb__costs two = {.mismatch = 8, .pieces = 2, .open = {8, 24}, .extend = {2, 1}};
    rhomb__costs large = {.mismatch = 1, .pieces = 1, .open = {1023, 0}, .extend = {1, 0}};
    assert_int_equal(rhomb__affine_lookback(&one), 7);
    assert_int_equal(rhomb__affine_lookback(&two), 25);
    assert_int_equal(rhomb__affine_slots(&one), 7 + 2);
    assert_int_equal(rhomb__affine_slots(&two), 25 + 4 + 2);
    assert_int_equal(rhomb__affine_rows(&one, false), 7 + 2 + 3);
    assert_int_equal(rhomb__affine_rows(&two, false), 25 + 4 + 2 + 5);
    assert_int_equal(rhomb__affine_rows(&one, true), 0);
    assert_int_equal(rhomb__affine_rows(&two, true), 25);
    assert_int_equal(rhomb__affine_rows(&large, true), 1024);
    assert_true(rhomb__affine_can(&large));
    large.open[0]++;
    assert_false(rhomb__affine_can(&large));
}

/* What costs too little for wavefronts to meet is a base case, however large its trace and long
 * the subproblem is. */
static void test_unsplit(void **state)
{
    const rhomb__costs wfa = {.mismatch = 2, .pieces = 1, .open = {3, 0}, .extend = {1, 0}};
    const rhomb__costs large = {.mismatch = 600, .pieces = 1, .open = {999, 0}, .extend = {1, 0}};
    rhomb_subproblem range = {.pair = {0, 3000, 0, 3000, 2000}, .end_gap = RHOMB_GAP_I};
    assert_false(rhomb__affine_path_is_base_case(&wfa, &range));
    assert_true(rhomb__affine_path_is_base_case(&large, &range));
    range.pair.distance++;
    assert_false(rhomb__affine_path_is_base_case(&large, &range));
    range.pair.target_length = range.pair.query_length = RHOMB__AFFINE_PATH_MOST_BASES;
    assert_false(rhomb__affine_path_is_long(&range));
    range.pair.query_length++;
    assert_true(rhomb__affine_path_is_long(&range));
    assert_false(rhomb__affine_path_is_base_case(&large, &range));
    range.pair.distance--;
    assert_true(rhomb__affine_path_is_base_case(&large, &range));
}

TEST_MAIN(test_stages, test_pairs, test_looks, test_points, test_until, test_tiles, test_sizes,
          test_unsplit)
