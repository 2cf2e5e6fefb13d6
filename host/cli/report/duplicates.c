/* SPDX-License-Identifier: MIT */
/*
 * Duplicates, see events.h. Bases that are inserted are a tandem duplicate if those that follow
 * or precede them are the same, base by base, once or several times. Others, of some hundred bases
 * or more, are looked for by minimizers, which tell where the other side has them once.
 */
#include "host/cli/report/events.h"

#include "host/cli/sketch/relation.h"

enum {
    SEARCHED_LEAST = 500, /* bases; minimizers of fewer are too few */
    SEARCHED_MOST = 2000, /* the longest of so many insertions and deletions */
    MISMATCH = 4,         /* what a mismatch of a tandem duplicate takes, of matches */
    DROP = 100,           /* matches that mismatches may take of it */
    SAME_LEAST = 10,      /* bases after an insertion or deletion in it, or of a period */
    SHIFT_SHARE = 50,     /* of a period, at most, is inserted or deleted at a place, */
    SHIFT_MOST = 200,     /* or so many bases */
    PERIOD_WITHIN = 120,  /* bases of the copy, of some of which periods are found, */
    PERIODS_MOST = 20,    /* and tried */
    ALIKE_PERCENT = 95,   /* of its bases that are beside the event */
    COPY_PERCENT = 80,    /* of an insertion that a duplicate has */
    MOVED_PERCENT =
        110,    /* of what was lost that segments have together, as their ends may overlap */
    BESIDE = 50 /* bases between a copy and its source, at most, and a twentieth of it */
};

/* Bases that one side alone has, of an event, and the best place of the other side that has them.
 */
typedef struct copy {
    cli_event *event;
    rhomb_event at; /* as it was found */
    const char *bases;
    int64_t length;
    bool of_query; /* the query has it, and the target is searched */
    /* Bases before and after it, as the searched side has them: all that there are. */
    int64_t around[2];
    /* Where the event is in the searched side. */
    int64_t sequence, begin, end;
    /* The best place so far, of `found` bases. */
    int64_t found, source, source_begin, source_end;
    bool reverse, tandem;
    /* Where a sequence has it in segments: those of the best one, for free(), and their bases. */
    cli_block *segments;
    size_t segment_count;
    int64_t in_segments, segment_source;
} copy;

/* The copy of an event; false if that is none, or of nothing. */
static bool copy_of(const cli_events *events, cli_event *event, copy *out)
{
    const rhomb_event *e = &event->event;
    const bool of_query = event->type == CLI_EVENT_INSERTION;
    const int64_t begin = of_query ? e->query_begin : e->target_begin;
    const int64_t end = of_query ? e->query_end : e->target_end;
    const char *name, *bases;
    int64_t length;
    if ((!of_query && event->type != CLI_EVENT_DELETION) ||
        rhomb_sequence_set_get(of_query ? events->queries : events->targets,
                               of_query ? e->query : e->target, &name, &bases, &length) != RHOMB_OK)
        return false;
    *out = (copy){.event = event,
                  .at = *e,
                  .bases = bases + begin,
                  .length = end - begin,
                  .of_query = of_query,
                  .around = {e->reverse ? length - end : begin, e->reverse ? begin : length - end},
                  .sequence = of_query ? e->target : e->query,
                  .begin = of_query ? e->target_begin : e->query_begin,
                  .end = of_query ? e->target_end : e->query_end};
    return true;
}

/* The base of a copy that is `at` bases on along the searched sequence. */
static char base_at(const copy *c, int64_t at)
{
    const bool reverse = c->event->event.reverse;
    return cli_block_base(c->bases[reverse ? c->length - 1 - at : at], reverse);
}

/* The same, and before and after the copy the searched sequence or, without one, its own. */
static char base_around(const copy *c, const char *searched, int64_t length, int64_t at)
{
    const int64_t there = c->begin + (at < 0 ? at : at - c->length);
    if (at >= 0 && at < c->length)
        return base_at(c, at);
    if (searched == NULL)
        return -at > c->around[0] || at - c->length >= c->around[1] ? '\0' : base_at(c, at);
    return there >= 0 && there < length ? cli_block_base(searched[there], false) : '\0';
}

/* A walk along a copy, or back from its end, and along what is a period further on or back. */
typedef struct walk {
    const copy *copy;
    const char *searched; /* NULL: the copy's own sequence */
    int64_t length;
    int64_t step; /* 1, or -1 back */
} walk;

