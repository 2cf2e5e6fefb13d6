/* SPDX-License-Identifier: MIT */
/*
 * The differential tester, see check.h.
 */
#include "check.h"

#include "require.h"
#include "src/base/int64.h"
#include "test.h"
#include "tests/reference/edlib_distance.h"
#include "tests/reference/keep_plan.h"
#include "tests/reference/random_bases.h"
#include "thread_ranks.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define GUARDED_LETTERS (INT64_C(1) << 20)

/* MAP_ANONYMOUS and POSIX go together only from 2024 on, so the pages come from /dev/zero. */
bool guard_create(guard *g, int64_t bytes)
{
    const int64_t page = sysconf(_SC_PAGESIZE);
    const int64_t room = (bytes + page - 1) / page * page;
    const int zero = open("/dev/zero", O_RDWR);
    if (zero < 0)
        return false;
    void *memory = mmap(NULL, (size_t)(room + page), PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    close(zero);
    if (memory == MAP_FAILED)
        return false;
    g->begin = memory;
    g->end = g->begin + room;
    g->mapped = room + page;
    return mprotect(g->end, (size_t)page, PROT_NONE) == 0;
}

void guard_release(guard *g)
{
    if (g->begin != NULL)
        munmap(g->begin, (size_t)g->mapped);
    g->begin = NULL;
}

const char *guard_place(const guard *g, const char *bases, int64_t length)
{
    if (length > g->end - g->begin)
        return bases;
    if (length > 0)
        memcpy(g->end - length, bases, (size_t)length);
    return g->end - length;
}

bool session_open(session *s)
{
    const session none = {.ctx = NULL};
    *s = none;
    if (!guard_create(&s->guards[0], GUARDED_LETTERS) ||
        !guard_create(&s->guards[1], GUARDED_LETTERS) ||
        rhomb_context_create(&s->ctx, NULL) != RHOMB_OK)
        abort();
    const char *selector = getenv("RHOMB_TEST_DEVICE");
    const bool found = ranks_open(s->ctx) == RHOMB_OK;
    /* Who asks for all devices wants to see several. */
    const bool asks_all = selector != NULL && strcmp(selector, "all") == 0;
    if (found && (!asks_all || rhomb_context_device_count(s->ctx) > 1))
        return true;
    fprintf(stderr, "no device to test on: %s\n",
            found ? "there is one alone" : rhomb_context_error(s->ctx));
    session_close(s);
    return false;
}

void session_close(session *s)
{
    guard_release(&s->guards[0]);
    guard_release(&s->guards[1]);
    rhomb_context_destroy(s->ctx);
    s->ctx = NULL;
}

static const char *judge_progress(const rhomb_progress *now, const rhomb_progress *before)
{
    if (now->lower_bound < before->lower_bound || now->upper_bound > before->upper_bound)
        return "progress: a bound went back";
    if (now->lower_bound > now->upper_bound)
        return "progress: the bounds cross";
    if (!(now->fraction >= 0 && now->fraction <= 1))
        return "progress: the fraction is outside 0 to 1";
    if (now->fraction < before->fraction)
        return "progress: the fraction fell";
    if (now->seconds < before->seconds)
        return "progress: time went back";
    return NULL;
}

int history_note(const rhomb_progress *progress, void *user)
{
    history *h = user;
    if (h->complaint == NULL)
        h->complaint = judge_progress(progress, &h->last);
    h->last = *progress;
    return ++h->calls == h->stop_at;
}

int32_t session_chunk(const session *s, int64_t index)
{
    return rhomb_context_device_count(s->ctx) > 1 ? 1 + (int32_t)(index % 3) : 0;
}

static int64_t difference(const question *q)
{
    return llabs(q->target->length - q->query->length);
}

/* What is known without running: sequences that are not equal have a distance of at least 1. */
static int64_t lower_bound(const question *q)
{
    return difference(q) == 0 && q->distance > 0 ? 1 : difference(q);
}

static int64_t longer(const question *q)
{
    return q->target->length > q->query->length ? q->target->length : q->query->length;
}

int64_t question_penalty(const question *q)
{
    return q->set == NULL
               ? q->distance
               : score_set_penalty(q->set, q->target->length, q->query->length, q->distance);
}

static bool is_within_limit(const question *q)
{
    return q->max_distance == RHOMB_NO_LIMIT || question_penalty(q) <= q->max_distance;
}

static int64_t upper_bound(const question *q)
{
    return q->max_distance == RHOMB_NO_LIMIT || q->max_distance > longer(q) ? longer(q)
                                                                            : q->max_distance;
}

/* What holds for any costs. */
static const char *judge_answer(const question *q, const rhomb_report *report)
{
    const bool known = is_within_limit(q), scored = q->set != NULL && q->set->scoring.match > 0;
    REQUIRE(report->distance == (known ? question_penalty(q) : -1));
    REQUIRE(report->exceeds_max_distance == !known);
    REQUIRE(report->max_distance == q->max_distance);
    REQUIRE(report->target_length == q->target->length);
    REQUIRE(report->query_length == q->query->length);
    REQUIRE(report->has_score == (known && scored));
    REQUIRE(!report->has_score || report->score == -q->distance);
    REQUIRE(report->plan->lower_bound <= question_penalty(q));
    REQUIRE(!known || report->plan->upper_bound >= question_penalty(q));
    REQUIRE(report->device_bytes <= report->plan->device_bytes_max);
    return NULL;
}

static const char *judge_bases(const question *q, const rhomb_report *report)
{
    const double similarity = longer(q) == 0 ? 1 : 1 - (double)report->distance / (double)longer(q);
    REQUIRE(report->similarity == (is_within_limit(q) ? similarity : -1));
    const rhomb_base_counts *t = &report->target_bases, *y = &report->query_bases;
    REQUIRE(t->acgt + t->n + t->iupac + t->other == q->target->length);
    REQUIRE(y->acgt + y->n + y->iupac + y->other == q->query->length);
    return NULL;
}

static const char *judge_plan(const question *q, const rhomb_plan *plan)
{
    const variant *v = q->variant;
    const pair p = {*q->target, *q->query};
    REQUIRE(plan->group_size == v->group);
    REQUIRE(plan->lanes == v->lanes);
    REQUIRE(plan->words_per_item == v->words);
    REQUIRE(plan->blocks_per_launch == v->blocks);
    REQUIRE(plan->directions == v->directions);
    const int64_t widest = rhomb__max(rhomb__max(plan->target_length, plan->query_length), 1);
    REQUIRE(v->half_width == 0 || plan->first_half_width == rhomb__min(v->half_width, widest));
    REQUIRE(plan->tile_shape == v->shape);
    REQUIRE(plan->diagonals_per_item == v->items);
    REQUIRE(variant_is_sweep(v) || plan->tile_scores == v->columns);
    REQUIRE(plan->launches_per_read == v->launches);
    REQUIRE(variant_is_sweep(v) || plan->offset_bits == v->offset_bits);
    REQUIRE(variant_is_sweep(v) || plan->pruning == !v->no_pruning);
    REQUIRE(plan->planes == pair_planes(&p, q->alphabet));
    REQUIRE(plan->lower_bound == lower_bound(q));
    REQUIRE(plan->upper_bound == upper_bound(q));
    return NULL;
}

/*
 * What a run may take. A run computes no column after the launch that has the distance, or in
 * which the directions meet, and has at most two reads' launches in flight; both only matter to how
 * far memory grows. Wavefront r has at most 2 r + 1 diagonals, and tiles stick out on both sides.
 */
static const char *judge_work(const question *q, const rhomb_report *report)
{
    const int64_t diagonals = variant_diagonals(q->variant), columns = q->variant->columns;
    const int64_t directions = q->variant->directions;
    const int64_t last =
        rhomb__ceil_div(is_within_limit(q) ? q->distance : upper_bound(q), directions);
    const int64_t computed = last + 2 * columns;
    const int64_t enqueued = computed + 2 * q->variant->launches * columns;
    const int64_t reached = enqueued < upper_bound(q) ? enqueued : upper_bound(q);
    REQUIRE(report->cells > 0 && report->batches > 0 && report->launches > 0 && report->reads > 0);
    REQUIRE(report->batches >= last / columns);
    REQUIRE(report->cells <= directions * computed * (2 * computed + 1 + 2 * diagonals));
    REQUIRE(report->diagonals_in_use <= 2 * (reached + 2 * columns) + 1 + 2 * diagonals);
    REQUIRE(report->column_bytes >=
            2 * directions * report->diagonals_in_use * (q->variant->offset_bits / 8));
    REQUIRE(report->column_bytes + report->plan->sequence_bytes <= report->device_bytes);
    REQUIRE(report->device_bytes <= report->plan->device_bytes_max);
    REQUIRE(report->plan->device_bytes_min <= report->plan->device_bytes_max);
    return NULL;
}

/* Each bound can save only where it is one. */
static const char *judge_savings(const question *q, const rhomb_report *report)
{
    const bool prunes = !variant_is_sweep(q->variant) && !q->variant->no_pruning;
    REQUIRE(report->cells_saved_limit >= 0);
    REQUIRE(report->cells_saved_diagonal >= 0);
    REQUIRE(report->cells_saved_limit == 0 || (prunes && upper_bound(q) < longer(q)));
    REQUIRE(report->cells_saved_diagonal == 0 || prunes);
    return NULL;
}

/* A sweep's memory is known beforehand. A band is no narrower than the last cost asks for. */
static const char *judge_sweep(const question *q, const rhomb_report *report)
{
    const int64_t rows = variant_diagonals(q->variant);
    REQUIRE(report->cells > 0 && report->batches > 0 && report->launches > 0 && report->reads > 0);
    REQUIRE(report->reads == report->batches);
    REQUIRE(report->cells <=
            report->batches * (q->query->length + rows + 16) * (q->target->length + 2 * rows + 16));
    REQUIRE(report->device_bytes <= report->plan->device_bytes_max);
    REQUIRE(report->plan->device_bytes_min == report->plan->device_bytes_max);
    return NULL;
}

static const char *judge_progress_of(const question *q, const history *h)
{
    if (h->complaint != NULL || h->calls == 0)
        return h->complaint;
    REQUIRE(h->last.lower_bound <= question_penalty(q));
    REQUIRE(h->last.upper_bound >= question_penalty(q) || !is_within_limit(q));
    return NULL;
}

/* What a report says of unit costs besides. */
static const char *judge_unit(const question *q, const rhomb_report *report)
{
    const bool trivial = q->distance == 0 || q->target->length == 0 || q->query->length == 0 ||
                         lower_bound(q) > upper_bound(q);
    const char *complaint = judge_bases(q, report);
    if (complaint == NULL)
        complaint = judge_plan(q, report->plan);
    if (complaint == NULL && trivial != (strcmp(report->plan->engine, "trivial") == 0))
        complaint = "the engine is trivial where it has work to do, or the other way round";
    if (complaint == NULL && !trivial)
        complaint = variant_is_sweep(q->variant) ? judge_sweep(q, report) : judge_work(q, report);
    if (complaint == NULL)
        complaint = judge_savings(q, report);
    return complaint;
}

static const char *judge(const question *q, const rhomb_report *report, const history *h)
{
    const char *complaint = judge_answer(q, report);
    if (complaint == NULL && q->set == NULL)
        complaint = judge_unit(q, report);
    return complaint != NULL ? complaint : judge_progress_of(q, h);
}

static void write_fasta(const char *path, const char *name, const letters *these)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        return;
    }
    fprintf(file, ">%s\n", name);
    fwrite(these->at, 1, (size_t)these->length, file);
    fputc('\n', file);
    fclose(file);
}

