/* SPDX-License-Identifier: MIT */
/*
 * Relations, see relation.h. Anchors are found once; blocks are found again for the other strand
 * and for another beginning, and what leaves fewer of them is how the sequences belong together.
 */
#include "host/cli/sketch/relation.h"

#include <rhomb/guide.h>

#include <math.h>

#include "host/cli/sketch/blocks.h"

enum {
    WINDOW_LEAST = 10,
    MINIMIZERS = 1 << 16,    /* of the longer sequence, about: more only take time */
    BASES_MOST = 48000000,   /* that take a thread a third of a second or so */
    ANCHORS_LEAST = 4,       /* of a block; by chance there are one or two alone */
    BLOCK_BASES_LEAST = 150, /* of a block; shorter ones are not worth a word */
    BLOCK_SHARE = 1000,      /* the same, as a share of the shorter sequence */
    NEAR = 1000,             /* bases between blocks that are not worth a look, */
    NEAR_WINDOWS = 16,       /* and so many windows */
    LOOKS = 1 << 12,         /* gaps that are not looked at again */
    WITHIN_PART = 5,         /* times a sequence that lies within another one */
    SAMPLE = 4096,           /* bases that tell the composition */
    UNRELATED_LEAST = 60     /* minimizers, of which 1 in 55 are common at 75 % and k = 14 */
};

/* Shares of the shorter sequence in blocks: unrelated with less; and with more there is no word. */
static const double COVERED_LEAST = 0.1, COVERED_MOSTLY = 0.9;

/* A k-mer occurs by chance in both sequences this often, in all. */
static const double CHANCE_MOST = 0.1;

static int64_t longer_of(const cli_two *two)
{
    return two->target_length > two->query_length ? two->target_length : two->query_length;
}

static void count_bases(const char *bases, int64_t length, int64_t counts[2])
{
    const int64_t step = length / SAMPLE + 1;
    for (int64_t i = 0; i < length; i += step) {
        if (memchr("GCgc", bases[i], 4) != NULL)
            counts[1]++;
        else if (memchr("ATUatu", bases[i], 6) != NULL)
            counts[0]++;
    }
}

/* The probability that two random bases are the same, by the share of G and C. */
static double chance_of_base(const cli_two *two)
{
    int64_t counts[2] = {1, 1};
    count_bases(two->target, two->target_length, counts);
    count_bases(two->query, two->query_length, counts);
    const double gc = (double)counts[1] / (double)(counts[0] + counts[1]);
    return (gc * gc + (1 - gc) * (1 - gc)) / 2;
}

/* The number of minimizers of a sequence. */
static double minimizers_of(const cli_minimizer_shape *shape, int64_t length)
{
    return 2 * shape->share * (double)length / (shape->w + 1) + 1;
}

/* Windows by the longer sequence, and k so that hardly a k-mer is common by chance. */
static cli_minimizer_shape shape_of(const cli_two *two, const cli_relation_options *options)
{
    const double bases = (double)two->target_length + (double)two->query_length;
    cli_minimizer_shape shape = {
        .share = options->whole || bases <= BASES_MOST ? 1 : BASES_MOST / bases};
    const double minimizers = options->dense ? 4.0 * MINIMIZERS : MINIMIZERS;
    const double window = 2 * shape.share * (double)longer_of(two) / minimizers;
    shape.w = window < WINDOW_LEAST                ? WINDOW_LEAST
              : window > CLI_MINIMIZER_WINDOW_MOST ? CLI_MINIMIZER_WINDOW_MOST
                                                   : (int)window;
    /* What is kept is for queries of any length. */
    const int64_t query = options->kept != NULL ? longer_of(two) : two->query_length;
    const double pairs =
        2 * minimizers_of(&shape, two->target_length) * minimizers_of(&shape, query);
    const double k = ceil(log(pairs / CHANCE_MOST) / -log(chance_of_base(two)));
    shape.k = k < 11 ? 11 : k > CLI_MINIMIZER_BASES_MOST ? CLI_MINIMIZER_BASES_MOST : (int)k;
    return shape;
}

/* How the query is looked at: its strand, and from which of that strand's bases on. */
typedef struct frame {
    bool reverse;
    int64_t rotation;
} frame;