/* Whether `count` bases are the same, from two places on. */
static bool are_same(const walk *w, int64_t at, int64_t there, int count)
{
    for (int i = 0; i < count; i++, at += w->step, there += w->step) {
        const char base = base_around(w->copy, w->searched, w->length, at);
        if (base == '\0' || base != base_around(w->copy, w->searched, w->length, there))
            return false;
    }
    return true;
}

/*
 * How many bases more the copy has (below 0), or the other place has, where they differ: as few as
 * make the next ones the same.
 */
static int64_t shift_of(const walk *w, int64_t at, int64_t there, int64_t most)
{
    if (are_same(w, at + w->step, there + w->step, SAME_LEAST))
        return 0;
    for (int64_t shift = 1; shift <= most; shift++) {
        if (are_same(w, at, there + w->step * shift, SAME_LEAST))
            return shift;
        if (are_same(w, at + w->step * shift, there, SAME_LEAST))
            return -shift;
    }
    return 0;
}

/* Bases of a copy, and of another place. */
typedef struct reach {
    int64_t here, there;
} reach;

/* How many of a copy's bases are those a period further on, or back from its end. */
static reach alike_beside(const copy *c, const char *searched, int64_t length, int64_t period,
                          bool before)
{
    const walk w = {c, searched, length, before ? -1 : 1};
    const int64_t most = period / SHIFT_SHARE < SHIFT_MOST ? 4 + period / SHIFT_SHARE : SHIFT_MOST;
    int64_t score = 0, best = 0;
    reach now = {0, 0}, alike = {0, 0};
    while (now.here < c->length && score > best - DROP) {
        const int64_t at = before ? c->length - 1 - now.here : now.here;
        const int64_t there = before ? c->length - 1 - period - now.there : period + now.there;
        const bool same = are_same(&w, at, there, 1);
        const int64_t shift = same ? 0 : shift_of(&w, at, there, most);
        score += same ? 1 : -MISMATCH;
        now.here += shift == 0 ? 1 : shift < 0 ? -shift : 0;
        now.there += shift == 0 ? 1 : shift > 0 ? shift : 0;
        if (score > best) {
            best = score;
            alike = now;
        }
    }
    return alike;
}

/* The next larger period that bases near the beginning of the copy have; 0: there is none. */
static int64_t next_period(const copy *c, const char *searched, int64_t length, int64_t period)
{
    const walk w = {c, searched, length, 1};
    while (++period <= c->length + c->length / SHIFT_SHARE)
        for (int64_t at = 0; at < PERIOD_WITHIN && at < c->length; at += PERIOD_WITHIN / 4)
            if (are_same(&w, at, at + period, SAME_LEAST))
                return period;
    return 0;
}

/* Whether the searched side's last of several places is the target's first. */
static bool is_last_first(const copy *c)
{
    return c->event->event.reverse && !c->of_query;
}

/*
 * Takes a range beside the event as the copy's source. The event lies where the path has its gap;
 * it is moved back by bases that are alike, to where the target would have it first.
 */
static void take_tandem(copy *c, int64_t alike, int64_t back, int64_t begin, int64_t end)
{
    rhomb_event *e = &c->event->event;
    const int64_t by = e->reverse ? -back : back;
    *(c->of_query ? &e->query_begin : &e->target_begin) -= by;
    *(c->of_query ? &e->query_end : &e->target_end) -= by;
    c->found = alike;
    c->source = c->sequence;
    c->source_begin = begin;
    c->source_end = end;
    c->reverse = e->reverse;
    c->tandem = true;
}

/* Takes what is beside the event as the source, if the copy repeats it with this period. */
static bool take_period(copy *c, const char *searched, int64_t length, int64_t period)
{
    const int64_t others = c->length > period ? c->length - period : 0;
    const reach after = alike_beside(c, searched, length, period, false);
    const reach before = alike_beside(c, searched, length, period, true);
    if (100 * (after.here + before.here - 2 * others) < ALIKE_PERCENT * (c->length - others))
        return false;
    const int64_t source =
        period + after.there - after.here + (others == 0 ? before.there - before.here : 0);
    /* Back as far as either side allows: beside an inversion the query has something else. */
    const bool last = is_last_first(c);
    const reach first = alike_beside(c, searched, length, c->length, !last);
    const reach own = alike_beside(c, NULL, 0, c->length, !last);
    int64_t back = own.there - (own.here > first.here ? own.here - first.here : 0);
    back = back < 0 ? 0 : back < c->around[last] ? back : c->around[last];
    const int64_t begin = last ? c->begin + first.there - source : c->begin - first.there;
    const int64_t end = begin + source < length ? begin + source : length;
    take_tandem(c, c->length, last ? -back : back, begin > 0 ? begin : 0, end);
    return true;
}

