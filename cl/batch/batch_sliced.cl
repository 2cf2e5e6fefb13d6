/* SPDX-License-Identifier: MIT */
/*
 * Many short pairs with gap-affine costs, end to end, in bit planes (bitsliced/bitsliced.clh):
 * costs, and paths. For pairs with so many edits that the whole matrix takes less than wavefronts.
 *
 * A pair is swept in strips of rows, each of which leaves what its last row hands down, the border,
 * in memory for the next one. On a GPU (batch_sliced_items.clh) one or several work-items of a
 * group share a pair; on a CPU (batch_sliced_lanes.clh) each lane of a vector has one.
 *
 *              target
 *           +------------+   strip 0: ITEM_ROWS rows
 *     query |            |
 *           |------------| <- border, BORDER_WORDS for a block of 16 columns
 *           |            |   strip 1
 *           +------------+
 *
 * *A band.* Where the cost is known, or that of any path, no cheapest path leaves the diagonals
 * through the two corners by more than the gaps out and back cost. So each strip goes through
 * `width` blocks of columns alone, which begin `shift` blocks after those of the strip above:
 *
 *           +--------+
 *           |        |###           ### a gap that goes on from a strip's lower right corner,
 *           +--+--------+               and so does one down from its upper left corner
 *              |        |###
 *              +--+--------+
 *
 * What lies outside has a cost that a path has, if not the least. So the cells of all cheapest
 * paths have their costs and marks, and the path is the one that the whole matrix has. End to end,
 * where no cost is known, the cost of a path in a narrow band says how wide the band has to be.
 *
 * *Paths.* For each cell MARK_PLANES bits go to memory (see rhomb_marks), a record of 32 cells for
 * each word of rows: half a byte a cell, with two pieces one. The way back goes through them. Where
 * memory does not hold those of all strips, the strips are first swept without, and of each *chunk*
 * of strips the border above it is kept. From there the chunks are swept again, the last one first,
 * with marks, and the way back goes on through each:
 *
 *           +--+---------+                      +--+---------+
 *           |  |         |                      |##|         |   3. with marks
 *           |==+---+     | <- kept              +--+---+     |
 *           |  |   |     |   1. without marks   |  |###|     |   2. with marks
 *           +--+---+-----+                      +--+---+-----+
 *
 * Of
 * the cheapest paths it takes the one that batch_affine.cl finds: up to the cost at which that one
 * goes by wavefronts, gaps come before matches, as wavefronts look for the furthest offset that an
 * edit leads to; above it, matches come first, as in its matrix.
 */
#if !defined(RHOMB_REPLACED)
#    error "RHOMB_REPLACED must be set"
#endif

#include "affine/affine_path_back.clh"
#include "batch/batch_pack.clh"
#include "bitsliced/bitsliced_edges.clh"

/* As in affine/affine_path_matrix.clh and affine/affine_path_waves.clh. */
#define LEAST_EXTEND  LAST_EXTEND
#define MISMATCH_COST (RHOMB_REPLACED ? TOP + 1 : RHOMB_MISMATCH)
#include "batch/batch_costs.clh"

#define ITEM_ROWS   RHOMB_BATCH_SLICED_ROWS(WORDS)
#define ITEM_BLOCKS (ITEM_ROWS / BLOCK)
#define ALL_MEMORY  (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* How far from the diagonals of its corners a pair's paths come: columns to the left and right. */
typedef struct sliced_reach {
    int left;
    int right;
} sliced_reach;

/*
 * The blocks of columns that strips go through, as far as a pair has them: strip 0 begins `before`
 * blocks left of the matrix, each further one `shift` blocks after the one above.
 */
typedef struct sliced_band {
    int before;
    int width;
    int shift;
} sliced_band;

/* The strips that are swept in one go. */
typedef struct sliced_range {
    int first;
    int end;
    bool marked; /* paths are to go through them */
} sliced_range;

/* Where a strip is: blocks of columns. */
typedef struct sliced_strip {
    int begin;
    int end;
    int above_end; /* of the strip above; 0: there is none */
} sliced_strip;

/* The strip's first block, also where the matrix has none. */
static inline int band_first(const sliced_band b, const int strip)
{
    return RHOMB_PATH ? strip * b.shift - b.before : 0;
}

static inline int band_end(const sliced_band b, const int strip, const int blocks)
{
    return RHOMB_PATH ? min(band_first(b, strip) + b.width, blocks) : blocks;
}

