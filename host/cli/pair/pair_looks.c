/* SPDX-License-Identifier: MIT */
/*
 * Looks at the pairs of two assemblies, see pair_looks.h. Pairs are loaded by the caller's thread
 * alone, in their order; each look has a thread of its own.
 */
#include "host/cli/pair/pair_looks.h"

#include <stdlib.h>
#include <string.h>

#include "host/cli/sketch/extend.h"

/*
 * Pairs that are looked at at the same time, while the device is opened and others are solved. A
 * look is a core's work for some 30 ms per million bases. Together they have no more bases than
 * these, but for one that has more alone, so that memory does not grow with them.
 */
enum { LOOKS_MOST = 16, AHEAD_BASES = 128000000 };

int64_t cli_looks_bases(const cli_looks *looks, size_t index)
{
    const cli_couple *couple = &looks->couples->list[index];
    return looks->assemblies[0]->records[couple->target].length +
           looks->assemblies[1]->records[couple->query].length;
}

/* A target's bases, which pairs that follow each other may share. */
struct cli_shared_target {
    rhomb_sequence *owned; /* NULL: the assembly has them */
    const char *bases;
    size_t record;
    int64_t users;
};

/* What a pair borrows, and has to give back. */
typedef struct loaded {
    cli_shared_target *target;
    rhomb_sequence *query;
} loaded;

static void drop_target(cli_shared_target *target)
{
    if (target == NULL || --target->users > 0)
        return;
    rhomb_sequence_destroy(target->owned);
    free(target);
}

static void release_loaded(void *owner)
{
    loaded *l = owner;
    drop_target(l->target);
    rhomb_sequence_destroy(l->query);
    free(l);
}