void failed_write(const char *family, int64_t index, const letters *target, const letters *query,
                  char files[2][512])
{
    const char *folder = getenv("RHOMB_TEST_OUTPUT");
    for (int i = 0; i < 2; i++) {
        snprintf(files[i], 512, "%s/failed-%s-%lld-%s.fa", folder != NULL ? folder : ".", family,
                 (long long)index, i == 0 ? "target" : "query");
        write_fasta(files[i], i == 0 ? "target" : "query", i == 0 ? target : query);
    }
}

static rhomb_engine engine_of(const question *q)
{
    return q->set != NULL                 ? q->engine
           : variant_is_sweep(q->variant) ? RHOMB_ENGINE_BITPARALLEL
                                          : RHOMB_ENGINE_WAVEFRONT;
}

/* Prints the program's command line that asks the same question, and writes its files. */
static void print_command(const session *s, const question *q)
{
    static const char *const ENGINES[] = {"auto", "wavefront", "bitparallel"};
    const variant *v = q->variant;
    char files[2][512];
    failed_write(q->family, q->index, q->target, q->query, files);
    fprintf(stderr, "  again:    rhomb distance --engine %s --alphabet %s", ENGINES[engine_of(q)],
            q->alphabet == RHOMB_ALPHABET_DNA     ? "dna"
            : q->alphabet == RHOMB_ALPHABET_IUPAC ? "iupac"
                                                  : "bytes");
    if (q->set != NULL)
        fprintf(stderr, " --score %s", q->set->text);
    if (v != NULL && variant_is_sweep(v))
        fprintf(stderr, " --tune group=%d,words=%d,blocks=%d,directions=%d", (int)v->group,
                (int)v->words, (int)v->blocks, (int)v->directions);
    else if (v != NULL)
        fprintf(stderr,
                " --tune shape=%s,group=%d,items=%d,scores=%d,launches=%d,prune=%s,directions=%d",
                v->shape == RHOMB_TILE_DIAMOND ? "diamond" : "trapezoid", (int)v->group,
                (int)v->items, (int)v->columns, (int)v->launches, v->no_pruning ? "off" : "on",
                (int)v->directions);
    if (q->max_distance != RHOMB_NO_LIMIT)
        fprintf(stderr, " --max-distance %lld", (long long)q->max_distance);
    if (session_chunk(s, q->index) > 0)
        fprintf(stderr, " --device all --tune chunk=%d", (int)session_chunk(s, q->index));
    fprintf(stderr, " %s %s\n", files[0], files[1]);
}