static inline sliced_strip strip_of(const sliced_band b, const int strip, const int blocks)
{
    const sliced_strip s = {max(band_first(b, strip), 0), band_end(b, strip, blocks),
                            strip == 0 ? 0 : band_end(b, strip - 1, blocks)};
    return s;
}

/* A band for what is within reach. */
static inline sliced_band near_band(const sliced_reach *reach)
{
    const int before = (reach->left + BLOCK - 1) / BLOCK;
    const int after = (ITEM_ROWS + reach->right + BLOCK - 1) / BLOCK;
    const sliced_band near = {before, before + after, ITEM_BLOCKS};
    return near;
}

/*
 * All blocks, or fewer steps for what is within reach. Without paths always all: what a band takes
 * in registers two words do not have on some GPUs.
 */
static inline sliced_band band_for(const sliced_reach *reach, const int blocks, const int strips,
                                   const int items)
{
    const sliced_band whole = {0, blocks, 0}, near = near_band(reach);
    const int steps = RHOMB_BATCH_SLICED_STEPS(WORDS, near.width, strips, items, near.shift);
    const bool fewer = steps < RHOMB_BATCH_SLICED_STEPS(WORDS, blocks, strips, items, 0);
    return RHOMB_PATH && fewer ? near : whole;
}

/* Whether a band takes so little that its cost is worth to be known first. */
static inline bool is_narrow(const sliced_reach *reach, const int blocks, const int strips,
                             const int items)
{
    const sliced_band near = near_band(reach);
    return RHOMB_PATH && RHOMB_BATCH_SLICED_STEPS(WORDS, near.width, strips, items, near.shift) <=
                             RHOMB_BATCH_SLICED_STEPS(WORDS, blocks, strips, items, 0) /
                                 RHOMB_BATCH_SLICED_NARROW_SHARE;
}

/*
 * The cost above a strip's right edge, of the row from where the strip above has ended: the gap
 * goes on that saves so much there, or a new one. Of strip 0 from the first column.
 */
static inline int edge_cost(const sliced_strip *s, const int n, const rhomb_i32 *saved)
{
    return run_on(saved, min(s->end * BLOCK, n) - min(s->above_end * BLOCK, n));
}

/* What is to be done for a pair, or for what is aligned of it. */
typedef struct sliced_task {
    uint index; /* of the pair */
    rhomb_batch_scored answer;
    batch_packed packed;
    bool trivial; /* a sequence is empty */
    bool solves;  /* the pair is swept, ... */
    bool passes;  /* ... or it is for the next level */
} sliced_task;

/* The task of a pair, of which `answers` begin with the first one. */
static inline sliced_task task_of(const uint index, __global const uint *bases,
                                  const rhomb_batch_pair *at, __global rhomb_batch_scored *answers,
                                  const rhomb_batch_affine_job *job)
{
    sliced_task t;
    const rhomb_batch_scored whole = {RHOMB_BATCH_FOUND, 0, 0, at->target_length, 0,
                                      at->query_length,  0, 0};
    t.index = index;
    t.answer = whole;
    if (job->known)
        t.answer = answers[index];
    t.packed = batch_packed_of(bases, at, &t.answer);
    /* Larger costs are for the engines. */
    t.trivial =
        (t.packed.m == 0 || t.packed.n == 0) && most_cost(t.packed.m, t.packed.n) < MOST_COST;
    t.solves = t.passes = false;
    return t;
}

/* Whether it is swept; `fits`: in the memory there is. */
static inline void choose_task(sliced_task *t, const bool fits)
{
    const int m = t->packed.m, n = t->packed.n;
    const bool open = !t->trivial && t->answer.kind == RHOMB_BATCH_FOUND;
    const bool small = most_cost(m, n) < MOST_COST && max(m, n) <= RHOMB_BATCH_SLICED_BASES;
    t->solves = open && small && fits;
    t->passes = open && !t->solves;
}

/*
 * Whether wavefronts, or else the matrix, would find a path of that cost in the memory that is for
 * it. Where they would not, the path is that of the engines for long pairs, which is another one.
 */
static inline bool is_path_of_kernels(const int m, const int n, const int cost, const int limit)
{
    if (is_cheap_by_waves(m, n, cost, BATCH_WAVE_CELLS))
        return cost <= limit;
    return matrix_row_cells(m, n) + (matrix_trace_bytes(m, n) + 3) / 4 <=
           RHOMB_BATCH_PATH_BYTES / 4;
}

