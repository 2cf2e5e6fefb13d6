/* SPDX-License-Identifier: MIT */
/*
 * Many short pairs with gap-affine costs, end to end, in bit planes (bitsliced/bitsliced.clh):
 * costs, and paths. For pairs with so many edits that the whole matrix takes less than wavefronts.
 *
 * job.team_items work-items of a group are a *team*, which has a pair. A work-item sweeps *strips*
 * of ITEM_ROWS rows, one after the other, each one LAG blocks of columns after the item above, as
 * in bitsliced.cl; here the border of a strip goes through memory, as the team's last item leaves
 * it for the first one's next strip. There is a barrier a block.
 *
 *              target            item 0   strip 0, then strip 2, ...
 *           +------------+       item 1   strip 1, then strip 3, ...
 *     query |  strip 0   |
 *           |------------| <- border, BORDER_WORDS a block
 *           |  strip 1   |
 *           |------------|
 *           |  strip 2   |       rounds of `turn` blocks, so that item 0 finds what the last item
 * left
 *           +------------+
 *
 * All teams of a group go through as many steps as the largest of their pairs takes.
 *
 * *Paths.* For each cell MARK_PLANES bits go to memory (see rhomb_marks), a record of 32 cells for
 * each word, side by side for the items of a group: half a byte a cell. Teams walk back through
 * them, each item looking at a cell ahead. Of the cheapest paths it takes the one that
 * batch_affine.cl finds: up to the cost at which that one goes by wavefronts, gaps come before
 * matches, as wavefronts look for the furthest offset that an edit leads to; above it, matches come
 * first, as in its matrix.
 *
 * Lower bounds on an H100 at 4,6,2: 66 operations for 32 cells without marks are 8.1e12 cells a
 * second (16.7e12 operations); of 1,000 bp in teams of 4 with 2 words an item 0.86 are computed in
 * vain nowhere, so 7.0e12. With marks 84 operations, and 0.55 bytes a cell are 1.7e12 bytes a
 * second at 3.2e12 cells.
 */
#include "affine/affine_path_back.clh"
#include "batch/batch_pack.clh"
#include "bitsliced/bitsliced_edges.clh"

#if RHOMB_LANES != 1
#    error "RHOMB_LANES must be 1"
#endif

/* As in affine/affine_path_matrix.clh and affine/affine_path_waves.clh. */
#define LEAST_EXTEND  LAST_EXTEND
#define MISMATCH_COST (RHOMB_REPLACED ? TOP + 1 : RHOMB_MISMATCH)
#define M_ROWS                                                                              \
    RHOMB_AFFINE_PATH_M_ROWS(RHOMB_REPLACED ? 0 : RHOMB_MISMATCH, RHOMB_OPEN, RHOMB_EXTEND, \
                             RHOMB_OPEN_2, RHOMB_EXTEND_2)
#include "batch/batch_costs.clh"

#if !defined(RHOMB_LOCAL)
#    define RHOMB_LOCAL __local
#endif

#define GROUP      RHOMB_GROUP_SIZE
#define ITEM_ROWS  RHOMB_BATCH_SLICED_ROWS(WORDS)
#define ALL_MEMORY (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* What one work-item knows of its team. */
typedef struct sliced_team {
    int lane;
    int item;  /* its number in the team */
    int team;  /* the team's number in the group */
    int items; /* of the team */
} sliced_team;

/* The steps of the largest pairs of a group. */
typedef struct sliced_steps {
    int blocks; /* of columns */
    int turn;   /* blocks from one strip of an item to the next one */
    int steps;
    int whole; /* blocks before this one have all columns, in all pairs */
} sliced_steps;

/* Border and marks. */
typedef struct sliced_memory {
    __global uint *border; /* word by word, of the group's teams side by side */
    __global rhomb_marks *marks;
} sliced_memory;

