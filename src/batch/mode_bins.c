/* SPDX-License-Identifier: MIT */
/*
 * Bins of pairs, see mode_bins.h.
 */
#include "src/batch/mode_bins.h"

#include <string.h>

#include "src/base/int64.h"
#include "src/scoring/costs.h"

/*
 * Work-items that share a pair, by bins. Fewer than 4 of 32 bits have the border in memory for too
 * few rows; with halves an item has as many rows of two pairs, and 150 bp are as many as 160 rows
 * of one item, but 192 of four.
 */
static const int32_t HALVES_ITEMS[RHOMB__BATCH_SHORT_BINS] = {2, 4, 8, 32};
static const int32_t ITEMS[RHOMB__BATCH_SHORT_BINS] = {4, 8, 16, 32};

/* The part of the least work that more items may add, for less memory and more of them at once. */
#define MORE_WORK 12

/* Of an extension by work-items: its bins, and how many share a pair of the first bin. */
#define EXTEND_BINS  3
#define EXTEND_ITEMS 2

/*
 * More work-items for an extension are worth this part of its work: strips are fewer then, and what
 * they leave in memory for the next one is less.
 */
#define EXTEND_SHARE 16

/* Of an extension by work-items: bits of its numbers, and the least of them that hold a row. */
#define EXTEND_BITS     30
#define EXTEND_ROW_BITS 8

/* Rows and columns, at most, that it computes beyond a pair's ends. */
#define EXTEND_BEYOND 64

/* An item is a block of columns later than the one above. */
#define BLOCK RHOMB_BATCH_LOCAL_BLOCK

/* Bins with less than this part of a job's work join another one, for so much more of their own. */
#define FEW_SHARE 8
#define JOIN_MORE 4

/* A digit of a key has 8 bits. */
#define DIGITS      (8 + 1) /* and one for the bin */
#define DIGIT_BITS  8
#define DIGIT_COUNT (1 << DIGIT_BITS)

int32_t rhomb__batch_bin_bits(const rhomb__batch_shape *s, int32_t bin)
{
    return s->short_scores && bin < RHOMB__BATCH_SHORT_BINS ? 16 : 32;
}

int32_t rhomb__batch_bin_pairs(const rhomb__batch_shape *s, int32_t bin)
{
    return s->lanes == 1 && rhomb__batch_bin_bits(s, bin) == 16 ? 2 : 1;
}

int32_t rhomb__batch_bin_group(const rhomb__batch_shape *s, int32_t bin)
{
    return bin == RHOMB__BATCH_WIDE_BIN ? s->mode_wide : s->group_size;
}

int32_t rhomb__batch_bin_items(const rhomb__batch_shape *s, int32_t bin)
{
    const bool halves = rhomb__batch_bin_pairs(s, bin) == 2;
    if (s->lanes > 1)
        return 1;
    if (bin == RHOMB__BATCH_WIDE_BIN)
        return s->mode_wide;
    if (!s->drops)
        return rhomb__min((halves ? HALVES_ITEMS : ITEMS)[bin % RHOMB__BATCH_SHORT_BINS],
                          s->group_size);
    return rhomb__batch_bin_is_diagonal(s, bin)
               ? s->group_size
               : (int32_t)rhomb__min((int64_t)EXTEND_ITEMS << 2 * bin, s->group_size);
}

bool rhomb__batch_bin_is_diagonal(const rhomb__batch_shape *s, int32_t bin)
{
    return s->drops && (s->item_rows == 0 || bin >= EXTEND_BINS);
}

/* The least score of a gap of each sequence, as a number to subtract. */
static int64_t gaps_of(const rhomb_scoring *s, int64_t n, int64_t m)
{
    const int64_t first = 2 * s->gap_open + s->gap_extend * (n + m);
    return s->gap_open_2 < 0 ? first
                             : rhomb__min(first, 2 * s->gap_open_2 + s->gap_extend_2 * (n + m));
}

/*
 * Whether no score that matters can exceed 16 bits; with free ends none is below that of two gaps.
 */