/* A gap that was looked at: every frame has the same ones, or most of them. */
typedef struct looked {
    cli_block gap;
    cli_likeness found;
} looked;

/* What a search has, and has found so far. */
typedef struct search {
    const cli_two *two;
    cli_anchor *anchors; /* on the forward strands */
    cli_anchor *seen;    /* the same as a frame shows them */
    size_t count;
    cli_block_limits limits;
    cli_couple_limits couple;
    frame at, tried;
    int threads;
    bool looks_whole; /* at gaps */
    looked *looks;    /* LOOKS of them, each at a place that follows from the gap; NULL: none yet */
    bool is_opposite;
    cli_block *blocks;
    size_t block_count;
} search;

static void release_blocks(search *s)
{
    free(s->blocks);
    s->blocks = NULL;
    s->block_count = 0;
}

/* A gap of the frame that is tried, where the sequences are as they were given. */
static cli_block given_gap(const search *s, const cli_block *gap)
{
    const int64_t m = s->two->query_length, turn = s->tried.rotation;
    const bool other = s->tried.reverse;
    const int64_t begin = other ? 2 * m - turn - gap->query_end : turn + gap->query_begin;
    cli_block given = *gap;
    given.query_begin = begin % m;
    given.query_end = given.query_begin + gap->query_end - gap->query_begin;
    given.reverse = gap->reverse != other;
    return given;
}

static bool is_same_gap(const cli_block *a, const cli_block *b)
{
    return a->target_begin == b->target_begin && a->target_end == b->target_end &&
           a->query_begin == b->query_begin && a->query_end == b->query_end &&
           a->reverse == b->reverse;
}

static bool look_at_gap(const cli_block *gap, void *user, cli_likeness *found)
{
    search *s = user;
    const cli_block given = given_gap(s, gap);
    const uint64_t mixed = ((uint64_t)given.target_begin * 31 + (uint64_t)given.query_begin) *
                           UINT64_C(0x9e3779b97f4a7c15);
    if (s->looks == NULL && (s->looks = calloc(LOOKS, sizeof *s->looks)) == NULL)
        return false;
    looked *kept = &s->looks[mixed >> 32 & (LOOKS - 1)];
    if (!is_same_gap(&kept->gap, &given)) {
        if (!cli_gap_look(s->two, &given, s->looks_whole, s->threads, &kept->found))
            return false;
        kept->gap = given;
    }
    *found = kept->found;
    return true;
}

/* Whether all blocks are on the query's strand, and in the order of the target in it as well. */
static bool are_in_order(const cli_block *blocks, size_t count)
{
    bool in_order = true;
    for (size_t i = 0; i < count; i++)
        in_order = in_order && !blocks[i].reverse &&
                   (i == 0 || blocks[i - 1].query_begin < blocks[i].query_begin);
    return in_order;
}

/*
 * Finds the blocks of a frame. They replace the present ones if there are fewer, or as many that
 * are in order, or none yet. False if there is no memory.
 */
static bool try_frame(search *s, frame at, bool *better)
{
    const int64_t m = s->two->query_length;
    cli_block *blocks = NULL;
    size_t count = 0;
    s->tried = at;
    for (size_t i = 0; i < s->count; i++) {
        cli_anchor anchor = s->anchors[i];
        if (at.reverse) {
            anchor.query = m - s->limits.k - anchor.query;
            anchor.reverse = !anchor.reverse;
        }
        anchor.query -= at.rotation;
        anchor.query += anchor.query < 0 ? m : 0;
        s->seen[i] = anchor;
    }
    if (!cli_blocks_find(s->seen, s->count, &s->limits, &blocks, &count))
        return false;
    const bool straighter = count == s->block_count && are_in_order(blocks, count) &&
                            !are_in_order(s->blocks, s->block_count);
    *better = s->block_count == 0 || (count > 0 && count < s->block_count) || straighter;
    if (*better) {
        release_blocks(s);
        s->blocks = blocks;
        s->block_count = count;
        s->at = at;
    } else {
        free(blocks);
    }
    return true;
}