/*
 * The cost for the answer, or why there is none: RHOMB_BATCH_BEYOND, where the pair is for the next
 * level. `grown` is the cost along the right edges of strips.
 */
static inline int cost_of(sliced_task *t, const rhomb_batch_affine_job *job, const rhomb_i64 grown)
{
    const int m = t->packed.m, n = t->packed.n, most = most_cost(m, n);
    const batch_limits limits = {job->known ? known_cost(job, m, n, t->answer.score) : -1,
                                 job->max_cost >= 0 ? min(job->max_cost, most) : most, 0, 0};
    if (t->passes)
        return RHOMB_BATCH_BEYOND;
    if (job->known && limits.known < 0) /* no score comes of such a cost */
        return RHOMB_BATCH_WRONG;
    const int cost = judge(&limits, 0, (int)(t->trivial ? gap_cost(m + n) : grown), true);
    t->passes = RHOMB_PATH && t->solves && cost >= 0 && !is_path_of_kernels(m, n, cost, job->limit);
    return t->passes ? RHOMB_BATCH_BEYOND : cost;
}

/* Passes a pair on, or sets the kind and the score of its answer. Whether there is one. */
static inline bool answer_task(sliced_task *t, const rhomb_batch_affine_job *job, const int cost,
                               __global rhomb_batch_counts *counts, __global uint *next_list)
{
    if (t->passes && job->next < job->levels) {
        next_list[atomic_inc(&counts->listed[job->next])] = t->index;
        return false;
    }
    t->answer.kind = cost >= 0 ? RHOMB_BATCH_FOUND : cost;
    if (!job->known)
        t->answer.score = cost;
    return true;
}

/*
 * Paths of a known cost c: a gap that leaves the diagonals between the corners by t bases and
 * another one that returns take 2 OPEN + LEAST_EXTEND * (|n - m| + 2 t) at least, as OPEN_2 is more
 * than OPEN. No path comes further than the matrix.
 */
static inline sliced_reach reach_of(const int m, const int n, const int cost)
{
    const int beside = max(m, n) - min(m, n);
    const int away =
        clamp((max(cost - 2 * RHOMB_OPEN, 0) / LEAST_EXTEND - beside) / 2, 0, min(m, n));
    return (sliced_reach){max(m - n, 0) + away, max(n - m, 0) + away};
}

/* Within which most paths are, as bases left out and put in make up for each other. */
static inline sliced_reach narrow_reach(const int m, const int n)
{
    const int away = RHOMB_BATCH_SLICED_NARROW(max(m, n));
    return (sliced_reach){max(m - n, 0) + away, max(n - m, 0) + away};
}

/* That of a known cost, or else a narrow one, whose paths bound the cost: see reach_below(). */
static inline sliced_reach first_reach(const sliced_task *t, const rhomb_batch_affine_job *job)
{
    const int m = t->packed.m, n = t->packed.n;
    return job->known ? reach_of(m, n, known_cost(job, m, n, t->answer.score)) : narrow_reach(m, n);
}

/* No path goes further that costs less than one found, or than the most that is asked for. */
static inline sliced_reach reach_below(const sliced_task *t, const rhomb_batch_affine_job *job,
                                       const rhomb_i64 cost)
{
    const int m = t->packed.m, n = t->packed.n;
    const int most = min((int)min(cost, (rhomb_i64)MOST_COST), most_cost(m, n));
    return reach_of(m, n, job->max_cost >= 0 ? min(job->max_cost, most) : most);
}

/* What gaps save, in a word. */
static inline uint packed_saves(const rhomb_i32 *saves)
{
    return (uint)saves[0] | (uint)saves[1] << 16;
}