static bool is_short(const rhomb__batch_shape *shape, const rhomb_batch_options *options, int64_t n,
                     int64_t m)
{
    const rhomb_scoring *s = options->scoring;
    const int64_t step = rhomb__max(s->match, s->mismatch);
    if (!shape->short_scores || rhomb__scoring_most(s) > RHOMB_BATCH_SHORT_STEP ||
        (shape->lanes == 1 && step > RHOMB_BATCH_BYTE_STEP))
        return false;
    if (options->mode == RHOMB_MODE_ENDS_FREE && gaps_of(s, n, m) > RHOMB_BATCH_SHORT_SCORE)
        return false;
    return s->match * rhomb__min(n, m) <= RHOMB_BATCH_SHORT_SCORE;
}

/* Steps of all items that share a pair, times these. */
static int64_t work_of(const rhomb__batch_shape *s, int32_t items, const rhomb_pair *pair)
{
    /* Divisions of 32 bits, as each pair of a batch takes some of them, and lengths have 28. */
    const uint32_t n = (uint32_t)pair->target_length, m = (uint32_t)pair->query_length;
    const uint32_t strip = (uint32_t)items * (uint32_t)s->item_rows;
    const uint32_t strips = (m + strip - 1) / strip, blocks = (n + BLOCK - 1) / BLOCK;
    return (int64_t)strips * (blocks + (uint32_t)items - 1) * items;
}

/*
 * Whether the numbers of an extension by so many work-items fit, see
 * cl/batch/batch_extend_rows.clh: c * (i + j) and a score, times a power of two.
 */
static bool has_bits(const rhomb__batch_shape *s, const rhomb_scoring *scoring, int64_t items,
                     int64_t n, int64_t m)
{
    const int64_t c = scoring->gap_open + scoring->gap_extend;
    const int64_t matched = rhomb__min(n, m) + EXTEND_BEYOND, t = n + m + 2 * EXTEND_BEYOND;
    const int64_t others = scoring->mismatch + rhomb__max(scoring->gap_open_2, 0) +
                           rhomb__max(scoring->gap_extend_2, 0);
    int32_t bits = EXTEND_ROW_BITS;
    while (INT64_C(1) << bits < items * s->item_rows)
        bits++;
    return scoring->match * matched + c * t + others < INT64_C(1) << (EXTEND_BITS - bits);
}

/*
 * Whether a bin can take a pair: a group has memory for all its pairs, of an extension that may
 * stop early if they are like this one, else for any two with the longer sequences of both; the
 * last bin of 16 bits, and of 32, takes what no other can, with one pair or two a group.
 */
static bool can_take(const rhomb__batch_shape *s, const rhomb_batch_options *options, int32_t bin,
                     const rhomb_pair *pair)
{
    const int64_t items = rhomb__batch_bin_items(s, bin);
    const int64_t teams = rhomb__batch_bin_group(s, bin) / rhomb__max(items, 1);
    const int64_t cells = s->traces ? rhomb__batch_trace_cells(s, options, bin, pair)
                                    : rhomb__batch_slot_cells(s, options, bin, pair);
    const int64_t room = s->mode_bytes / (int64_t)sizeof(rhomb_i32);
    if (s->drops)
        return teams * (cells + 1) <= room &&
               has_bits(s, options->scoring, items, pair->target_length, pair->query_length);
    return bin % RHOMB__BATCH_SHORT_BINS == RHOMB__BATCH_SHORT_BINS - 1 ||
           2 * cells * teams <= room;
}

static bool takes(const rhomb__batch_shape *s, const rhomb_batch_options *options, int32_t bin,
                  const rhomb_pair *pair)
{
    return rhomb__max(pair->target_length, pair->query_length) <= s->bin_bases[bin] ||
           can_take(s, options, bin, pair);
}

void rhomb__batch_bins_plan(const rhomb_batch_options *options, rhomb__batch_shape *s)
{
    for (int32_t bin = 0; bin < RHOMB__BATCH_WIDE_BIN + (s->mode_wide > 0); bin++) {
        int64_t low = 0, high = RHOMB__BATCH_MOST_BASES + 1;
        while (high - low > 1) {
            const int64_t middle = low + (high - low) / 2;
            const rhomb_pair pair = {NULL, middle, NULL, middle};
            if (can_take(s, options, bin, &pair))
                low = middle;
            else
                high = middle;
        }
        s->bin_bases[bin] = low;
    }
}

/*
 * The bin from `first` to `end` that takes the least work, or a `share` of it more and the most
 * items; `end` if none can take the pair.
 */