/* Whether most of the anchors in blocks are on the query's other strand. */
static bool is_mostly_reverse(const search *s)
{
    int64_t forward = 0, reverse = 0;
    for (size_t i = 0; i < s->block_count; i++)
        *(s->blocks[i].reverse ? &reverse : &forward) += s->blocks[i].anchors;
    return reverse > forward;
}

/* Where the query begins if it begins where the target does, by the present blocks. */
static int64_t beginning(const search *s)
{
    const cli_block *first = &s->blocks[0];
    const int64_t m = s->two->query_length;
    const int64_t place = first->query_begin - (first->reverse ? 0 : first->target_begin);
    const int64_t rotation = (s->at.rotation + place) % m;
    return rotation < 0 ? rotation + m : rotation;
}

/* Chooses strand and rotation, as far as they are not given. */
static bool find_frame(search *s, const cli_relation_options *options)
{
    bool better = false;
    frame at = {.reverse = options->strand == '-',
                .rotation = options->has_rotation && options->rotation < s->two->query_length
                                ? options->rotation
                                : 0};
    if (!try_frame(s, at, &better))
        return false;
    s->is_opposite = options->strand != 0 && is_mostly_reverse(s);
    if (options->strand == 0 && is_mostly_reverse(s)) {
        release_blocks(s);
        at.reverse = true;
        if (!try_frame(s, at, &better))
            return false;
    }
    if (options->has_rotation || s->is_opposite || s->block_count == 0)
        return true;
    at.rotation = beginning(s);
    return at.rotation == 0 || try_frame(s, at, &better);
}

/* Each base of a k-mer must be the same. */
static double similarity_at(const search *s, double share)
{
    return share >= 1 ? 1 : pow(share, 1.0 / s->limits.k);
}

/*
 * Of minimizers, the share that both have. Fewer minimizers are common than k-mers, a share s of
 * them, as others may be less in either sequence's window. If each window has that share of its
 * k-mers, the least of 1 + (1 - s) for each of its k-mers is common with the probability s / (2 -
 * s) (M. Belbasi et al., The minimizer Jaccard estimator is biased and inconsistent,
 * Bioinformatics 38, 2022). But an edit changes k neighbours, so narrow windows have all of them or
 * none, and s are common. Between these windows of w have a weight of w / (w + SPREAD k): within a
 * fifth of the divergence for k = 16 to 24, w = 10 to 255, and 0.1 to 20 % of simulated edits.
 */
#define SPREAD 2.5

static double similarity_of(const search *s, int w, double all, double common)
{
    const double share = all > 0 ? common / all : 0, weight = w / (w + SPREAD * s->limits.k);
    const double b = 2 - weight + share;
    return similarity_at(s, 4 * share / (b + sqrt(b * b - 8 * (1 - weight) * share)));
}

/* Bases before and after blocks in order that belong to nothing of the other sequence. */
static int64_t unlike_outside(search *s)
{
    const cli_block *first = &s->blocks[0], *last = &s->blocks[s->block_count - 1];
    const cli_block sides[2] = {
        {.target_end = first->target_begin, .query_end = first->query_begin},
        {.target_begin = last->target_end,
         .target_end = s->two->target_length,
         .query_begin = last->query_end,
         .query_end = s->two->query_length}};
    int64_t bases = 0;
    s->tried = s->at;
    for (int i = 0; i < 2; i++) {
        const int64_t target = sides[i].target_end - sides[i].target_begin;
        const int64_t query = sides[i].query_end - sides[i].query_begin;
        cli_likeness found;
        if (target > s->limits.near && query > s->limits.near &&
            look_at_gap(&sides[i], s, &found) && found.unlike > found.alike)
            bases += found.unlike - found.alike;
    }
    return bases;
}

/*
 * Sums up what blocks cover; known are the bases that minimizers stand for, in the sequence that
 * has fewer of them. `all` are the minimizers of either sequence, about.
 */