static void print_question(const session *s, const question *q)
{
    const pair p = {*q->target, *q->query};
    fprintf(stderr, "  seed:     RHOMB_TEST_SEED=%llu, family %s, case %lld%s%s\n",
            (unsigned long long)rng_seed(), q->family, (long long)q->index,
            q->relation != NULL ? ", " : "", q->relation != NULL ? q->relation : "");
    if (q->recipe != NULL)
        fprintf(stderr, "  pair:     %s; error rate %g, spacing %lld, of %zu letters\n",
                pair_model_text(q->recipe->model), q->recipe->error_rate,
                (long long)q->recipe->spacing, strlen(q->recipe->alphabet));
    fprintf(stderr, "  lengths:  target %lld, query %lld, of %d planes\n",
            (long long)q->target->length, (long long)q->query->length,
            (int)pair_planes(&p, q->alphabet));
    fprintf(stderr, "  device:   %s\n", rhomb_context_device(s->ctx)->name);
    fprintf(stderr, "  expected: %lld, limit %lld, planes of costs %d\n",
            (long long)question_penalty(q), (long long)q->max_distance,
            q->set != NULL ? score_set_planes(q->set) : 2);
}

static void fail_question(const session *s, const question *q, const char *complaint)
{
    fprintf(stderr, "wrong: %s\n", complaint);
    print_question(s, q);
    print_command(s, q);
    fail_msg("%s, case %lld: %s", q->family, (long long)q->index, complaint);
}