static int32_t bin_from(const rhomb__batch_shape *s, const rhomb_batch_options *options,
                        int32_t first, int32_t end, int64_t share, const rhomb_pair *pair)
{
    int64_t works[RHOMB__BATCH_BINS], least = INT64_MAX;
    int32_t bin = end - 1;
    for (int32_t i = first; i < end; i++) {
        works[i] =
            takes(s, options, i, pair) ? work_of(s, rhomb__batch_bin_items(s, i), pair) : INT64_MAX;
        least = rhomb__min(least, works[i]);
    }
    while (bin >= first &&
           (works[bin] == INT64_MAX || (!s->one_bin && works[bin] > least + least / share)))
        bin--;
    return bin >= first ? bin : end;
}

/*
 * On a GPU pairs with about equal lengths go next to each other, those with more work first; a
 * length has 28 bits.
 */
static uint64_t key_of(const rhomb__batch_shape *s, int64_t n, int64_t m)
{
    const uint64_t work = (uint64_t)n * (uint64_t)m;
    return s->lanes > 1 ? work : rhomb__bit_length(work) << 56 | (uint64_t)m << 28 | (uint64_t)n;
}

int32_t rhomb__batch_bin_of(const rhomb__batch_shape *s, const rhomb_batch_options *options,
                            const rhomb_pair *pair, bool wide, uint64_t *work)
{
    const int64_t n = pair->target_length, m = pair->query_length;
    *work = s->drops ? (uint64_t)n * (uint64_t)m : key_of(s, n, m);
    if (s->drops)
        return bin_from(s, options, 0, s->item_rows == 0 ? 0 : EXTEND_BINS, EXTEND_SHARE, pair);
    const int32_t first = is_short(s, options, n, m) ? 0 : RHOMB__BATCH_SHORT_BINS;
    const int32_t end = first + RHOMB__BATCH_SHORT_BINS;
    return s->lanes > 1 ? first
                        : bin_from(s, options, first,
                                   end + (wide && s->mode_wide > 0 && end == RHOMB__BATCH_WIDE_BIN),
                                   MORE_WORK, pair);
}

int64_t rhomb__batch_slot_cells(const rhomb__batch_shape *s, const rhomb_batch_options *options,
                                int32_t bin, const rhomb_pair *pair)
{
    const int64_t n = pair->target_length, m = pair->query_length;
    const int64_t pieces = rhomb__scoring_pieces(options->scoring);
    const int64_t items = rhomb__batch_bin_items(s, bin);
    const int64_t pairs = rhomb__batch_bin_pairs(s, bin);
    const int64_t strip = s->lanes * (int64_t)s->item_rows * items;
    if (rhomb__batch_bin_is_diagonal(s, bin))
        return (3 + 4 * pieces) * (m + 2) + rhomb__ceil_div(m + n + 2, 4);
    if (s->drops)
        return 2 * (m + n + 1) + (1 + pieces) * (n + BLOCK);
    if (s->lanes > 1) {
        const int64_t columns = n + 1 + RHOMB_BATCH_LOCAL_BEYOND;
        const int64_t number = rhomb__batch_bin_bits(s, bin) / 8;
        return rhomb__ceil_div((1 + pieces) * columns * number + columns + m + strip, 4);
    }
    /* Pairs, the border and symbols of columns, columns that items keep, symbols of rows. */
    const int64_t columns = rhomb__ceil_div(n, BLOCK) * BLOCK * (1 + pieces + pairs);
    const int64_t kept_columns = pairs + (options->mode == RHOMB_MODE_EXTEND);
    const int64_t kept = items * kept_columns * rhomb__ceil_div(s->item_rows, 4) * 4;
    const int64_t rows = rhomb__ceil_div(m, strip) * strip;
    return pairs * RHOMB_BATCH_LOCAL_PAIR + columns + kept + rhomb__ceil_div(rows, 4) * 4;
}