static void sum_up(search *s, const cli_minimizers lists[2], double all, cli_relation *relation)
{
    const cli_minimizer_shape *shape = &lists[0].shape;
    const size_t fewer = lists[0].count < lists[1].count ? lists[0].count : lists[1].count;
    const double known = (double)fewer * (shape->w + 1) / 2;
    double in_blocks = 0;
    for (size_t i = 0; i < s->block_count; i++) {
        relation->inverted += s->blocks[i].reverse;
        relation->covered += s->blocks[i].bases;
        in_blocks += (double)s->blocks[i].anchors;
    }
    const double covered = (double)relation->covered;
    const double rest = all - in_blocks;
    const bool in_order = are_in_order(s->blocks, s->block_count);
    relation->is_unrelated =
        shape->share >= 1 && fewer >= UNRELATED_LEAST && covered < COVERED_LEAST * known &&
        similarity_at(s, rest > 0 ? ((double)s->count - in_blocks) / rest : 0) < 0.75;
    relation->is_rearranged = s->block_count > 1 && !in_order;
    if (s->block_count > 0 && in_order && !relation->is_unrelated)
        relation->is_interrupted =
            (s->block_count > 1 && covered < COVERED_MOSTLY * known) ||
            (shape->share >= 1 && (double)unlike_outside(s) > (1 - COVERED_MOSTLY) * known);
}

/* Where the shorter sequence lies within the other one, if it does. */
static void find_within(const search *s, cli_relation *relation)
{
    const int64_t n = s->two->target_length, m = s->two->query_length;
    const int64_t longer = n > m ? n : m, shorter = n > m ? m : n;
    int64_t begin = longer, end = 0, own_begin = shorter, own_end = 0;
    if (WITHIN_PART * shorter >= longer || 2 * relation->covered < shorter)
        return;
    for (size_t i = 0; i < s->block_count; i++) {
        const cli_block *b = &s->blocks[i];
        const int64_t ends[2][2] = {{b->target_begin, b->target_end},
                                    {b->query_begin, b->query_end}};
        const int64_t *other = ends[n > m ? 0 : 1], *own = ends[n > m ? 1 : 0];
        begin = other[0] < begin ? other[0] : begin;
        end = other[1] > end ? other[1] : end;
        own_begin = own[0] < own_begin ? own[0] : own_begin;
        own_end = own[1] > own_end ? own[1] : own_end;
    }
    begin = begin > own_begin ? begin - own_begin : 0;
    end = longer - end > shorter - own_end ? end + shorter - own_end : longer;
    if (end - begin > 2 * shorter)
        return;
    relation->within_begin = begin;
    relation->within_end = end;
}

static void take_over(search *s, const cli_minimizers lists[2], cli_relation *relation)
{
    const double share = lists[0].shape.share;
    const double all = (double)(lists[0].count + lists[1].count) * share / 2;
    sum_up(s, lists, all, relation);
    find_within(s, relation);
    relation->is_related = s->block_count > 0;
    relation->reverse = s->at.reverse;
    relation->is_opposite = s->is_opposite;
    relation->rotation = s->at.rotation;
    relation->similarity = similarity_of(s, lists[0].shape.w, all, (double)s->count);
    relation->share = share;
    relation->anchors = s->anchors;
    relation->anchor_count = s->count;
    relation->k = s->limits.k;
    s->anchors = NULL;
    relation->blocks = s->blocks;
    relation->count = s->block_count;
    s->blocks = NULL;
}

static bool is_kept(const cli_relation_options *options)
{
    return options->kept != NULL && options->kept->number == options->number;
}

/* The target's minimizers; those that are kept are taken, and given back by put_target(). */
static bool take_target(const cli_two *two, const cli_relation_options *options,
                        cli_minimizers *list)
{
    if (is_kept(options)) {
        *list = options->kept->list;
        *options->kept = (cli_kept_target){0};
        return true;
    }
    return cli_minimizers_list(list, two->target, two->target_length, options->threads);
}

static void put_target(const cli_relation_options *options, cli_minimizers *list)
{
    cli_kept_target *kept = options->kept;
    if (kept == NULL)
        return;
    cli_minimizers_release(&kept->list);
    *kept = (cli_kept_target){.number = options->number, .list = *list};
    *list = (cli_minimizers){0};
}

/* Leaves the anchors that are not taken. */
static void leave_taken(search *s)
{
    const cli_ranges *taken = s->limits.taken;
    const int k = s->limits.k;
    size_t left = 0;
    for (size_t i = 0; taken != NULL && s->anchors != NULL && i < s->count; i++) {
        const cli_anchor *a = &s->anchors[i];
        if (!cli_ranges_meet(&taken[0], a->target, a->target + k) &&
            !cli_ranges_meet(&taken[1], a->query, a->query + k))
            s->anchors[left++] = *a;
    }
    s->count = taken != NULL ? left : s->count;
}

