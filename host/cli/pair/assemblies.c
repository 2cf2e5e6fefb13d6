/* SPDX-License-Identifier: MIT */
/*
 * Two assemblies, see assemblies.h.
 */
#include "host/cli/pair/assemblies.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/sketch/extend.h"
#include "host/cli/sketch/look.h"
#include "host/cli/sketch/sketch_guide.h"

/* Words for so many unusual pairs; the others are counted. */
enum { WORDS_MOST = 10 };

/*
 * Pairs that are looked at at the same time, while the device is opened and others are solved. A
 * look is a core's work for some 30 ms per million bases. Together they have no more bases than
 * these, but for one that has more alone, so that memory does not grow with them.
 */
enum { LOOKS_MOST = 16, AHEAD_BASES = 128000000 };

/* Starts to read both files. */
static int start(cli_assemblies *a)
{
    const cli_pair_arguments *args = a->args;
    const cli_minimizer_shape none = {0};
    const cli_minimizer_shape shape = cli_match_needs_minimizers(args->match)
                                          ? cli_assembly_shape(args->target_path, args->query_path)
                                          : none;
    a->readers[0] = cli_assembly_start(args->target_path, args->threads, &shape, a->target_md5);
    a->readers[1] = cli_assembly_start(args->query_path, args->threads, &shape, false);
    return a->readers[0] != NULL && a->readers[1] != NULL ? CLI_OK : CLI_MEMORY;
}

static int64_t bases_of(const cli_assemblies *a, size_t index)
{
    const cli_couple *couple = &a->couples.list[index];
    return a->assemblies[0]->records[couple->target].length +
           a->assemblies[1]->records[couple->query].length;
}