int64_t rhomb__batch_trace_cells(const rhomb__batch_shape *s, const rhomb_batch_options *options,
                                 int32_t bin, const rhomb_pair *pair)
{
    const int64_t n = pair->target_length, m = pair->query_length;
    const int32_t of_32 = RHOMB__BATCH_SHORT_BINS + bin % RHOMB__BATCH_SHORT_BINS;
    const int64_t items = rhomb__batch_bin_items(s, of_32) * s->lanes;
    const int64_t lag = s->lanes > 1 ? 1 : BLOCK, strip = items * s->item_rows;
    const int64_t columns = rhomb__ceil_div(n, lag) * lag + (items - 1) * lag;
    const int64_t bytes = rhomb__ceil_div(m, strip) * strip * columns;
    const int64_t cells = rhomb__batch_slot_cells(s, options, of_32, pair);
    return cells + rhomb__ceil_div(bytes, 16) * 4 + n + m + 4;
}

/* Whether all pairs of a bin may go to another one. */
static bool may_join(const rhomb__batch_shape *s, const rhomb_batch_options *options,
                     const rhomb_pair *pairs, const rhomb__batch_binned *binned, int64_t count,
                     int32_t bin, int32_t other)
{
    const int32_t items = rhomb__batch_bin_items(s, bin);
    const int32_t others = rhomb__batch_bin_items(s, other);
    for (int64_t i = 0; i < count; i++) {
        const rhomb_pair *pair = &pairs[binned[i].pair];
        if ((int32_t)binned[i].bin != bin)
            continue;
        const int64_t work = work_of(s, items, pair);
        if (!takes(s, options, other, pair) || work_of(s, others, pair) > work + work / JOIN_MORE)
            return false;
    }
    return true;
}

void rhomb__batch_bins_join(const rhomb__batch_shape *s, const rhomb_batch_options *options,
                            const rhomb_pair *pairs, rhomb__batch_binned *binned, int64_t count)
{
    int64_t works[RHOMB__BATCH_BINS] = {0};
    int32_t used = 0;
    if (s->lanes > 1 || s->item_rows == 0)
        return;
    for (int64_t i = 0; i < count; i++) {
        const int32_t bin = (int32_t)binned[i].bin;
        used += works[bin] == 0;
        works[bin] += 1 + work_of(s, rhomb__batch_bin_items(s, bin), &pairs[binned[i].pair]);
    }
    for (int32_t bin = 0; bin < RHOMB__BATCH_BINS && used > 1; bin++) {
        const bool is_first = bin < RHOMB__BATCH_SHORT_BINS;
        const int32_t end = is_first ? RHOMB__BATCH_SHORT_BINS : RHOMB__BATCH_BINS;
        int32_t most = bin;
        for (int32_t i = is_first ? 0 : RHOMB__BATCH_SHORT_BINS; i < end; i++)
            if (works[i] > works[most])
                most = i;
        if (works[bin] == 0 || works[bin] > works[most] / FEW_SHARE ||
            rhomb__batch_bin_is_diagonal(s, bin) != rhomb__batch_bin_is_diagonal(s, most) ||
            !may_join(s, options, pairs, binned, count, bin, most))
            continue;
        for (int64_t i = 0; i < count; i++)
            if ((int32_t)binned[i].bin == bin)
                binned[i].bin = (uint32_t)most;
    }
}

static uint32_t digit_of(const rhomb__batch_binned *b, int digit)
{
    return digit == DIGITS - 1 ? b->bin
                               : (uint32_t)(~b->key >> DIGIT_BITS * digit) & (DIGIT_COUNT - 1);
}

/* By digits, from the last one on; most keys of a job have most of their digits in common. */
void rhomb__batch_bins_sort(rhomb__batch_binned *binned, rhomb__batch_binned *spare, int64_t count)
{
    rhomb__batch_binned *from = binned, *to = spare;
    for (int digit = 0; digit < DIGITS; digit++) {
        int64_t begins[DIGIT_COUNT] = {0}, begin = 0;
        for (int64_t i = 0; i < count; i++)
            begins[digit_of(&from[i], digit)]++;
        if (count == 0 || begins[digit_of(&from[0], digit)] == count)
            continue;
        for (int d = 0; d < DIGIT_COUNT; d++) {
            const int64_t here = begins[d];
            begins[d] = begin;
            begin += here;
        }
        for (int64_t i = 0; i < count; i++)
            to[begins[digit_of(&from[i], digit)]++] = from[i];
        rhomb__batch_binned *const other = from;
        from = to;
        to = other;
    }
    if (from != binned && count > 0)
        memcpy(binned, from, (size_t)count * sizeof *binned);
}