static void set_tuning(const question *q, rhomb_tuning *tuning)
{
    const variant *v = q->variant;
    if (v == NULL)
        return;
    tuning->group_size = v->group;
    tuning->launches_per_read = v->launches;
    if (variant_is_sweep(v)) {
        tuning->words_per_item = v->words;
        tuning->blocks_per_launch = v->blocks;
        tuning->directions = v->directions;
        tuning->first_half_width = v->half_width;
        return;
    }
    tuning->diagonals_per_item = v->items;
    tuning->tile_scores = v->columns;
    tuning->offset_bits = v->offset_bits;
    tuning->tile_shape = v->shape;
    tuning->no_pruning = v->no_pruning;
    tuning->directions = v->directions;
}

/*
 * Asks. `h` says where to stop; false if the run ended there, and else the answer is right, or the
 * cmocka test that is running fails.
 */
static bool ask(session *s, const question *q, history *h, rhomb_report *report)
{
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *result = NULL;
    set_tuning(q, &tuning);
    tuning.chunk_strips = session_chunk(s, q->index);
    options.engine = engine_of(q);
    options.scoring = q->set != NULL ? &q->set->scoring : NULL;
    options.max_distance = q->max_distance;
    options.alphabet = q->alphabet;
    options.progress = history_note;
    options.progress_user = h;
    options.tuning = &tuning;
    options.checkpoint = q->checkpoint;
    const rhomb_status status = rhomb_distance(
        s->ctx, guard_place(&s->guards[0], q->target->at, q->target->length), q->target->length,
        guard_place(&s->guards[1], q->query->at, q->query->length), q->query->length, &options,
        &result);
    if (status == RHOMB_ERR_CANCELLED && h->stop_at > 0)
        return false;
    if (status != RHOMB_OK)
        fail_question(s, q, rhomb_context_error(s->ctx));
    rhomb_report got = *rhomb_result_report(result);
    got.plan = keep_plan(got.plan);
    rhomb_result_destroy(result);
    const char *complaint = judge(q, &got, h);
    if (complaint != NULL) {
        fprintf(stderr,
                "got distance %lld, score %lld, %lld cells, device bytes %lld of %lld to %lld\n",
                (long long)got.distance, (long long)got.score, (long long)got.cells,
                (long long)got.device_bytes, (long long)got.plan->device_bytes_min,
                (long long)got.plan->device_bytes_max);
        fail_question(s, q, complaint);
    }
    if (report != NULL)
        *report = got;
    return true;
}