/*
 * Looks for the copy beside the event, or several of them that follow each other. It may be cut
 * where the event is in the middle of the other one.
 */
static void try_beside(copy *c, const char *searched, int64_t length)
{
    int64_t period = c->length;
    if (c->begin != c->end || take_period(c, searched, length, period))
        return;
    period = 0;
    for (int i = 0; i < PERIODS_MOST; i++) {
        period = next_period(c, searched, length, period);
        if (period == 0 || take_period(c, searched, length, period))
            return;
    }
}

/* Takes a block as the place of a copy if it has more of it. */
static void take_block(copy *c, int64_t number, const cli_block *b)
{
    const int64_t there = b->target_end - b->target_begin, here = b->query_end - b->query_begin;
    const int64_t alike = there < here ? there : here;
    if (alike <= c->found)
        return;
    c->found = alike;
    c->source = number;
    c->source_begin = b->target_begin;
    c->source_end = b->target_end;
    c->reverse = b->reverse;
}

static int by_query(const void *a, const void *b)
{
    const cli_block *x = a, *y = b;
    return (x->query_begin > y->query_begin) - (x->query_begin < y->query_begin);
}

/* Takes blocks as the segments of a copy if they have more of it. False without memory. */
static bool take_segments(copy *c, int64_t number, cli_block *blocks, size_t count)
{
    int64_t bases = 0, end = 0;
    if (count > 1)
        qsort(blocks, count, sizeof *blocks, by_query);
    for (size_t i = 0; i < count; i++) {
        const int64_t begin = blocks[i].query_begin > end ? blocks[i].query_begin : end;
        bases += blocks[i].query_end > begin ? blocks[i].query_end - begin : 0;
        end = blocks[i].query_end > end ? blocks[i].query_end : end;
    }
    if (count < 2 || bases <= c->in_segments)
        return true;
    cli_block *segments = realloc(c->segments, count * sizeof *segments);
    if (segments == NULL)
        return false;
    memcpy(segments, blocks, count * sizeof *segments);
    c->segments = segments;
    c->segment_count = count;
    c->in_segments = bases;
    c->segment_source = number;
    return true;
}

/*
 * If the blocks beside the event have as much of it as any one elsewhere, it is a tandem duplicate:
 * blocks after it, or before it, or both if it is cut in the middle of the copy; not both where
 * each side has a copy. An end of a copy may be too short for a block.
 */
static void take_beside(copy *c, const cli_block *blocks, size_t count, int64_t length)
{
    const int64_t slack = BESIDE + c->length / 20, enough = COPY_PERCENT * c->length / 100;
    int64_t before = 0, after = 0, begin = c->begin, end = c->end;
    for (size_t i = 0; i < count; i++) {
        const cli_block *b = &blocks[i];
        if (b->reverse != c->event->event.reverse || b->target_begin - slack > c->end ||
            b->target_end + slack < c->begin)
            continue;
        const bool is_before = b->target_begin + b->target_end < c->begin + c->end;
        *(is_before ? &before : &after) += b->query_end - b->query_begin;
        begin = b->target_begin < begin ? b->target_begin : begin;
        end = b->target_end > end ? b->target_end : end;
    }
    if (before + after > c->length && after >= before)
        before = 0, begin = c->begin;
    else if (before + after > c->length)
        after = 0, end = c->end;
    const int64_t missing = c->length - before - after;
    if (before + after < enough || before + after < c->found || missing < 0)
        return;
    if (missing > BESIDE && after > 0)
        end = end + missing < length ? end + missing : length;
    else if (missing > BESIDE)
        begin = begin > missing ? begin - missing : 0;
    before = before < c->begin - begin ? before : c->begin - begin;
    after = after < end - c->end ? after : end - c->end;
    take_tandem(c, c->length - missing, is_last_first(c) ? -after : before, begin, end);
}