/* Makes a record the present target. The exit status. */
static int load_target(cli_looks *looks, size_t record)
{
    if (looks->target != NULL && looks->target->record == record)
        return CLI_OK;
    drop_target(looks->target);
    looks->target = calloc(1, sizeof *looks->target);
    if (looks->target == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    looks->target->users = 1;
    looks->target->record = record;
    return cli_assembly_bases(looks->readers[0], record, &looks->target->bases,
                              &looks->target->owned);
}

/* Gets both sequences of a couple. The exit status. */
static int load(cli_looks *looks, size_t index, cli_pair *pair)
{
    const cli_couple *couple = &looks->couples->list[index];
    const cli_record *target = &looks->assemblies[0]->records[couple->target];
    const cli_record *query = &looks->assemblies[1]->records[couple->query];
    int status = load_target(looks, couple->target);
    if (status != CLI_OK)
        return status;
    loaded *l = calloc(1, sizeof *l);
    if (l == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    l->target = looks->target;
    l->target->users++;
    pair->target = (cli_side){.file = looks->assemblies[0]->path,
                              .name = target->name,
                              .length = target->length,
                              .bases = looks->target->bases};
    pair->query = (cli_side){
        .file = looks->assemblies[1]->path, .name = query->name, .length = query->length};
    status = cli_assembly_bases(looks->readers[1], couple->query, &pair->query.bases, &l->query);
    if (status != CLI_OK) {
        release_loaded(l);
        return status;
    }
    pair->release = release_loaded;
    pair->owner = l;
    pair->number = (int64_t)index;
    pair->is_last = index + 1 == looks->couples->count || couple[1].target != couple->target;
    pair->query_came_before = couple->before < index && couple->before >= looks->couples->begin;
    pair->query_comes_again = couple->after > index && couple->after < looks->couples->end;
    return CLI_OK;
}

/* The strand that is meant: as options say it, or else as the couple does; 0: either. */
static int strand_of(const cli_pair_arguments *args, const cli_couple *couple)
{
    if (args->blocks || args->strand == CLI_STRAND_FORWARD)
        return '+';
    if (args->strand == CLI_STRAND_REVERSE)
        return '-';
    return args->strand == CLI_STRAND_AUTO ? 0 : couple->strand;
}

/* The longest first. */
static int compare_lengths(const void *a, const void *b)
{
    const cli_piece *x = a, *y = b;
    const int64_t m = x->end - x->begin, n = y->end - y->begin;
    if (m != n)
        return m > n ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/*
 * A query with several targets, with N for what belongs to others than this one, so that blocks are
 * neither found nor extended there: *masked, which the caller frees; NULL if there is only one.
 * What lies in blocks of two targets belongs to the shorter one, as it is in a gap of the other.
 * False if there is no memory.
 */
static bool mask_others(const cli_looks *looks, const cli_couple *couple, const cli_side *query,
                        char **masked)
{
    size_t count;
    const cli_piece *pieces = cli_couples_pieces(looks->couples, couple->query, &count);
    *masked = NULL;
    if (pieces == NULL)
        return true;
    cli_piece *sorted = malloc(count * sizeof *sorted);
    *masked = malloc((size_t)query->length + 1);
    const bool good = sorted != NULL && *masked != NULL;
    if (good) {
        memcpy(*masked, query->bases, (size_t)query->length + 1);
        memcpy(sorted, pieces, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_lengths);
    }
    /* A block has no minimizer in the last bases before its end, of which there are no more. */
    const cli_minimizer_shape *shape = &looks->assemblies[1]->minimizers.shape;
    for (size_t i = 0; good && i < count; i++) {
        const bool is_own = sorted[i].target == couple->target;
        const int64_t beside = is_own ? shape->k + shape->w : 0;
        const int64_t begin = sorted[i].begin > beside ? sorted[i].begin - beside : 0;
        const int64_t rest = query->length - begin, all = sorted[i].end + beside - begin;
        const size_t length = (size_t)(all < rest ? all : rest);
        if (is_own)
            memcpy(*masked + begin, query->bases + begin, length);
        else
            memset(*masked + begin, 'N', length);
    }
    free(sorted);
    return good;
}

/* Looks at a pair; with --blocks, its blocks are extended. False if there is no memory. */
static bool look_at(const cli_looks *looks, const cli_couple *couple, const cli_pair *pair,
                    const cli_relation_options *options, cli_relation *found)
{
    char *masked = NULL;
    const bool has_memory = mask_others(looks, couple, &pair->query, &masked);
    const cli_two two = {pair->target.bases, pair->target.length,
                         masked != NULL ? masked : pair->query.bases, pair->query.length};
    const bool good =
        has_memory && cli_relate(&two, options, found) &&
        (!looks->args->blocks || cli_blocks_extend(&two, found->blocks, found->count));
    free(masked);
    return good;
}

static void *look(void *user)
{
    cli_looking *l = user;
    l->has_memory = look_at(l->all, l->couple, &l->pair, &l->options, &l->found);
    return NULL;
}

/* Host threads for looks at all pairs. */
static int look_threads(const cli_looks *looks)
{
    return cli_space_limit() > 0 ? 1 : cli_threads_meant(looks->args->threads);
}

size_t cli_looks_at_a_time(const cli_looks *looks)
{
    const size_t threads = looks->args->blocks ? 1 : (size_t)look_threads(looks);
    const size_t most = threads < LOOKS_MOST ? threads : LOOKS_MOST;
    return most < looks->couples->count ? most : looks->couples->count;
}

/* Loads a pair, and begins to look at it unless it is the only one. The exit status. */
static int begin_look(cli_looks *looks, size_t index, size_t at_a_time, cli_looking *l)
{
    const cli_pair_arguments *args = looks->args;
    const cli_couple *couple = &looks->couples->list[index];
    /* As many as this one are looked at at a time. */
    const int64_t fit = AHEAD_BASES / (cli_looks_bases(looks, index) + 1);
    const int beside = fit > (int64_t)at_a_time ? (int)at_a_time : fit > 1 ? (int)fit : 1;
    const int threads = look_threads(looks) / beside;
    *l = (cli_looking){.all = looks, .couple = couple, .has_memory = true};
    const int status = load(looks, index, &l->pair);
    if (status != CLI_OK)
        return status;
    l->options = (cli_relation_options){.threads = threads > 0 ? threads : 1,
                                        .whole = args->blocks,
                                        .kept = args->blocks ? &looks->kept : NULL,
                                        .number = (int64_t)couple->target + 1,
                                        .dense = args->blocks,
                                        .guides = !args->blocks &&
                                                  args->options.engine != RHOMB_ENGINE_WAVEFRONT,
                                        .strand = strand_of(args, couple),
                                        .has_rotation = args->blocks || args->rotation >= 0,
                                        .rotation = args->rotation > 0 ? args->rotation : 0};
    l->looks = args->sketch && args->options.alphabet == RHOMB_ALPHABET_DNA;
    l->runs = l->looks && at_a_time > 1 && pthread_create(&l->thread, NULL, look, l) == 0;
    return CLI_OK;
}

void cli_looking_end(cli_looking *l)
{
    if (l->runs)
        pthread_join(l->thread, NULL);
    else if (l->looks)
        look(l);
    l->runs = false;
}

void cli_looking_drop(cli_looking *l)
{
    if (l->runs)
        cli_looking_end(l);
    cli_relation_release(&l->found);
    l->pair.release(l->pair.owner);
}

cli_looking *cli_looks_next(cli_looks *looks)
{
    looks->ahead -= cli_looks_bases(looks, looks->next);
    return &looks->list[looks->next++ % LOOKS_MOST];
}

int cli_looks_ahead(cli_looks *looks)
{
    const size_t at_a_time = cli_looks_at_a_time(looks);
    int status = CLI_OK;
    while (status == CLI_OK && looks->begun < looks->couples->end &&
           looks->begun < looks->next + at_a_time &&
           (looks->begun == looks->next ||
            looks->ahead + cli_looks_bases(looks, looks->begun) <= AHEAD_BASES)) {
        status =
            begin_look(looks, looks->begun, at_a_time, &looks->list[looks->begun % LOOKS_MOST]);
        if (status == CLI_OK)
            looks->ahead += cli_looks_bases(looks, looks->begun++);
    }
    return status;
}

bool cli_looks_open(cli_looks *looks)
{
    looks->list = calloc(LOOKS_MOST, sizeof *looks->list);
    return looks->list != NULL;
}

void cli_looks_release(cli_looks *looks)
{
    while (looks->next < looks->begun)
        cli_looking_drop(cli_looks_next(looks));
    free(looks->list);
    cli_minimizers_release(&looks->kept.list);
    drop_target(looks->target);
}
