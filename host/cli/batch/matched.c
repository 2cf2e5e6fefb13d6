/* SPDX-License-Identifier: MIT */
/* Pairs that --match finds, see matched.h. */
#include "host/cli/batch/matched.h"

#include <pthread.h>

#include "host/cli/base/cli.h"
#include "host/cli/batch/printer.h"
#include "host/cli/many/journal.h"

/* Of a load, as of those that the library fills. */
enum { PAIRS_MOST = 4096, BASES_MOST = 2 << 20 };

/* A record without a partner. */
typedef struct left_record {
    const cli_record *record;
    int side;
} left_record;

/* A result that waits for the others of its query. */
typedef struct kept_result {
    size_t query, couple;
    rhomb_pair_result result; /* whose arrays are copies, and whose detail is not used */
    int64_t score;
    bool is_secondary;
} kept_result;

struct cli_matched {
    const char *mode;
    cli_assembly_reader *readers[2]; /* targets, queries */
    const cli_assembly *assemblies[2];
    cli_couples couples;
    size_t done; /* couples that are in loads */
    left_record *left;
    size_t left_count;
    bool waits; /* what is in `kept` */
    kept_result *kept;
    size_t kept_count;
};

/* What a pair holds beside what the assemblies do. */
typedef struct held {
    rhomb_sequence *target, *query;
    char *oriented;
} held;

typedef struct matched_load {
    cli_load load; /* first, so that the one is the other */
    rhomb_pair_chunk chunk;
    rhomb_pair *pairs;
    rhomb_pair_names *names;
    const char **qualities;
    bool *reverse, *waits;
    held *held;
} matched_load;

/* One thread at a time reads bases for rows. */
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

cli_matched *cli_matched_start(const char *targets, const char *queries, const char *mode,
                               int32_t threads)
{
    const cli_minimizer_shape none = {0};
    const cli_minimizer_shape shape =
        cli_match_needs_lists(mode) ? cli_assembly_shape(targets, queries) : none;
    cli_matched *m = calloc(1, sizeof *m);
    if (m == NULL) {
        cli_fail(NULL, RHOMB_ERR_MEMORY);
        return NULL;
    }
    m->mode = mode;
    m->readers[0] = cli_assembly_start(targets, threads, &shape, false);
    m->readers[1] = cli_assembly_start(queries, threads, &shape, false);
    if (m->readers[0] != NULL && m->readers[1] != NULL)
        return m;
    cli_matched_release(m);
    return NULL;
}

int cli_matched_find(cli_matched *m, bool is_dna, const cli_part_asked *part)
{
    int status = CLI_OK;
    for (int i = 0; i < 2 && status == CLI_OK; i++)
        status = cli_assembly_finish(m->readers[i], &m->assemblies[i]);
    if (status == CLI_OK)
        status = cli_match(m->mode, m->assemblies, m->readers, false, is_dna, &m->couples);
    if (status == CLI_OK)
        cli_match_part(m->assemblies, part, &m->couples);
    m->done = m->couples.begin;
    return status;
}

void cli_matched_identify(const cli_matched *m, const char *device, const cli_part_asked *part,
                          cli_buffer *identity)
{
    cli_journal_identify(identity, "batch --match", device, m->assemblies, &m->couples, part);
}

void cli_matched_skip(cli_matched *m, int64_t pairs)
{
    m->couples.begin += (size_t)pairs;
    m->done = m->couples.begin;
}

int64_t cli_matched_first(const cli_matched *m)
{
    return (int64_t)m->couples.begin;
}

/* Whether a couple has the target of the one before it. */
static bool is_same_target(const cli_couple *couple)
{
    return couple->target == couple[-1].target;
}

/* How many couples the next load has: one at least, if there is one. */
static size_t count_next(const cli_matched *m)
{
    const cli_couple *first = m->couples.list + m->done;
    const size_t left = m->couples.end - m->done;
    size_t count = left > 0 ? 1 : 0;
    for (int64_t bases = 0; count < left && count < PAIRS_MOST; count++) {
        const cli_couple *couple = first + count;
        bases += m->assemblies[1]->records[couple->query].length;
        if (!is_same_target(couple))
            bases += m->assemblies[0]->records[couple->target].length;
        if (bases > BASES_MOST)
            break;
    }
    return count;
}

static void release_load(cli_load *load)
{
    matched_load *l = (matched_load *)load;
    for (size_t i = 0; i < l->chunk.count && l->held != NULL; i++) {
        rhomb_sequence_destroy(l->held[i].target);
        rhomb_sequence_destroy(l->held[i].query);
        free(l->held[i].oriented);
    }
    free(l->pairs);
    free(l->names);
    free(l->qualities);
    free(l->reverse);
    free(l->waits);
    free(l->held);
    free(l);
}

