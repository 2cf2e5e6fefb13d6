/* SPDX-License-Identifier: MIT */
/*
 * Looks at the pairs of two assemblies, see pair_run.h. Pairs are loaded by the caller's thread
 * alone, in their order; each look has a thread of its own.
 */
#include "host/cli/pair/pair_run.h"

#include "host/cli/sketch/blocks.h"

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

/* The last couple of those that are asked for with a couple's query. */
static size_t last_of_query(const cli_couples *couples, size_t index)
{
    const cli_couple *list = couples->list;
    while (list[index].after > index && list[index].after < couples->end)
        index = list[index].after;
    return index;
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
    pair->query.qualities =
        l->query != NULL ? rhomb_sequence_qualities(l->query) : query->qualities;
    pair->release = release_loaded;
    pair->owner = l;
    pair->number = (int64_t)index;
    pair->is_last = index + 1 == looks->couples->count || couple[1].target != couple->target;
    pair->query_came_before = couple->before < index && couple->before >= looks->couples->begin;
    pair->query_comes_again = couple->after > index && couple->after < looks->couples->end;
    pair->query_last = (int64_t)last_of_query(looks->couples, index);
    return CLI_OK;
}

/* The strand that is meant: as options say it, or else as the pair does; 0: either. */
static char strand_of(const cli_pair_arguments *args, char strand)
{
    if (args->blocks || args->strand == CLI_STRAND_FORWARD)
        return '+';
    if (args->strand == CLI_STRAND_REVERSE)
        return '-';
    return args->strand == CLI_STRAND_AUTO ? '\0' : strand;
}

cli_relation_options cli_look_options(const cli_pair_arguments *args, char strand)
{
    return (cli_relation_options){.whole = args->blocks,
                                  .dense = args->blocks,
                                  .guides = !args->blocks &&
                                            args->options.engine != RHOMB_ENGINE_WAVEFRONT,
                                  .strand = strand_of(args, strand),
                                  .has_rotation = args->blocks || args->rotation >= 0,
                                  .rotation = args->rotation > 0 ? args->rotation : 0};
}

/*
 * What other couples have of both records: their pieces, and all that their rows have, of those
 * that came before. False if there is no memory.
 */
static bool list_taken(const cli_looks *looks, const cli_couple *couple, cli_ranges taken[2])
{
    bool good = true;
    for (int side = 0; side < 2 && good; side++) {
        const size_t own = side == 0 ? couple->target : couple->query;
        good = cli_couples_others(looks->couples, couple, side, &taken[side]);
        for (size_t i = 0; i < looks->row_count && good; i++)
            if (looks->rows[i].piece.record[side] == own)
                good = cli_ranges_add(&taken[side], looks->rows[i].piece.range[side]);
        cli_ranges_settle(&taken[side]);
    }
    return good;
}

/*
 * Keeps what the rows of a couple have, for those that follow; rows of other targets go if their
 * query does not come again. False if there is no memory.
 */
static bool keep_rows(cli_looks *looks, const cli_couple *couple, const cli_relation *found)
{
    size_t count = 0;
    for (size_t i = 0; i < looks->row_count; i++)
        if (looks->rows[i].piece.record[0] == couple->target || looks->rows[i].query_comes_again)
            looks->rows[count++] = looks->rows[i];
    cli_kept_row *grown = realloc(looks->rows, (count + found->count + 1) * sizeof *grown);
    looks->row_count = count;
    if (grown == NULL)
        return false;
    looks->rows = grown;
    for (size_t i = 0; i < found->count; i++) {
        const cli_block *b = &found->blocks[i];
        looks->rows[looks->row_count++] = (cli_kept_row){
            .piece = {.record = {couple->target, couple->query},
                      .range = {{b->target_begin, b->target_end}, {b->query_begin, b->query_end}}},
            .query_comes_again = &looks->couples->list[couple->after] != couple};
    }
    return true;
}

/* A query with N for what is taken of it, which tells nothing of its couple. NULL if there is no
 * memory. */
static char *mask(const cli_side *query, const cli_ranges *taken)
{
    char *masked = malloc((size_t)query->length + 1);
    if (masked == NULL)
        return NULL;
    memcpy(masked, query->bases, (size_t)query->length + 1);
    for (size_t i = 0; i < taken->count; i++)
        memset(masked + taken->list[i].begin, 'N',
               (size_t)(taken->list[i].end - taken->list[i].begin));
    return masked;
}

/* Finds the blocks of a pair whose records have others as well. False if there is no memory. */
static bool look_beside(cli_looks *looks, const cli_couple *couple, const cli_pair *pair,
                        cli_relation_options *options, cli_relation *found)
{
    cli_ranges taken[2] = {{NULL, 0}, {NULL, 0}};
    char *masked = NULL;
    bool good =
        list_taken(looks, couple, taken) && (masked = mask(&pair->query, &taken[1])) != NULL;
    const cli_two two = {pair->target.bases, pair->target.length, masked, pair->query.length};
    options->taken = taken;
    good = good && cli_relate(&two, options, found) &&
           cli_blocks_extend(&two, taken, found->blocks, found->count) &&
           keep_rows(looks, couple, found);
    options->taken = NULL;
    free(masked);
    cli_ranges_release(&taken[0]);
    cli_ranges_release(&taken[1]);
    return good;
}

/* Looks at a pair; with --blocks, its blocks are extended. False if there is no memory. */
static bool look_at(cli_looks *looks, const cli_couple *couple, const cli_pair *pair,
                    cli_relation_options *options, cli_relation *found)
{
    if (looks->couples->segments[0] != NULL)
        return look_beside(looks, couple, pair, options, found);
    const cli_two two = {pair->target.bases, pair->target.length, pair->query.bases,
                         pair->query.length};
    return cli_relate(&two, options, found) &&
           (!looks->args->blocks || cli_blocks_extend(&two, NULL, found->blocks, found->count));
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
    l->options = cli_look_options(args, couple->strand);
    l->options.threads = threads > 0 ? threads : 1;
    l->options.kept = args->blocks ? &looks->kept : NULL;
    l->options.number = (int64_t)couple->target + 1;
    l->looks = args->sketch && cli_is_dna(args->options.alphabet);
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

int cli_looks_skip(cli_looks *looks, size_t first)
{
    const cli_couples *couples = looks->couples;
    bool needed = false;
    int status = CLI_OK;
    for (size_t i = first; i < couples->end && couples->segments[0] != NULL; i++)
        needed = needed || couples->list[i].before < first;
    while (needed && looks->next < first && status == CLI_OK) {
        status = cli_looks_ahead(looks);
        if (status == CLI_OK) {
            cli_looking *l = cli_looks_next(looks);
            cli_looking_end(l);
            status = l->has_memory ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
            cli_looking_drop(l);
        }
    }
    if (looks->next < first)
        looks->next = looks->begun = first;
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
    free(looks->rows);
    drop_target(looks->target);
}
