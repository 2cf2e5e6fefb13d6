/* SPDX-License-Identifier: MIT */
/*
 * Two assemblies, see assemblies.h.
 */
#include "host/cli/pair/assemblies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cli/sketch/extend.h"
#include "host/cli/sketch/look.h"
#include "host/cli/sketch/sketch_guide.h"

/* Words for so many unusual pairs; the others are counted. */
enum { WORDS_MOST = 10 };

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

int cli_assemblies_read(cli_assemblies *a, cli_pair_job *job)
{
    a->args = job->args;
    int status = start(a);
    if (status != CLI_OK)
        return status;
    const rhomb_status opened = cli_pair_open(job);
    for (int i = 0; i < 2 && status == CLI_OK; i++)
        status = cli_assembly_finish(a->readers[i], &a->assemblies[i]);
    if (status == CLI_OK && opened != RHOMB_OK)
        status = cli_fail(job->ctx, opened);
    if (status != CLI_OK)
        return status;
    cli_note_device(job->run.device, a->args->device);
    status = cli_match(a->args->match, a->assemblies, a->args->blocks, &a->couples);
    if (status == CLI_OK)
        cli_match_part(a->assemblies, &a->args->part, &a->couples);
    return status;
}

cli_pool_options cli_pair_pool(const cli_pair_arguments *args, const cli_assemblies *a)
{
    return (cli_pool_options){.tasks =
                                  args->blocks ? 0 : (int64_t)(a->couples.end - a->couples.begin),
                              .cache_dir = args->cache_dir,
                              .threads = args->threads,
                              .at_a_time = args->at_a_time,
                              .options = &args->options};
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

static int add_pair(cli_assemblies *a, cli_many *many, const cli_couple *couple,
                    const cli_pair *pair)
{
    const cli_pair_arguments *args = a->args;
    const int strand = strand_of(args, couple);
    const cli_relation_options options = {
        .threads = cli_space_limit() > 0 ? 1 : cli_threads_meant(args->threads),
        .whole = args->blocks,
        .kept = args->blocks ? &a->kept : NULL,
        .number = (int64_t)couple->target + 1,
        .dense = args->blocks,
        .guides = !args->blocks && args->options.engine != RHOMB_ENGINE_WAVEFRONT,
        .strand = strand,
        .has_rotation = args->blocks || args->rotation >= 0,
        .rotation = args->rotation > 0 ? args->rotation : 0};
    const bool looks = args->sketch && args->options.alphabet == RHOMB_ALPHABET_DNA;
    cli_relation found = {0};
    int status = CLI_OK;
    const double start = cli_seconds_now();
    if (looks && !look_at(a, couple, pair, &options, &found))
        status = cli_fail(NULL, RHOMB_ERR_MEMORY);
    else if (args->rotation > 0 && args->rotation >= pair->query.length)
        status = cli_fail_with(CLI_USAGE, "--rotate: query %s has only %" PRId64 " bases",
                               pair->query.name, pair->query.length);
    cli_many_times(many)->looked += cli_seconds_now() - start;
    if (status != CLI_OK) {
        pair->release(pair->owner);
    } else if (args->blocks) {
        warn(a, couple, pair, &found);
        status = cli_many_add_blocks(many, pair, found.blocks, found.count);
    } else {
        const int64_t given = args->rotation > 0 ? args->rotation : 0;
        const int64_t rotation = args->rotation == CLI_ROTATE_AUTO ? found.rotation : given;
        const bool is_auto = args->strand == CLI_STRAND_AUTO;
        warn(a, couple, pair, &found);
        cli_frame frame = {.reverse = is_auto ? found.reverse : strand == '-',
                           .rotation = rotation};
        if (looks && options.guides &&
            !cli_guide_make(&found, pair->query.length, frame.reverse, frame.rotation, &frame.guide,
                            &frame.points))
            frame.guide.struct_size = 0;
        status = cli_many_add_whole(many, pair, &frame);
    }
    cli_relation_release(&found);
    return status;
}

int cli_assemblies_add(cli_assemblies *a, cli_many *many, int64_t first)
{
    int status = CLI_OK;
    const size_t begin = a->couples.begin;
    for (size_t i = (size_t)first > begin ? (size_t)first : begin;
         i < a->couples.end && status == CLI_OK; i++) {
        cli_pair pair = {0};
        status = load(a, i, &pair);
        if (status == CLI_OK)
            status = add_pair(a, many, &a->couples.list[i], &pair);
    }
    if (status == CLI_OK && a->unusual > WORDS_MOST)
        cli_note(0, "%" PRId64 " more pairs look unusual", a->unusual - WORDS_MOST);
    return status;
}

void cli_assemblies_show(const cli_assemblies *a, int64_t pairs)
{
    char line[96];
    if (cli_verbosity() < 0 || isatty(STDERR_FILENO) != 1)
        return;
    snprintf(line, sizeof line, "rhomb: %" PRId64 " of %zu pairs",
             pairs - (int64_t)a->couples.begin, a->couples.end - a->couples.begin);
    cli_set_status_line(line);
    if (pairs == (int64_t)a->couples.end)
        cli_clear_status_line();
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
    cli_assembly_release(a->readers[0]);
    cli_assembly_release(a->readers[1]);
    cli_minimizers_release(&a->kept.list);
    drop_target(a->target);
    cli_couples_release(&a->couples);
}