static inline void unpack_saves(const uint packed, rhomb_i32 *saves)
{
    saves[0] = (rhomb_i32)(packed & 0xffffu);
    saves[1] = (rhomb_i32)(packed >> 16);
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
    const int word = (at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_UNIT + plane;
    const int shift = at & (RHOMB_WORD_SYMBOLS - 1);
    const uint high = packed[word] << shift;
    return shift == 0 ? high : high | packed[word + RHOMB_UNIT] >> (32 - shift);
}

/* What a strip's right edge adds to costs in the `rows` first rows of a word, of which u has the
 * planes. */
static inline int growth_of_word(const uint *u, const int rows)
{
    const uint mask = rows == 32 ? 0xffffffffu : (1u << rows) - 1;
    int grown = rows * FIRST;
    _Pragma("unroll") for (int k = 0; k < U_PLANES; k++)
    {
        grown -= (int)popcount(u[k] & mask) << k;
    }
    return grown;
}

/* Words of the border of so many pairs. */
static inline rhomb_i64 border_cells(const int blocks, const int pairs)
{
    return RHOMB_BATCH_SLICED_BORDER((rhomb_i64)blocks * BORDER_WORDS * pairs);
}

/* What a group needs for its pairs: borders, and marks of `chunk` strips at a time. */
static inline rhomb_i64 cells_for(const int blocks, const sliced_band *band, const int strips,
                                  const int chunk, const int items, const int pairs)
{
    const rhomb_i64 steps = RHOMB_BATCH_SLICED_STEPS(WORDS, band->width, chunk, items, band->shift);
    const rhomb_i64 marks = RHOMB_PATH ? steps * BLOCK * WORDS * MARK_PLANES * (items * pairs) : 0;
    const rhomb_i64 borders = RHOMB_PATH ? (strips + chunk - 1) / chunk : 1;
    return border_cells(blocks, pairs) * borders + marks;
}

/* Strips whose marks a group has room for at a time, within reach; all, if it can be. */
static inline int chunk_for(const sliced_reach *reach, const int blocks, const int strips,
                            const int items, const int pairs, const rhomb_i64 group_cells)
{
    const int least = RHOMB_BATCH_SLICED_CHUNK(items);
    int chunk = max(strips, 1);
    for (; RHOMB_PATH && chunk > least; chunk = (chunk / 2 + least - 1) / least * least) {
        const sliced_band band = band_for(reach, blocks, chunk, items);
        if (cells_for(blocks, &band, strips, chunk, items, pairs) <= group_cells)
            break;
    }
    return chunk;
}

/*
 * Whether a group's memory has room for as many pairs up to a length, in the smallest chunks. It is
 * that of squares, as a group may have one pair with a long target and one with a long query.
 */
static inline bool has_room(const int longest, const int items, const int pairs,
                            const rhomb_i64 group_cells)
{
    const int most = min(longest, RHOMB_BATCH_SLICED_BASES); /* longer ones are passed on */
    const int blocks = (most + BLOCK - 1) / BLOCK, strips = (most + ITEM_ROWS - 1) / ITEM_ROWS;
    const int chunk = min(max(strips, 1), RHOMB_BATCH_SLICED_CHUNK(items));
    const sliced_band whole = {0, blocks, 0};
    return cells_for(blocks, &whole, strips, chunk, items, pairs) <= group_cells;
}

#if RHOMB_PATH

/* Where a pair's marks are; numbers of words. */
typedef struct sliced_marks {
    __global const uint *words; /* of the pair's first item, in the first column */
    int pitch;                  /* from a record to the next one of the same rows */
    int item_pitch;             /* from an item's to the next one's */
    int plane_pitch;
    int items;
    int turn;
    int first; /* strip */
    sliced_band band;
} sliced_marks;

/* Plane `plane` of the marks of the cell of row i and column j, both from 1 on. */
static inline uint mark_at(const sliced_marks *m, const int i, const int j, const int plane)
{
    const int row = i - 1, here = row % ITEM_ROWS, strip = row / ITEM_ROWS - m->first;
    const int step = strip % m->items * (LAG + m->band.shift) + strip / m->items * m->turn -
                     band_first(m->band, row / ITEM_ROWS);
    const rhomb_i64 column = (rhomb_i64)step * BLOCK + (j - 1) + here;
    return m->words[(column * WORDS + here / 32) * m->pitch + strip % m->items * m->item_pitch +
                    plane * m->plane_pitch] >>
               here % 32 &
           1u;
}

static inline int code_at(const sliced_marks *m, const int i, const int j)
{
    uint code = 0;
    _Pragma("unroll") for (int plane = 0; plane < MARK_CODES; plane++)
    {
        code |= mark_at(m, i, j, plane) << plane;
    }
    return (int)code;
}

/* Where a walk back has come to. */
typedef struct sliced_walk {
    int i;
    int j;
    int gap; /* that it is within */
    bool matches_first;
    uint first; /* an operation that is not written yet */
    __global uint *at;
} sliced_walk;

/*
 * What there is in a cell, or would be if the path went on as it does up to there:
 * outside a gap MATCH, MISMATCH or OPENED and the gap; within one EXTENDED or not. END where the
 * path has come to the first column, or to the first row of those that have marks.
 */
#    define LOOK_MATCH    0
#    define LOOK_MISMATCH 1
#    define LOOK_OPENED   2
#    define LOOK_EXTENDED 16
#    define LOOK_CLOSED   17
#    define LOOK_END      18

static inline int look_ahead(const batch_packed *p, const sliced_marks *marks, const int i,
                             const int j, const int gap, const bool matches_first)
{
    if (i <= marks->first * ITEM_ROWS || j <= 0)
        return LOOK_END;
    if (gap != RHOMB_GAP_NONE)
        return mark_at(marks, i, j, MARK_EXTENDED(gap)) != 0 ? LOOK_EXTENDED : LOOK_CLOSED;
    const bool equal = RHOMB_MATCHES(base_at(p->query, p->query_shift + i - 1),
                                     base_at(p->target, p->target_shift + j - 1));
    const int code = equal && matches_first ? RHOMB_GAP_NONE : code_at(marks, i, j);
    if (code != RHOMB_GAP_NONE)
        return LOOK_OPENED + code;
    return equal ? LOOK_MATCH : LOOK_MISMATCH;
}

/* Goes on by what has been seen; whether what has been seen further ahead still holds. */
static inline bool walk_on(sliced_walk *w, const int look)
{
    if (look == LOOK_END)
        return false;
    if (look == LOOK_CLOSED) {
        w->gap = RHOMB_GAP_NONE;
        return false;
    }
    if (look == LOOK_MATCH || look == LOOK_MISMATCH) {
        w->at = put_before(w->at, &w->first, look == LOOK_MATCH ? RHOMB_BATCH_EQ : RHOMB_BATCH_X);
        w->i--;
        w->j--;
        return true;
    }
    if (look != LOOK_EXTENDED)
        w->gap = look - LOOK_OPENED;
    w->at = put_before(w->at, &w->first, RHOMB_GAP_IS_I(w->gap) ? RHOMB_BATCH_I : RHOMB_BATCH_D);
    w->i -= RHOMB_GAP_IS_I(w->gap) ? 1 : 0;
    w->j -= RHOMB_GAP_IS_I(w->gap) ? 0 : 1;
    return look == LOOK_EXTENDED;
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

/* Begins a walk: takes room for the operations of a path of that cost. */
static inline void begin_walk(sliced_walk *w, const batch_packed *p, const int cost,
                              __global rhomb_batch_counts *counts, __global uint *cigars)
{
    uint operations = 0;
    w->i = p->m;
    w->j = p->n;
    w->gap = RHOMB_GAP_NONE;
    w->first = 0;
    w->matches_first = !is_cheap_by_waves(p->m, p->n, cost, BATCH_WAVE_CELLS);
    w->at = cigars + take_operations(p->m, p->n, cost, counts, &operations);
    w->at += operations;
}

#endif

/* Borders, of which those above a chunk are kept, and marks. */
typedef struct sliced_memory {
    __global uint *border; /* word by word, of the pairs that are swept at a time side by side */
    rhomb_i64 pitch;       /* from it to those that are kept, one after the other */
    int chunk;             /* strips above which they are */
    __global rhomb_marks *marks;
} sliced_memory;

/* The memory of `teams` pairs, by `items` each, that have so many blocks and strips within reach.
 */
static inline sliced_memory memory_for(__global uint *own, const sliced_reach *reach,
                                       const int blocks, const int strips, const int items,
                                       const int teams, const rhomb_i64 group_cells)
{
    sliced_memory m;
    m.border = own;
    m.pitch = border_cells(blocks, teams);
    m.chunk = chunk_for(reach, blocks, strips, items, teams, group_cells);
    const int borders = RHOMB_PATH ? max((strips + m.chunk - 1) / m.chunk, 1) : 1;
    m.marks = (__global rhomb_marks *)(own + m.pitch * borders);
    return m;
}

/* The border above a strip: a kept one, if a chunk begins there. */
static inline __global uint *border_above(const sliced_memory *memory, const int strip)
{
    if (!RHOMB_PATH || strip == 0 || strip % memory->chunk != 0)
        return memory->border;
    return memory->border + strip / memory->chunk * memory->pitch;
}

#if RHOMB_LANES == 1
#    include "batch/batch_sliced_items.clh"
#else
#    include "batch/batch_sliced_lanes.clh"
#endif