/* The group's shared memory; by teams, sums by items. */
typedef struct sliced_shared {
    uint first; /* of the list's pairs */
    int other[GROUP];
    int blocks[GROUP];
    int whole[GROUP];
    int strips[GROUP];
    rhomb_i64 sums[GROUP];
    /* Of walks; by items what they have seen. */
    int rows[GROUP];
    int columns[GROUP];
    int gaps[GROUP];
    int matches_first[GROUP];
    int seen[GROUP];
} sliced_shared;

static inline sliced_steps steps_for(const int blocks, const int strips, const int items)
{
    sliced_steps s;
    s.blocks = s.whole = blocks;
    s.turn = RHOMB_BATCH_SLICED_TURN(WORDS, blocks, items);
    s.steps = RHOMB_BATCH_SLICED_STEPS(WORDS, blocks, strips, items);
    return s;
}

/*
 * Memory of a group for pairs up to that length, in words. It is that of a square, as a group may
 * have one pair with a long target and one with a long query.
 */
static inline rhomb_i64 border_cells(const sliced_steps *s, const int teams)
{
    return RHOMB_BATCH_SLICED_BORDER((rhomb_i64)s->blocks * BORDER_WORDS * teams);
}

/* Whether a group of pairs of that size has room. */
static inline bool has_room(const int m, const int n, const sliced_team *t,
                            const rhomb_i64 group_cells)
{
    const int longer = max(m, n);
    const sliced_steps s =
        steps_for((longer + BLOCK - 1) / BLOCK, (longer + ITEM_ROWS - 1) / ITEM_ROWS, t->items);
    const rhomb_i64 marks =
        RHOMB_PATH ? (rhomb_i64)s.steps * BLOCK * WORDS * GROUP * MARK_PLANES : 0;
    return (rhomb_i64)m * n <= RHOMB_BATCH_SLICED_CELLS &&
           border_cells(&s, GROUP / t->items) + marks <= group_cells;
}

/* A word with its bits in the opposite order. */
static inline uint reversed(uint bits)
{
    bits = (bits >> 1 & 0x55555555u) | (bits & 0x55555555u) << 1;
    bits = (bits >> 2 & 0x33333333u) | (bits & 0x33333333u) << 2;
    bits = (bits >> 4 & 0x0f0f0f0fu) | (bits & 0x0f0f0f0fu) << 4;
    bits = (bits >> 8 & 0x00ff00ffu) | (bits & 0x00ff00ffu) << 8;
    return bits >> 16 | bits << 16;
}