/* Looks for a copy in a sequence whose minimizers may be known. False without memory. */
static bool search(copy *c, int64_t number, const char *bases, int64_t length, int threads,
                   cli_kept_target *kept)
{
    const cli_two two = {bases, length, c->bases, c->length};
    const cli_relation_options options = {.threads = threads,
                                          .whole = true,
                                          .kept = kept,
                                          .number = number + 1,
                                          .strand = '+',
                                          .has_rotation = true};
    cli_relation found;
    bool good = cli_relate(&two, &options, &found) &&
                cli_blocks_extend(&two, NULL, found.blocks, found.count);
    for (size_t i = 0; good && i < found.count; i++)
        take_block(c, number, &found.blocks[i]);
    if (good && number == c->sequence)
        take_beside(c, found.blocks, found.count, length);
    if (good && c->of_query)
        good = take_segments(c, number, found.blocks, found.count);
    cli_relation_release(&found);
    return good;
}

static bool is_found(const copy *c, int64_t bases)
{
    return bases > 0 && 100 * bases >= COPY_PERCENT * c->length;
}

/* Gives the event its type, and the source as the range of the searched side. */
static void settle(const copy *c)
{
    rhomb_event *e = &c->event->event;
    *(c->of_query ? &e->target : &e->query) = c->source;
    *(c->of_query ? &e->target_begin : &e->query_begin) = c->source_begin;
    *(c->of_query ? &e->target_end : &e->query_end) = c->source_end;
    e->reverse = c->reverse;
    c->event->type = c->of_query
                         ? (c->tandem ? CLI_EVENT_TANDEM_DUPLICATION : CLI_EVENT_DUPLICATION)
                         : (c->tandem ? CLI_EVENT_LOST_TANDEM_DUPLICATE : CLI_EVENT_LOST_DUPLICATE);
}

/* Where the target goes on after a segment, or before it, in the order of the query. */
static rhomb_event_end end_of(const rhomb_event *segment, bool is_after)
{
    return (rhomb_event_end){
        segment->target, is_after == segment->reverse ? segment->target_begin : segment->target_end,
        segment->reverse};
}

/* Makes the event, and those after it that have no type, the segments of its copy. */
static void settle_segments(const copy *c)
{
    rhomb_event *last = NULL;
    for (size_t i = 0; i < c->segment_count; i++) {
        const cli_block *b = &c->segments[i];
        const int64_t there = b->target_end - b->target_begin, here = b->query_end - b->query_begin;
        cli_event *event = c->event + i;
        *event = (cli_event){c->at, CLI_EVENT_DUPLICATION, c->at.before};
        rhomb_event *e = &event->event;
        e->target = c->segment_source;
        e->target_begin = b->target_begin;
        e->target_end = b->target_end;
        e->query_begin = c->at.query_begin + b->query_begin;
        e->query_end = c->at.query_begin + b->query_end;
        e->reverse = b->reverse;
        e->bases = there > here ? there : here;
        if (last != NULL) {
            e->before = end_of(last, true);
            last->after = end_of(e, false);
        }
        last = e;
    }
}

/* How many bases of the target a copy has of what the query alone has lost there; 0: not most. */
static int64_t moved_from(const cli_event *copied, const cli_event *lost)
{
    const rhomb_event *e = &copied->event, *l = &lost->event;
    const int64_t begin = e->target_begin > l->target_begin ? e->target_begin : l->target_begin;
    const int64_t end = e->target_end < l->target_end ? e->target_end : l->target_end;
    return copied->type == CLI_EVENT_DUPLICATION && e->target == l->target && end > begin &&
                   100 * (end - begin) >= COPY_PERCENT * (e->target_end - e->target_begin)
               ? end - begin
               : 0;
}

/* Makes a copy what has moved. */
static void move(cli_event *copied)
{
    const rhomb_event *e = &copied->event;
    const bool inverted = e->reverse != copied->site.reverse;
    copied->type = e->target == copied->site.target
                       ? (inverted ? CLI_EVENT_INVERTED_RELOCATION : CLI_EVENT_RELOCATION)
                       : (inverted ? CLI_EVENT_INVERTED_TRANSLOCATION : CLI_EVENT_TRANSLOCATION);
}

/*
 * What the query has elsewhere, in one segment or several, and the target alone has in its place,
 * has moved; what the query has once more is a duplicate still.
 */