static matched_load *create_load(int64_t first, size_t count)
{
    matched_load *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    l->pairs = calloc(count, sizeof *l->pairs);
    l->names = calloc(count, sizeof *l->names);
    l->qualities = calloc(count, sizeof(const char *));
    l->reverse = calloc(count, sizeof *l->reverse);
    l->waits = calloc(count, sizeof *l->waits);
    l->held = calloc(count, sizeof *l->held);
    l->chunk = (rhomb_pair_chunk){.first = first,
                                  .count = count,
                                  .pairs = l->pairs,
                                  .names = l->names,
                                  .qualities = l->qualities};
    l->load = (cli_load){
        .chunk = &l->chunk, .reverse = l->reverse, .waits = l->waits, .release = release_load};
    if (l->pairs != NULL && l->names != NULL && l->qualities != NULL && l->reverse != NULL &&
        l->waits != NULL && l->held != NULL)
        return l;
    release_load(&l->load);
    return NULL;
}

/* Gets the query of a pair, on its strand. The exit status. */
static int load_query(const cli_matched *m, const cli_couple *couple, matched_load *l, size_t index)
{
    rhomb_pair *pair = &l->pairs[index];
    held *h = &l->held[index];
    const int status = cli_assembly_bases(m->readers[1], couple->query, &pair->query, &h->query);
    l->qualities[index] = h->query != NULL ? rhomb_sequence_qualities(h->query)
                                           : m->assemblies[1]->records[couple->query].qualities;
    if (status != CLI_OK || couple->strand != '-')
        return status;
    h->oriented = cli_orient(pair->query, pair->query_length, true, 0);
    pair->query = h->oriented;
    return h->oriented != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

/* Whether the query of a couple is in others, too. */
static bool has_several(const cli_matched *m, const cli_couple *couple)
{
    return couple->before != couple->after || couple->before != (size_t)(couple - m->couples.list);
}

/* Fills a pair of a load. The exit status. */
static int load_pair(const cli_matched *m, const cli_couple *couple, matched_load *l, size_t index)
{
    const cli_record *target = &m->assemblies[0]->records[couple->target];
    const cli_record *query = &m->assemblies[1]->records[couple->query];
    rhomb_pair *pair = &l->pairs[index];
    held *h = &l->held[index];
    int status = CLI_OK;
    pair->target_length = target->length;
    pair->query_length = query->length;
    l->names[index] = (rhomb_pair_names){target->name, query->name};
    l->reverse[index] = couple->strand == '-';
    l->waits[index] = m->waits && has_several(m, couple);
    if (index > 0 && is_same_target(couple))
        pair->target = pair[-1].target;
    else
        status = cli_assembly_bases(m->readers[0], couple->target, &pair->target, &h->target);
    return status == CLI_OK ? load_query(m, couple, l, index) : status;
}

int cli_matched_next(cli_matched *m, cli_load **load)
{
    const size_t count = count_next(m);
    int status = CLI_OK;
    *load = NULL;
    if (count == 0)
        return CLI_OK;
    matched_load *l = create_load((int64_t)(m->done - m->couples.begin), count);
    if (l == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (size_t i = 0; i < count && status == CLI_OK; i++)
        status = load_pair(m, m->couples.list + m->done + i, l, i);
    if (status != CLI_OK) {
        release_load(&l->load);
        return status;
    }
    m->done += count;
    l->load.fraction =
        (double)(m->done - m->couples.begin) / (double)(m->couples.end - m->couples.begin);
    *load = &l->load;
    return CLI_OK;
}

/* A cli_leave_fn. */
static int leave(int side, const cli_record *record, void *user)
{
    cli_matched *m = user;
    m->left[m->left_count++] = (left_record){record, side};
    return CLI_OK;
}

int cli_matched_leave(cli_matched *m, size_t *count)
{
    *count = 0;
    m->left = calloc(m->assemblies[0]->count + m->assemblies[1]->count + 1, sizeof *m->left);
    if (m->left == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int status =
        m->couples.is_last ? cli_match_leave(m->assemblies, &m->couples, leave, m) : CLI_OK;
    *count = m->left_count;
    return status;
}

/* Reads the bases of a query without a partner. */
static bool read_left(const cli_matched *m, const cli_record *record, const char **bases,
                      rhomb_sequence **owned)
{
    pthread_mutex_lock(&reading);
    const int status = cli_assembly_bases(
        m->readers[1], (size_t)(record - m->assemblies[1]->records), bases, owned);
    pthread_mutex_unlock(&reading);
    return status == CLI_OK;
}

void cli_matched_append_left(const cli_matched *m, size_t index, cli_buffer *out,
                             const cli_row_style *style)
{
    static const rhomb_pair_result none = {.distance = -1};
    const left_record *left = &m->left[index];
    const cli_record *record = left->record;
    rhomb_pair pair = {.target_length = record->length, .query_length = record->length};
    const rhomb_pair_names names = {record->name, record->name};
    rhomb_sequence *owned = NULL;
    if (cli_is_sam(style->format) && left->side == 1 && !read_left(m, record, &pair.query, &owned))
        out->failed = true;
    const cli_row row = {.pair = &pair,
                         .names = &names,
                         .qualities =
                             owned != NULL ? rhomb_sequence_qualities(owned) : record->qualities,
                         .result = &none,
                         .error = "no partner",
                         .sides = left->side == 0 ? CLI_ROW_TARGET : CLI_ROW_QUERY};
    cli_aligned_append(out, style, &row);
    rhomb_sequence_destroy(owned);
}

int cli_matched_wait(cli_matched *m, bool is_part)
{
    const cli_couples *all = &m->couples;
    m->waits = true;
    for (size_t i = 0; is_part && i < all->count; i++)
        if (has_several(m, &all->list[i]))
            return cli_fail_with(CLI_INPUT,
                                 "%s is in several pairs, of which SAM has one primary record: not "
                                 "with --part or --resume",
                                 m->assemblies[1]->records[all->list[i].query].name);
    return CLI_OK;
}

/* Keeps a result. False without memory. */
static bool keep_result(cli_matched *m, size_t couple, const rhomb_pair_result *result)
{
    const size_t bytes = (size_t)result->cigar_count * sizeof *result->cigar;
    kept_result *list = cli_list_grown(m->kept, m->kept_count, sizeof *list);
    if (list == NULL)
        return false;
    m->kept = list;
    kept_result *k = &list[m->kept_count++];
    *k = (kept_result){m->couples.list[couple].query, couple, *result, 0, false};
    rhomb_cigar_op *cigar = bytes > 0 ? malloc(bytes) : NULL;
    rhomb_pair_extent *extent = result->extent != NULL ? malloc(sizeof *extent) : NULL;
    if (cigar != NULL)
        memcpy(cigar, result->cigar, bytes);
    if (extent != NULL)
        *extent = *result->extent;
    k->result.cigar = cigar;
    k->result.extent = extent;
    return (cigar != NULL || bytes == 0) && (extent != NULL || result->extent == NULL);
}

int cli_matched_keep(cli_matched *m, int64_t first, const rhomb_pair_result *const *results,
                     size_t count)
{
    const size_t begin = m->couples.begin + (size_t)first;
    bool good = true;
    for (size_t i = 0; good && m->waits && i < count; i++)
        if (has_several(m, &m->couples.list[begin + i]))
            good = keep_result(m, begin + i, results[i]);
    return good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

static void release_kept(const kept_result *k)
{
    free((void *)(uintptr_t)k->result.cigar);
    free((void *)(uintptr_t)k->result.extent);
}

/* By query, then the best first; the worst have no alignment. */
static int compare_kept(const void *a, const void *b)
{
    const kept_result *x = a, *y = b;
    if (x->query != y->query)
        return x->query < y->query ? -1 : 1;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->couple > y->couple) - (x->couple < y->couple);
}

size_t cli_matched_settle(cli_matched *m, const cli_row_style *style)
{
    size_t rows = 0;
    for (size_t i = 0; i < m->kept_count; i++) {
        kept_result *k = &m->kept[i];
        k->score = !cli_aligned_has_path(style, &k->result) ? INT64_MIN
                   : k->result.extent != NULL               ? k->result.extent->score
                                                            : -k->result.distance;
    }
    if (m->kept_count > 0)
        qsort(m->kept, m->kept_count, sizeof *m->kept, compare_kept);
    for (size_t i = 0; i < m->kept_count; i++) {
        const kept_result k = m->kept[i];
        const bool is_first = rows == 0 || m->kept[rows - 1].query != k.query;
        if (!is_first && k.score == INT64_MIN) {
            release_kept(&k);
            continue;
        }
        m->kept[rows] = k;
        m->kept[rows++].is_secondary = !is_first;
    }
    m->kept_count = rows;
    return rows;
}

void cli_matched_append_kept(const cli_matched *m, size_t index, cli_buffer *out,
                             const cli_row_style *style)
{
    const kept_result *k = &m->kept[index];
    matched_load *l = create_load(0, 1);
    pthread_mutex_lock(&reading);
    const bool good = l != NULL && load_pair(m, m->couples.list + k->couple, l, 0) == CLI_OK;
    pthread_mutex_unlock(&reading);
    if (good) {
        const cli_row row = {.pair = &l->pairs[0],
                             .names = &l->names[0],
                             .qualities = l->qualities[0],
                             .result = &k->result,
                             .error = k->result.status != RHOMB_OK ? "no result" : NULL,
                             .is_secondary = k->is_secondary,
                             .reverse = l->reverse[0]};
        cli_aligned_append(out, style, &row);
    } else {
        out->failed = true;
    }
    if (l != NULL)
        release_load(&l->load);
}

void cli_matched_release(cli_matched *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->kept_count; i++)
        release_kept(&m->kept[i]);
    free(m->kept);
    cli_assembly_release(m->readers[0]);
    cli_assembly_release(m->readers[1]);
    cli_couples_release(&m->couples);
    free(m->left);
    free(m);
}