static bool find_relation(search *s, cli_minimizers lists[2], const cli_relation_options *options)
{
    if (!take_target(s->two, options, &lists[0]) ||
        !cli_minimizers_list(&lists[1], s->two->query, s->two->query_length, options->threads))
        return false;
    s->anchors = cli_anchors_find(&lists[0], &lists[1], &s->count);
    leave_taken(s);
    s->seen = s->count > 0 ? malloc(s->count * sizeof *s->seen) : NULL;
    const bool has_memory = s->count == 0 || (s->anchors != NULL && s->seen != NULL);
    const bool good = has_memory && find_frame(s, options);
    free(s->seen);
    return good;
}

int64_t cli_relation_least(int64_t target_length, int64_t query_length, bool dense)
{
    const int64_t shorter = target_length < query_length ? target_length : query_length;
    const int64_t share = shorter / (dense ? 4 * BLOCK_SHARE : BLOCK_SHARE);
    return share > BLOCK_BASES_LEAST ? share : BLOCK_BASES_LEAST;
}

/* Of these, the couple is left to the caller. */
static cli_block_limits limits_of(const cli_relation_options *options,
                                  const cli_minimizer_shape *shape)
{
    const bool says = shape->share >= 1; /* of a part, gaps of any length say nothing */
    const int64_t near = shape->w * NEAR_WINDOWS > NEAR ? shape->w * NEAR_WINDOWS : NEAR;
    return (cli_block_limits){.taken = options->taken,
                              .k = shape->k,
                              .least_anchors = ANCHORS_LEAST,
                              .far = says ? (int64_t)shape->w * 64 : INT64_MAX,
                              .farthest = says ? (int64_t)shape->w * 1024 : INT64_MAX,
                              .near = says ? near : INT64_MAX,
                              .look = look_at_gap};
}

/* Pairs that differ by less are not swept. */
static const double GUIDED_DIVERGENCE = 0.002;

/* Whether all of the sequences should be looked at, after a look at some of them. */
static bool needs_more(const cli_two *two, const cli_relation_options *options,
                       const cli_relation *relation)
{
    const int64_t n = two->target_length, m = two->query_length;
    return options->guides && (n < m ? n : m) >= RHOMB_GUIDE_LEAST &&
           (!relation->is_related || 1 - relation->similarity > GUIDED_DIVERGENCE);
}

bool cli_relate(const cli_two *two, const cli_relation_options *options, cli_relation *relation)
{
    search s = {.two = two, .threads = options->threads, .looks_whole = options->dense};
    *relation = (cli_relation){0};
    if (!cli_has_minimizers || two->target_length < CLI_RELATION_BASES_LEAST ||
        two->query_length < CLI_RELATION_BASES_LEAST)
        return true;
    const cli_minimizer_shape shape =
        is_kept(options) ? options->kept->list.shape : shape_of(two, options);
    cli_minimizers lists[2] = {{.shape = shape}, {.shape = shape, .seed = 1}};
    s.limits = limits_of(options, &shape);
    s.limits.user = &s;
    s.limits.couples = &s.couple;
    s.couple = (cli_couple_limits){
        .target_end = two->target_length,
        .query_end = two->query_length,
        .least_bases = cli_relation_least(two->target_length, two->query_length, options->dense)};
    const bool good = find_relation(&s, lists, options);
    if (good)
        take_over(&s, lists, relation);
    release_blocks(&s);
    free(s.anchors);
    free(s.looks);
    if (good)
        put_target(options, &lists[0]);
    cli_minimizers_release(&lists[0]);
    cli_minimizers_release(&lists[1]);
    if (!good || shape.share >= 1 || !needs_more(two, options, relation))
        return good;
    cli_relation_options all = *options;
    all.whole = true;
    cli_relation_release(relation);
    return cli_relate(two, &all, relation);
}

void cli_relation_release(cli_relation *relation)
{
    free(relation->anchors);
    free(relation->blocks);
    *relation = (cli_relation){0};
}