static void join_moved(cli_events *events, cli_event *lost)
{
    const rhomb_event *l = &lost->event;
    const int64_t bases = l->target_end - l->target_begin;
    int64_t moved = 0;
    if (lost->type != CLI_EVENT_DELETION && lost->type != CLI_EVENT_LOST_DUPLICATE)
        return;
    for (int pass = 0; pass < 2; pass++) {
        if (pass > 0 && 100 * moved < COPY_PERCENT * bases)
            return;
        moved = 0;
        for (size_t i = 0; i < events->count; i++) {
            const int64_t more = moved_from(&events->list[i], lost);
            if (more == 0 || 100 * (moved + more) > MOVED_PERCENT * bases)
                continue;
            if (pass > 0)
                move(&events->list[i]);
            if (pass > 0 && moved == 0 && !l->in_record) {
                events->list[i].event.left_begin = l->target_begin;
                events->list[i].event.left_end = l->target_end;
            }
            moved += more;
        }
    }
    lost->type = CLI_EVENT_TYPES; /* which is taken away */
}

/* Takes events of no type away. */
static void take_away(cli_events *events)
{
    size_t left = 0;
    for (size_t i = 0; i < events->count; i++)
        if (events->list[i].type != CLI_EVENT_TYPES)
            events->list[left++] = events->list[i];
    events->count = left;
}

static int by_length(const void *a, const void *b)
{
    const copy *x = a, *y = b;
    return (x->length < y->length) - (x->length > y->length);
}

/* Searches all sequences of a side for the first `count` copies, as far as they are long enough. */
static bool search_side(const cli_events *events, bool target, copy *copies, size_t count,
                        int threads)
{
    const rhomb_sequence_set *set = target ? events->targets : events->queries;
    const char *only = events->only[target ? 0 : 1];
    bool good = true;
    for (int64_t n = 0; n < rhomb_sequence_set_count(set) && good; n++) {
        cli_kept_target kept = {0};
        const char *name, *bases;
        int64_t length;
        if (rhomb_sequence_set_get(set, n, &name, &bases, &length) != RHOMB_OK ||
            (only != NULL && strcmp(name, only) != 0))
            continue;
        for (size_t i = 0; i < count && copies[i].length >= SEARCHED_LEAST && good; i++)
            if (copies[i].of_query == target && !copies[i].tandem)
                good = search(&copies[i], n, bases, length, threads, &kept);
        cli_minimizers_release(&kept.list);
    }
    return good;
}

/*
 * Makes room for the segments of each copy after its event: events of no type so far. False without
 * memory.
 */
static bool make_room(cli_events *events, copy *copies, size_t count)
{
    const size_t before = events->count;
    size_t segments = 0, at = 0;
    copy **of = calloc(before + 1, sizeof *of);
    for (size_t i = 0; i < count; i++)
        segments += copies[i].segment_count;
    cli_event *list = malloc((before + segments + 1) * sizeof *list);
    if (list == NULL || of == NULL) {
        free(list);
        free(of);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        of[copies[i].event - events->list] = &copies[i];
    for (size_t i = 0; i < before; i++) {
        list[at] = events->list[i];
        if (of[i] != NULL)
            of[i]->event = &list[at];
        at++;
        for (size_t k = 1; of[i] != NULL && k < of[i]->segment_count; k++)
            list[at++] = (cli_event){.type = CLI_EVENT_TYPES};
    }
    free(of);
    free(events->list);
    events->list = list;
    events->count = at;
    return true;
}

bool cli_duplicates_find(cli_events *events, int threads)
{
    copy *copies = malloc((events->count + 1) * sizeof *copies);
    size_t count = 0;
    if (copies == NULL)
        return false;
    for (size_t i = 0; i < events->count; i++)
        count += copy_of(events, &events->list[i], &copies[count]);
    for (size_t i = 0; i < count; i++) {
        copy *c = &copies[i];
        const char *name, *bases;
        int64_t length;
        if (rhomb_sequence_set_get(c->of_query ? events->targets : events->queries, c->sequence,
                                   &name, &bases, &length) != RHOMB_OK)
            continue;
        try_beside(c, bases, length);
    }
    qsort(copies, count, sizeof *copies, by_length);
    const size_t most = count < SEARCHED_MOST ? count : SEARCHED_MOST;
    bool good = search_side(events, true, copies, most, threads) &&
                search_side(events, false, copies, most, threads);
    good = good && make_room(events, copies, count);
    for (size_t i = 0; i < count && good; i++) {
        if (is_found(&copies[i], copies[i].found))
            settle(&copies[i]);
        else if (is_found(&copies[i], copies[i].in_segments))
            settle_segments(&copies[i]);
    }
    for (size_t i = 0; i < events->count && good; i++)
        join_moved(events, &events->list[i]);
    take_away(events);
    for (size_t i = 0; i < count; i++)
        free(copies[i].segments);
    free(copies);
    return good;
}