/* A plane of the 32 symbols from `at` on, the first in the top bit. */
static inline uint symbols_from(__global const uint *packed, const int at, const int plane)
{
    const int word = (at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_PLANES + plane;
    const int shift = at & (RHOMB_WORD_SYMBOLS - 1);
    const uint high = packed[word] << shift;
    return shift == 0 ? high : high | packed[word + RHOMB_PLANES] >> (32 - shift);
}

/* Begins a strip whose first row is `first`: a vertical gap leads to each of its rows. */
static inline void begin_strip(rhomb_rows *r, const batch_place *p, const int first)
{
    const rhomb_i32 nothing_saved[2] = {0, 0};
    _Pragma("unroll") for (int w = 0; w < WORDS; w++)
    {
        const int row = first + 32 * w;
        uint u[U_PLANES];
        run_planes(nothing_saved, row, u);
        _Pragma("unroll") for (int k = 0; k < U_PLANES; k++)
        {
            r->u[w][k] = u[k];
            r->below[w].v[k] = 0;
        }
        _Pragma("unroll") for (int k = 0; k < X_PLANES; k++)
        {
            r->y[w][k] = r->below[w].x[k] = 0;
        }
        _Pragma("unroll") for (int k = 0; k < X2_PLANES; k++)
        {
            r->y2[w][k] = r->below[w].x2[k] = 0;
        }
        _Pragma("unroll") for (int plane = 0; plane < RHOMB_PLANES; plane++)
        {
            const uint rows = row < p->m ? symbols_from(p->query, p->query_shift + row, plane) : 0;
            r->symbols[w][plane] = ~reversed(rows);
            r->columns[w][plane] = 0;
        }
        r->active[w] = 0;
    }
}

/* What the last column adds to costs from row `first` on, up to the query's last row. */
static inline int growth_of(const rhomb_rows *r, const batch_place *p, const int first)
{
    int grown = 0;
    _Pragma("unroll") for (int w = 0; w < WORDS; w++)
    {
        const int rows = clamp(p->m - first - 32 * w, 0, 32);
        const uint mask = rows == 32 ? 0xffffffffu : (1u << rows) - 1;
        grown += rows * FIRST;
        _Pragma("unroll") for (int k = 0; k < U_PLANES; k++)
        {
            grown -= (int)popcount(r->u[w][k] & mask) << k;
        }
    }
    return grown;
}

/* What a strip's first row finds above in a block: the border, or a horizontal gap. */
static inline void fetch_above(const sliced_memory *memory, const sliced_team *t, const int strip,
                               const int block, uint *above)
{
    const rhomb_i32 nothing_saved[2] = {0, 0};
    if (strip == 0) {
        border_after(nothing_saved, block, above);
        return;
    }
    _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
    {
        above[i] = memory->border[(block * BORDER_WORDS + i) * (GROUP / t->items) + t->team];
    }
}

/* An item's block of a strip; `made` is for the marks of the step. */
static inline void sweep_step(rhomb_rows *r, const batch_place *p, const sliced_memory *memory,
                              const sliced_team *t, const int strip, const int block,
                              const bool is_whole, __global rhomb_marks *made)
{
    const int columns = clamp(p->n - block * BLOCK, 0, BLOCK);
    uint above[BORDER_WORDS], symbols[RHOMB_PLANES];
    rhomb_border in, below;
    _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
    {
        above[i] = 0;
    }
    if (columns > 0)
        fetch_above(memory, t, strip, block, above);
    _Pragma("unroll") for (int plane = 0; plane < RHOMB_PLANES; plane++)
    {
        symbols[plane] =
            columns > 0 ? symbols_from(p->target, p->target_shift + block * BLOCK, plane) : 0;
    }
    unpack_border(above, &in);
    if (is_whole)
        sweep_block(r, &in, symbols, &below, false, 0, made);
    else
        sweep_block(r, &in, symbols, &below, true, columns == 0 ? 0 : 0xffffffffu << (32 - columns),
                    made);
    pack_border(&below, above);
    _Pragma("unroll") for (int i = 0; i < BORDER_WORDS; i++)
    {
        if (block >= PASSAGE)
            memory->border[((block - PASSAGE) * BORDER_WORDS + i) * (GROUP / t->items) + t->team] =
                above[i];
    }
}

/* Sweeps a team's pair, if it has one; returns what the last column adds in the item's rows. */
static inline rhomb_i64 sweep(const batch_place *p, const sliced_steps *s,
                              const sliced_memory *memory, const sliced_team *t, const bool has)
{
    const int blocks = has ? (p->n + BLOCK - 1) / BLOCK : 0;
    const int strips = has ? (p->m + ITEM_ROWS - 1) / ITEM_ROWS : 0;
    rhomb_i64 grown = 0;
    rhomb_rows r;
    int strip = t->item, block = -t->item * LAG, first_block = 0;
    begin_strip(&r, p, 0);
    for (int step = 0; step < s->steps; step++) {
        const bool here = block >= 0 && block < blocks + PASSAGE && strip < strips;
        /* The same for all items, as in bitsliced.cl: none is in its first or last blocks. */
        const bool is_whole =
            first_block - (t->items - 1) * LAG >= PASSAGE && first_block < s->whole;
        if (here && block == 0)
            begin_strip(&r, p, strip * ITEM_ROWS);
        if (here)
            sweep_step(
                &r, p, memory, t, strip, block, is_whole,
                RHOMB_PATH ? memory->marks + (rhomb_i64)step * BLOCK * WORDS * GROUP + t->lane : 0);
        if (here && block == blocks + PASSAGE - 1)
            grown += growth_of(&r, p, strip * ITEM_ROWS);
        block++;
        first_block++;
        if (block == s->turn) {
            block = 0;
            strip += t->items;
        }
        if (first_block == s->turn)
            first_block = 0;
        barrier(ALL_MEMORY);
    }
    return grown;
}

#if RHOMB_PATH

/* Bits of marks: plane `plane` of the cell of row i and column j, both from 1 on. */
static inline uint mark_at(const sliced_memory *memory, const sliced_steps *s, const sliced_team *t,
                           const int i, const int j, const int plane)
{
    const int row = i - 1, strip = row / ITEM_ROWS, here = row % ITEM_ROWS;
    const int step = (strip % t->items) * LAG + strip / t->items * s->turn;
    const rhomb_i64 column = (rhomb_i64)step * BLOCK + (j - 1) + here;
    const rhomb_i64 at =
        (column * WORDS + here / 32) * GROUP + t->team * t->items + strip % t->items;
    return memory->marks[at].planes[plane] >> here % 32 & 1u;
}

static inline int code_at(const sliced_memory *memory, const sliced_steps *s, const sliced_team *t,
                          const int i, const int j)
{
    uint code = 0;
    _Pragma("unroll") for (int plane = 0; plane < MARK_CODES; plane++)
    {
        code |= mark_at(memory, s, t, i, j, plane) << plane;
    }
    return (int)code;
}

/* Where a team's walk has come to, by its first item. */
typedef struct sliced_walk {
    int i;
    int j;
    int gap; /* that it is within */
    bool matches_first;
    uint first; /* an operation that is not written yet */
    __global uint *at;
} sliced_walk;

/*
 * What the team's item `ahead` sees that many cells further on, if the path goes on as it does:
 * outside a gap MATCH, MISMATCH or OPENED and the gap; within one EXTENDED or not. END where the
 * path has come to the first row or column.
 */
#    define LOOK_MATCH    0
#    define LOOK_MISMATCH 1
#    define LOOK_OPENED   2
#    define LOOK_EXTENDED 16
#    define LOOK_CLOSED   17
#    define LOOK_END      18

static inline int look_ahead(const batch_place *p, const sliced_memory *memory,
                             const sliced_steps *s, const sliced_team *t, const int i, const int j,
                             const int gap, const bool matches_first)
{
    if (i <= 0 || j <= 0)
        return LOOK_END;
    if (gap != RHOMB_GAP_NONE)
        return mark_at(memory, s, t, i, j, MARK_EXTENDED(gap)) != 0 ? LOOK_EXTENDED : LOOK_CLOSED;
    const bool equal =
        base_at(p->query, p->query_shift + i - 1) == base_at(p->target, p->target_shift + j - 1);
    const int code = equal && matches_first ? RHOMB_GAP_NONE : code_at(memory, s, t, i, j);
    if (code != RHOMB_GAP_NONE)
        return LOOK_OPENED + code;
    return equal ? LOOK_MATCH : LOOK_MISMATCH;
}

/* Goes on as far as the team has seen; by its first item. */
static inline void walk_on(sliced_walk *w, RHOMB_LOCAL const int *seen, const int count)
{
    for (int ahead = 0; ahead < count && seen[ahead] != LOOK_END; ahead++) {
        const int look = seen[ahead];
        if (look == LOOK_CLOSED) {
            w->gap = RHOMB_GAP_NONE;
            return;
        }
        if (look == LOOK_MATCH || look == LOOK_MISMATCH) {
            w->at =
                put_before(w->at, &w->first, look == LOOK_MATCH ? RHOMB_BATCH_EQ : RHOMB_BATCH_X);
            w->i--;
            w->j--;
            continue;
        }
        if (look != LOOK_EXTENDED)
            w->gap = look - LOOK_OPENED;
        w->at =
            put_before(w->at, &w->first, RHOMB_GAP_IS_I(w->gap) ? RHOMB_BATCH_I : RHOMB_BATCH_D);
        w->i -= RHOMB_GAP_IS_I(w->gap) ? 1 : 0;
        w->j -= RHOMB_GAP_IS_I(w->gap) ? 0 : 1;
        if (look != LOOK_EXTENDED)
            return;
    }
}

/* What is left of a path that has come to the first row or column: one gap. */
static inline void walk_out(sliced_walk *w)
{
    for (; w->i > 0; w->i--)
        w->at = put_before(w->at, &w->first, RHOMB_BATCH_I);
    for (; w->j > 0; w->j--)
        w->at = put_before(w->at, &w->first, RHOMB_BATCH_D);
    *--w->at = w->first;
}

/*
 * All teams of a group walk back side by side. In each turn a team's items look at as many cells
 * along the path, and its first item takes what holds. `w` is the first item's; a team without a
 * path has none to go.
 */
static inline void walk(sliced_walk *w, const batch_place *p, const sliced_memory *memory,
                        const sliced_steps *s, const sliced_team *t,
                        RHOMB_LOCAL sliced_shared *shared)
{
    for (bool going = true; going;) {
        if (t->item == 0) {
            shared->rows[t->team] = w->i;
            shared->columns[t->team] = w->j;
            shared->gaps[t->team] = w->gap;
            shared->matches_first[t->team] = w->matches_first;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int gap = shared->gaps[t->team];
        const int i =
            shared->rows[t->team] - (gap == RHOMB_GAP_NONE || RHOMB_GAP_IS_I(gap) ? t->item : 0);
        const int j =
            shared->columns[t->team] - (gap != RHOMB_GAP_NONE && RHOMB_GAP_IS_I(gap) ? 0 : t->item);
        going = false;
        for (int team = 0; team < GROUP / t->items; team++)
            going |= shared->rows[team] > 0 && shared->columns[team] > 0;
        shared->seen[t->lane] =
            look_ahead(p, memory, s, t, i, j, gap, shared->matches_first[t->team] != 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t->item == 0)
            walk_on(w, &shared->seen[t->lane], t->items);
    }
}

#endif

/*
 * Solves the pairs of a level: those of list number job.level, or with `all` all pairs in order;
 * arguments as in batch_affine.cl. Pairs without room go on to level job.next. `memory` has
 * job.group_cells for each group.
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void rhomb_batch_sliced(
    __global const uint *restrict bases, __global const uchar *restrict flags,
    __global const rhomb_batch_pair *restrict pairs, __global uint *restrict lists,
    __global rhomb_batch_scored *restrict answers, __global uint *restrict cigars,
    __global uint *memory, __global rhomb_batch_counts *restrict counts, const rhomb_u32 list_pitch,
    const rhomb_batch_affine_job job, const rhomb_i32 all)
{
    __local sliced_shared memory_of_group;
    /* Not a constant address, see batch_local_items.clh. */
    RHOMB_LOCAL sliced_shared *shared = &memory_of_group + get_group_id(1);
    const int lane = (int)get_local_id(0), teams = GROUP / job.team_items;
    const sliced_team t = {lane, lane % job.team_items, lane / job.team_items, job.team_items};
    const uint listed = counts->listed[job.level];
    const uint pairs_at = counts->pairs_at, answers_at = counts->answers_at;
    const bool others = counts->others != 0;
    __global const uint *list = lists + (ulong)job.level * list_pitch;
    __global uint *next_list = lists + (ulong)job.next * list_pitch;
    __global uint *own = memory + (rhomb_i64)get_group_id(0) * job.group_cells;
    for (;;) {
        barrier(ALL_MEMORY);
        if (lane == 0)
            shared->first = atomic_add(&counts->taken[job.level], (uint)teams);
        shared->other[lane] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (shared->first >= listed)
            return;
        const uint turn = shared->first + (uint)t.team;
        const bool has = turn < listed;
        const uint taken = has ? turn : shared->first;
        const uint index = all ? taken : list[taken];
        const rhomb_batch_pair at = pairs[pairs_at + index];
        rhomb_batch_scored answer = {RHOMB_BATCH_FOUND, 0, 0, at.target_length, 0,
                                     at.query_length,   0, 0};
        if (job.known)
            answer = answers[answers_at + index];
        const batch_place p = batch_place_of(bases, &at, &answer);
        const int most = most_cost(p.m, p.n);
        const bool trivial = p.m == 0 || p.n == 0;
        const bool fits = most < MOST_COST && has_room(p.m, p.n, &t, job.group_cells);
        const bool solves = has && fits && !trivial && answer.kind == RHOMB_BATCH_FOUND;
        if (t.item == 0) {
            shared->blocks[t.team] = solves ? (p.n + BLOCK - 1) / BLOCK : 0;
            shared->whole[t.team] = solves ? p.n / BLOCK : 0x7fffffff;
            shared->strips[t.team] = solves ? (p.m + ITEM_ROWS - 1) / ITEM_ROWS : 0;
        }
        if (others && has && !job.known &&
            (batch_has_other(flags, at.query_at, p.m, t.item, t.items) ||
             batch_has_other(flags, at.target_at, p.n, t.item, t.items)))
            shared->other[t.team] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        int blocks = 0, strips = 0, whole = 0x7fffffff;
        for (int team = 0; team < teams; team++) {
            blocks = max(blocks, shared->blocks[team]);
            strips = max(strips, shared->strips[team]);
            whole = min(whole, shared->whole[team]);
        }
        sliced_steps s = steps_for(blocks, strips, t.items);
        s.whole = whole;
        sliced_memory m;
        m.border = own;
        m.marks = (__global rhomb_marks *)(own + border_cells(&s, teams));
        shared->sums[lane] = sweep(&p, &s, &m, &t, solves);
        barrier(ALL_MEMORY);
        batch_limits l = {-1, job.max_cost >= 0 ? min(job.max_cost, most) : most, 0, 0};
        if (job.known)
            l.known = known_cost(&job, p.m, p.n, answer.score);
        rhomb_i64 cost = gap_cost(p.n);
        for (int item = 0; item < t.items; item++)
            cost += shared->sums[t.team * t.items + item];
        if (trivial)
            cost = gap_cost(p.m + p.n);
        const bool other = shared->other[t.team] != 0;
        const bool answers_it = has && !other && answer.kind == RHOMB_BATCH_FOUND;
        const int judged = trivial || fits ? judge(&l, 0, (int)cost, true) : RHOMB_BATCH_BEYOND;
#if RHOMB_PATH
        sliced_walk w;
        const bool has_path = answers_it && solves && judged >= 0;
        w.i = has_path ? p.m : 0;
        w.j = has_path ? p.n : 0;
        w.gap = RHOMB_GAP_NONE;
        w.first = 0;
        w.matches_first = !is_cheap_by_waves(p.m, p.n, judged, BATCH_WAVE_CELLS);
        w.at = cigars;
        __global uint *after = cigars;
        if (has_path && t.item == 0) {
            uint operations = 0;
            w.at += take_operations(p.m, p.n, judged, counts, &operations);
            w.at += operations;
            after = w.at;
        }
        walk(&w, &p, &m, &s, &t, shared);
#endif
        if (!has || t.item != 0)
            continue;
        if (other) {
            answer.kind = RHOMB_BATCH_BASES;
            answers[answers_at + index] = answer;
        }
        if (!answers_it)
            continue;
        if (judged == RHOMB_BATCH_BEYOND && job.next < job.levels) {
            next_list[atomic_inc(&counts->listed[job.next])] = index;
            continue;
        }
        answer.kind = judged >= 0 ? RHOMB_BATCH_FOUND : judged;
        if (!job.known)
            answer.score = judged;
#if RHOMB_PATH
        if (judged >= 0 && trivial && p.m + p.n > 0) {
            write_gap(p.m, p.n, counts, cigars, &answer);
        } else if (has_path) {
            walk_out(&w);
            note_path(&answer, cigars, w.at, after);
        }
#endif
        answers[answers_at + index] = answer;
    }
}