void question_ask(session *s, const question *q, rhomb_report *report)
{
    history h = HISTORY_INIT;
    ask(s, q, &h, report);
}

question question_of(const pair *p, rhomb_alphabet alphabet, const variant *v, const char *family,
                     int64_t index)
{
    match_iupac(alphabet == RHOMB_ALPHABET_IUPAC);
    const question q = {
        .target = &p->a,
        .query = &p->b,
        .alphabet = alphabet,
        .variant = v,
        .max_distance = RHOMB_NO_LIMIT,
        .distance = oracle_distance(p->a.at, p->a.length, p->b.at, p->b.length,
                                    alphabet != RHOMB_ALPHABET_BYTES),
        .family = family,
        .index = index,
    };
    return q;
}

question question_scored(const pair *p, const score_set *set, const char *family, int64_t index)
{
    return (question){
        .target = &p->a,
        .query = &p->b,
        .set = set,
        .max_distance = RHOMB_NO_LIMIT,
        .distance = oracle_gotoh(p->a.at, p->a.length, p->b.at, p->b.length, &set->penalties),
        .family = family,
        .index = index,
    };
}

static void ask_reversed(session *s, question *q)
{
    pair p = {{NULL, 0, 0}, {NULL, 0, 0}};
    letters_append(&p.a, q->target->at, q->target->length);
    letters_append(&p.b, q->query->at, q->query->length);
    letters_reverse(&p.a);
    letters_reverse(&p.b);
    q->target = &p.a;
    q->query = &p.b;
    question_ask(s, q, NULL);
    pair_release(&p);
}

static void ask_resumed(session *s, question *q)
{
    char file[] = "/tmp/rhomb-check-XXXXXX";
    history whole = HISTORY_INIT, part = HISTORY_INIT;
    ask(s, q, &whole, NULL);
    if (whole.calls == 0)
        return;
    const int fd = mkstemp(file);
    assert_true(fd >= 0 && close(fd) == 0 && unlink(file) == 0);
    q->checkpoint = file;
    part.stop_at = whole.calls;
    if (ask(s, q, &part, NULL))
        fail_question(s, q, "was not stopped");
    question_ask(s, q, NULL);
    unlink(file);
}

void question_ask_related(session *s, const question *from, relation which)
{
    static const char *const TEXTS[] = {"swapped",
                                        "both backwards",
                                        "with itself",
                                        "limit: distance - 1",
                                        "limit: distance",
                                        "limit: distance + 1",
                                        "limit: half of the distance",
                                        "limit: 0",
                                        "limit: below the lengths' difference",
                                        "stopped and gone on with"};
    const int64_t penalty = question_penalty(from);
    const int64_t LIMITS[] = {penalty - 1, penalty, penalty + 1,
                              penalty / 2, 0,       difference(from) - 1};
    question q = *from;
    q.relation = TEXTS[which];
    switch (which) {
    case RELATION_SWAPPED:
        q.target = from->query;
        q.query = from->target;
        break;
    case RELATION_REVERSED:
        ask_reversed(s, &q);
        return;
    case RELATION_SELF:
        q.query = q.target;
        q.distance = q.set != NULL ? -q.set->penalties.match * q.target->length : 0;
        break;
    case RELATION_RESUMED:
        ask_resumed(s, &q);
        return;
    default:
        q.max_distance = LIMITS[which - RELATION_LIMIT_BELOW];
        break;
    }
    if (which < RELATION_LIMIT_BELOW || q.max_distance >= 0)
        question_ask(s, &q, NULL);
}

int32_t pair_planes(const pair *p, rhomb_alphabet alphabet)
{
    bool seen[256] = {false};
    int symbols = 0, planes = 2;
    for (int64_t i = 0; i < p->a.length + p->b.length; i++) {
        const char given = i < p->a.length ? p->a.at[i] : p->b.at[i - p->a.length];
        const unsigned char letter =
            (unsigned char)(alphabet != RHOMB_ALPHABET_BYTES ? folded_base(given) : given);
        if (alphabet == RHOMB_ALPHABET_IUPAC && strchr("ACGT", letter) == NULL)
            return 4;
        symbols += !seen[letter];
        seen[letter] = true;
    }
    while (1 << planes < symbols)
        planes++;
    return planes;
}