cli_pool_options cli_pair_pool(const cli_pair_arguments *args, const cli_assemblies *a,
                               int64_t first)
{
    cli_pool_options options = {.cache_dir = args->cache_dir,
                                .threads = args->threads,
                                .at_a_time = args->at_a_time,
                                .options = &args->options};
    const size_t skipped = (size_t)first;
    size_t i = a->couples.begin > skipped ? a->couples.begin : skipped;
    for (; i < a->couples.end && !args->blocks; i++) {
        options.tasks++;
        options.bases += bases_of(a, i);
    }
    return options;
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
static int load_target(cli_assemblies *a, size_t record)
{
    if (a->target != NULL && a->target->record == record)
        return CLI_OK;
    drop_target(a->target);
    a->target = calloc(1, sizeof *a->target);
    if (a->target == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    a->target->users = 1;
    a->target->record = record;
    return cli_assembly_bases(a->readers[0], record, &a->target->bases, &a->target->owned);
}

/* Gets both sequences of a couple. The exit status. */
static int load(cli_assemblies *a, size_t index, cli_pair *pair)
{
    const cli_couple *couple = &a->couples.list[index];
    const cli_record *target = &a->assemblies[0]->records[couple->target];
    const cli_record *query = &a->assemblies[1]->records[couple->query];
    int status = load_target(a, couple->target);
    if (status != CLI_OK)
        return status;
    loaded *l = calloc(1, sizeof *l);
    if (l == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    l->target = a->target;
    l->target->users++;
    pair->target =
        (cli_side){.name = target->name, .length = target->length, .bases = a->target->bases};
    pair->query = (cli_side){.name = query->name, .length = query->length};
    status = cli_assembly_bases(a->readers[1], couple->query, &pair->query.bases, &l->query);
    if (status != CLI_OK) {
        release_loaded(l);
        return status;
    }
    pair->release = release_loaded;
    pair->owner = l;
    pair->number = (int64_t)index;
    pair->is_last = index + 1 == a->couples.count || couple[1].target != couple->target;
    pair->query_came_before = couple->before < index && couple->before >= a->couples.begin;
    pair->query_comes_again = couple->after > index && couple->after < a->couples.end;
    return CLI_OK;
}

/* Whether there is something to say of a pair that is aligned from end to end. */
static bool is_unusual(const cli_relation *r, const cli_look_asked *asked)
{
    return r->is_unrelated || r->is_opposite || (r->reverse && asked->strand) ||
           (r->rotation != 0 && asked->rotation) || r->is_rearranged || r->is_interrupted;
}

static void warn(cli_assemblies *a, const cli_couple *couple, const cli_pair *pair,
                 const cli_relation *relation)
{
    char prefix[200];
    const cli_look_asked asked = {.strand =
                                      a->args->strand == CLI_STRAND_NONE && couple->strand == '\0',
                                  .rotation = a->args->rotation == CLI_ROTATE_NONE,
                                  .prefix = prefix};
    snprintf(prefix, sizeof prefix, "%.80s, %.80s: ", pair->target.name, pair->query.name);
    /* Blocks are aligned however they are arranged. */
    const bool warns = a->args->blocks ? relation->is_unrelated : is_unusual(relation, &asked);
    if (warns && a->unusual++ < WORDS_MOST)
        cli_look_warn(relation, &asked);
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
static bool mask_others(const cli_assemblies *a, const cli_couple *couple, const cli_side *query,
                        char **masked)
{
    size_t count;
    const cli_piece *pieces = cli_couples_pieces(&a->couples, couple->query, &count);
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
    const cli_minimizer_shape *shape = &a->assemblies[1]->minimizers.shape;
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
static bool look_at(const cli_assemblies *a, const cli_couple *couple, const cli_pair *pair,
                    const cli_relation_options *options, cli_relation *found)
{
    char *masked = NULL;
    const bool has_memory = mask_others(a, couple, &pair->query, &masked);
    const cli_two two = {pair->target.bases, pair->target.length,
                         masked != NULL ? masked : pair->query.bases, pair->query.length};
    const bool good = has_memory && cli_relate(&two, options, found) &&
                      (!a->args->blocks || cli_blocks_extend(&two, found->blocks, found->count));
    free(masked);
    return good;
}

/* A pair that is to be added, and what a look at it says, on a thread of its own or the caller's.
 */
typedef struct cli_looking {
    const cli_assemblies *assemblies;
    const cli_couple *couple;
    cli_pair pair;
    cli_relation_options options;
    bool looks, runs; /* that thread does */
    bool has_memory;
    cli_relation found;
    pthread_t thread;
} looking;

static void *look(void *user)
{
    looking *l = user;
    l->has_memory = look_at(l->assemblies, l->couple, &l->pair, &l->options, &l->found);
    return NULL;
}

/* Host threads for looks at all pairs. */
static int look_threads(const cli_assemblies *a)
{
    return cli_space_limit() > 0 ? 1 : cli_threads_meant(a->args->threads);
}

/* How many pairs may be looked at at the same time; with blocks a target is kept for the next. */
static size_t looks_at_a_time(const cli_assemblies *a)
{
    const size_t threads = a->args->blocks ? 1 : (size_t)look_threads(a);
    const size_t most = threads < LOOKS_MOST ? threads : LOOKS_MOST;
    return most < a->couples.count ? most : a->couples.count;
}

/* Loads a pair, and begins to look at it unless it is the only one. The exit status. */
static int begin_look(cli_assemblies *a, size_t index, size_t at_a_time, looking *l)
{
    const cli_pair_arguments *args = a->args;
    const cli_couple *couple = &a->couples.list[index];
    /* As many as this one are looked at at a time. */
    const int64_t fit = AHEAD_BASES / (bases_of(a, index) + 1);
    const int beside = fit > (int64_t)at_a_time ? (int)at_a_time : fit > 1 ? (int)fit : 1;
    const int threads = look_threads(a) / beside;
    *l = (looking){.assemblies = a, .couple = couple, .has_memory = true};
    const int status = load(a, index, &l->pair);
    if (status != CLI_OK)
        return status;
    l->options = (cli_relation_options){.threads = threads > 0 ? threads : 1,
                                        .whole = args->blocks,
                                        .kept = args->blocks ? &a->kept : NULL,
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

static void end_look(looking *l)
{
    if (l->runs)
        pthread_join(l->thread, NULL);
    else if (l->looks)
        look(l);
    l->runs = false;
}

/* Gives back a pair that is not added. */
static void drop_look(looking *l)
{
    if (l->runs)
        end_look(l);
    cli_relation_release(&l->found);
    l->pair.release(l->pair.owner);
}

/* The look at the pair that is next, which is the caller's now. */
static looking *next_look(cli_assemblies *a)
{
    a->ahead -= bases_of(a, a->next);
    return &a->looks[a->next++ % LOOKS_MOST];
}

/* Adds a pair that was looked at as a whole. */
static int add_whole(const cli_assemblies *a, cli_many *many, const looking *l)
{
    const cli_pair_arguments *args = a->args;
    const int64_t given = args->rotation > 0 ? args->rotation : 0;
    cli_frame frame = {.reverse = args->strand == CLI_STRAND_AUTO ? l->found.reverse
                                                                  : l->options.strand == '-',
                       .rotation = args->rotation == CLI_ROTATE_AUTO ? l->found.rotation : given};
    if (l->looks && l->options.guides &&
        !cli_guide_make(&l->found, l->pair.query.length, frame.reverse, frame.rotation,
                        &frame.guide, &frame.points))
        frame.guide.struct_size = 0;
    return cli_many_add_whole(many, &l->pair, &frame);
}

/* Waits for a look, and adds the pair, or gives it back. */
static int add_pair(cli_assemblies *a, cli_many *many, looking *l)
{
    const cli_pair_arguments *args = a->args;
    int status = CLI_OK;
    const double start = cli_seconds_now();
    end_look(l);
    cli_many_times(many)->looked += cli_seconds_now() - start;
    if (!l->has_memory)
        status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    else if (args->rotation > 0 && args->rotation >= l->pair.query.length)
        status = cli_fail_with(CLI_USAGE, "--rotate: query %s has only %" PRId64 " bases",
                               l->pair.query.name, l->pair.query.length);
    if (status != CLI_OK) {
        drop_look(l);
        return status;
    }
    warn(a, l->couple, &l->pair, &l->found);
    status = args->blocks ? cli_many_add_blocks(many, &l->pair, l->found.blocks, l->found.count)
                          : add_whole(a, many, l);
    cli_relation_release(&l->found);
    return status;
}

/* Begins looks ahead of the pair that is next. The exit status. */
static int look_ahead(cli_assemblies *a)
{
    const size_t at_a_time = looks_at_a_time(a);
    int status = CLI_OK;
    while (status == CLI_OK && a->begun < a->couples.end && a->begun < a->next + at_a_time &&
           (a->begun == a->next || a->ahead + bases_of(a, a->begun) <= AHEAD_BASES)) {
        status = begin_look(a, a->begun, at_a_time, &a->looks[a->begun % LOOKS_MOST]);
        if (status == CLI_OK)
            a->ahead += bases_of(a, a->begun++);
    }
    return status;
}

int cli_assemblies_add(cli_assemblies *a, cli_many *many, int64_t first)
{
    int status = CLI_OK;
    if (a->next < (size_t)first) /* of a run that goes on, which has no looks yet */
        a->next = a->begun = (size_t)first;
    while (status == CLI_OK && a->next < a->couples.end) {
        status = look_ahead(a);
        if (status == CLI_OK)
            status = add_pair(a, many, next_look(a));
    }
    if (status == CLI_OK && a->unusual > WORDS_MOST)
        cli_note(0, "%" PRId64 " more pairs look unusual", a->unusual - WORDS_MOST);
    return status;
}

/* Waits for both files, and finds partners. The exit status, with the message printed. */
static int match(cli_assemblies *a)
{
    int status = CLI_OK;
    for (int i = 0; i < 2 && status == CLI_OK; i++)
        status = cli_assembly_finish(a->readers[i], &a->assemblies[i]);
    a->read = cli_seconds_now();
    if (status == CLI_OK)
        status = cli_match(a->args->match, a->assemblies, a->args->blocks, &a->couples);
    if (status == CLI_OK)
        cli_match_part(a->assemblies, &a->args->part, &a->couples);
    a->matched = cli_seconds_now();
    return status;
}

/* The same, on a thread while the device is being opened; then the first pairs are looked at. */
static void *prepare(void *user)
{
    cli_assemblies *a = user;
    a->status = match(a);
    a->next = a->begun = a->couples.begin;
    if (a->status == CLI_OK && !a->args->resume && looks_at_a_time(a) > 1)
        a->status = look_ahead(a);
    return NULL;
}

int cli_assemblies_read(cli_assemblies *a, cli_pair_job *job)
{
    pthread_t thread;
    const double began = cli_seconds_now();
    a->args = job->args;
    a->looks = calloc(LOOKS_MOST, sizeof *a->looks);
    const int status = a->looks != NULL ? start(a) : cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (status != CLI_OK)
        return status;
    const bool beside = a->args->threads != 1 && pthread_create(&thread, NULL, prepare, a) == 0;
    const rhomb_status opened = cli_pair_open(job);
    const double open = cli_seconds_now();
    if (beside)
        pthread_join(thread, NULL);
    else
        prepare(a);
    if (a->status == CLI_OK && opened != RHOMB_OK)
        a->status = cli_fail(job->ctx, opened);
    if (a->status != CLI_OK)
        return a->status;
    cli_note_device(job->run.device, a->args->device);
    cli_note(1,
             "files read after %.3f s, records matched in %.3f s, the device was open after %.3f s",
             a->read - began, a->matched - a->read, open - began);
    return CLI_OK;
}

int cli_assemblies_leave(const cli_assemblies *a, cli_leave_fn leave, void *user)
{
    return a->couples.is_last ? cli_match_leave(a->assemblies, &a->couples, leave, user) : CLI_OK;
}

static void mix(uint64_t *key, const char *text)
{
    for (text = text != NULL ? text : ""; *text != '\0'; text++)
        *key = (*key ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    *key = (*key ^ 0xff) * UINT64_C(0x100000001b3);
}

uint64_t cli_assemblies_key(const cli_assemblies *a, const rhomb_device_info *device,
                            const char *more)
{
    const cli_pair_arguments *args = a->args;
    uint64_t key = UINT64_C(0xcbf29ce484222325);
    char text[256];
    snprintf(text, sizeof text, "%016" PRIx64 " %016" PRIx64 " %d %" PRId64 " %d %" PRId64 " %d %d",
             a->assemblies[0]->digest, a->assemblies[1]->digest, args->strand, args->rotation,
             (int)args->blocks, args->options.max_distance, (int)args->options.alphabet,
             (int)args->options.engine);
    mix(&key, rhomb_version());
    mix(&key, device->name);
    mix(&key, args->score);
    mix(&key, text);
    mix(&key, more);
    snprintf(text, sizeof text, "part %" PRId64 "/%" PRId64, args->part.number, args->part.of);
    mix(&key, args->part.of > 0 ? text : "");
    for (size_t i = 0; i < a->couples.count; i++) {
        const cli_couple *couple = &a->couples.list[i];
        snprintf(text, sizeof text, "%zu %zu %d", couple->target, couple->query, couple->strand);
        mix(&key, text);
    }
    return key;
}

void cli_assemblies_release(cli_assemblies *a)
{
    while (a->next < a->begun)
        drop_look(next_look(a));
    free(a->looks);
    cli_assembly_release(a->readers[0]);
    cli_assembly_release(a->readers[1]);
    cli_minimizers_release(&a->kept.list);
    drop_target(a->target);
    cli_couples_release(&a->couples);
}
