/* SPDX-License-Identifier: MIT */
/*
 * The table of subjects, and those of one pair, see fault_subjects.h.
 */
#include "fault_subjects.h"

#include "host/device/context.h"
#include "opencl/own_faults.h"
#include "rhomb/align.h"
#include "rhomb/guide.h"
#include "rhomb/local.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static char cache_folder[] = "/tmp/rhomb-test-faults-XXXXXX";
static char checkpoint[] = "/tmp/rhomb-fault-checkpoint-XXXXXX";

/* Of the context that was created last, a line each; what does not fit is left out. */
static char messages[16384];

uint32_t fault_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state;
}

void fault_random_letters(char *letters, int64_t length)
{
    uint32_t state = 1;
    for (int64_t i = 0; i < length; i++)
        letters[i] = "ACGT"[fault_random(&state) >> 30];
}

/* Random sequences after a common beginning: about a third of them is edits. */
static void make_letters(char *letters, int64_t length, uint32_t seed)
{
    uint32_t state = 2463534242u;
    for (int64_t i = 0; i < length; i++) {
        if (i == 60)
            state = seed;
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        letters[i] = "ACGT"[state >> 30];
    }
}

static void make_pair(fault_job *job, bool is_long)
{
    enum { TARGET = 430, QUERY = 370, LONG_TARGET = 1900, LONG_QUERY = 1800 };
    static char target[LONG_TARGET], query[LONG_QUERY];
    if (target[0] == '\0') {
        make_letters(target, LONG_TARGET, 1);
        make_letters(query, LONG_QUERY, 2);
    }
    job->target = target;
    job->target_length = is_long ? LONG_TARGET : TARGET;
    job->query = query;
    job->query_length = is_long ? LONG_QUERY : QUERY;
}

/*
 * Sequences that are long enough to go over a GPU's bus from pinned memory, equal but for three
 * bases near the ends and one deletion.
 */
static void make_long_pair(fault_job *job)
{
    enum { LENGTH = (1 << 20) + 12345 };
    static char target[LENGTH], query[LENGTH];
    if (target[0] == '\0') {
        fault_random_letters(target, LENGTH);
        memcpy(query, target, LENGTH);
        query[3] = query[LENGTH / 2] = query[LENGTH - 9] = 'N';
        memmove(query + 70000, query + 70001, LENGTH - 70001);
    }
    job->target = target;
    job->target_length = LENGTH;
    job->query = query;
    job->query_length = LENGTH - 1;
}

void fault_make_job(fault_job *job, fault_work work)
{
    static const rhomb_scoring small = {
        .mismatch = 5, .gap_open = 8, .gap_extend = 2, .gap_open_2 = 24, .gap_extend_2 = 1};
    static const rhomb_scoring dear = {
        .mismatch = 61, .gap_open = 3, .gap_extend = 50, .gap_open_2 = 60, .gap_extend_2 = 20};
    static const rhomb_scoring unit = {.mismatch = 0};
    const rhomb_tuning tuning = RHOMB_TUNING_INIT;
    const rhomb_options options = RHOMB_OPTIONS_INIT;
    make_pair(job, work == FAULT_LONG_SWEEPS);
    job->tuning = tuning;
    job->options = options;
    job->scoring = work == FAULT_SLICED ? small : work == FAULT_AFFINE ? dear : unit;
    if (work == FAULT_SWEEPS || work == FAULT_SLICED || work == FAULT_LONG_SWEEPS) {
        job->options.engine = RHOMB_ENGINE_BITPARALLEL;
        job->tuning.group_size = 2;
        job->tuning.words_per_item = 1;
        job->tuning.blocks_per_launch = work == FAULT_LONG_SWEEPS ? 1 : 8;
        job->tuning.first_half_width = 16;
        return;
    }
    job->options.engine = RHOMB_ENGINE_WAVEFRONT;
    job->tuning.group_size = 1;
    if (work == FAULT_AFFINE) {
        job->target_length = 250;
        job->query_length = 220;
        job->tuning.diagonals_per_item = 256;
        job->tuning.tile_scores = 1000;
        job->tuning.launches_per_read = 2;
        return;
    }
    job->tuning.tile_shape = work == FAULT_DIAMONDS ? RHOMB_TILE_DIAMOND : RHOMB_TILE_TRAPEZOID;
    job->tuning.diagonals_per_item = 64;
    job->tuning.tile_scores = 16;
    job->tuning.launches_per_read = 3;
    if (work == FAULT_PINNED)
        make_long_pair(job);
    if (work == FAULT_FEW_CALLS)
        job->target_length = job->query_length = 90;
}

/* A rhomb_log_fn. */
static void keep_message(int level, const char *text, void *user)
{
    const size_t used = strlen(messages);
    if (level == 1)
        snprintf(messages + used, sizeof messages - used, "%s\n", text);
}

bool fault_logged(const char *text)
{
    return strstr(messages, text) != NULL;
}

static void remove_cache(void)
{
    fault_clear_cache();
    rmdir(cache_folder);
}

static void make_cache(void)
{
    static bool is_made; /* its name may have an X of its own */
    if (!is_made) {
        assert_non_null(mkdtemp(cache_folder));
        atexit(remove_cache);
        is_made = true;
    }
}

void fault_clear_cache(void)
{
    struct dirent *entry;
    make_cache();
    DIR *dir = opendir(cache_folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
}

rhomb_context *fault_create_context(bool cached, rhomb_status *status)
{
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_context *ctx = NULL;
    options.cache_dir = cached ? cache_folder : "off";
    options.log = keep_message;
    messages[0] = '\0';
    *status = rhomb_context_create(&ctx, &options);
    assert_int_equal(ctx == NULL, *status != RHOMB_OK);
    return ctx;
}

void fault_keep_detail(const rhomb_context *ctx, fault_result *result)
{
    const char *detail = rhomb_context_error(ctx);
    snprintf(result->detail, sizeof result->detail, "%s", detail);
    assert_int_equal(detail[0] == '\0', result->status == RHOMB_OK);
}

void fault_solve(rhomb_context *ctx, const fault_job *job, fault_result *result)
{
    rhomb_options options = job->options;
    rhomb_tuning tuning = job->tuning;
    rhomb_result *answer = (rhomb_result *)&options; /* anything but NULL */
    options.tuning = &tuning;
    if (job->scoring.mismatch > 0)
        options.scoring = &job->scoring;
    if (rhomb_context_device_count(ctx) > 1)
        tuning.chunk_strips = 1; /* they share everything */
    result->status = rhomb_distance(ctx, job->target, job->target_length, job->query,
                                    job->query_length, &options, &answer);
    fault_keep_detail(ctx, result);
    assert_int_equal(answer == NULL, result->status != RHOMB_OK);
    result->sum = answer != NULL ? rhomb_result_report(answer)->distance : -2;
    rhomb_result_destroy(answer);
}

static void run_distance(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    const rhomb_tuning tuning = RHOMB_TUNING_INIT;
    fault_job job;
    fault_make_job(&job, (fault_work)s->way);
    if (s->free_tuning)
        job.tuning = tuning;
    if (s->equal)
        job.target_length = job.query_length;
    fault_solve(ctx, &job, result);
}

/* Another context on the device of the first one; then the first one again. */
static void run_beside(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    rhomb_context *beside = fault_create_context(false, &result->status);
    result->sum = -2;
    if (beside == NULL)
        return;
    result->status = rhomb_context_open_shared(beside, ctx, 0);
    if (result->status == RHOMB_OK)
        run_distance(beside, s, result);
    else
        fault_keep_detail(beside, result);
    rhomb_context_destroy(beside);
    const int64_t sum = result->sum;
    if (result->status == RHOMB_OK)
        run_distance(ctx, s, result);
    assert_true(result->status != RHOMB_OK || result->sum == sum);
}

/* When a call stops: at this call of the progress function from now on; 0: at none. */
typedef struct stopping {
    int calls;
    bool ranks;
} stopping;

/* Ranks go on once the checkpoint is written, until they hear that it was the last one. */
static int stop(const rhomb_progress *progress, void *user)
{
    stopping *s = user;
    const bool stops = !progress->building && --s->calls == 0;
    if (stops && s->ranks)
        fault_excuse(true);
    return stops;
}

static rhomb_status solve_kept(rhomb_context *ctx, fault_job *job, stopping stops,
                               rhomb_result **out)
{
    const bool ends = stops.calls == 0;
    job->options.tuning = &job->tuning;
    job->options.scoring = job->scoring.mismatch > 0 ? &job->scoring : NULL;
    job->options.checkpoint = checkpoint;
    job->options.checkpoint_seconds = ends ? 1e-9 : 1e9;
    job->options.progress = ends ? NULL : stop;
    job->options.progress_user = &stops;
    job->tuning.chunk_strips = rhomb_context_device_count(ctx) > 1;
    *out = (rhomb_result *)job; /* anything but NULL */
    return rhomb_distance(ctx, job->target, job->target_length, job->query, job->query_length,
                          &job->options, out);
}

static void name_checkpoint(void)
{
    static bool is_made; /* its name may have an X of its own */
    if (!is_made)
        close(mkstemp(checkpoint));
    is_made = true;
    unlink(checkpoint);
}

/* What the file has; 0: there is none. */
static uint64_t sum_checkpoint(void)
{
    uint64_t sum = 0;
    unsigned char bytes[4096];
    const int fd = open(checkpoint, O_RDONLY);
    for (ssize_t count; fd >= 0 && (count = read(fd, bytes, sizeof bytes)) > 0;)
        for (ssize_t i = 0; i < count; i++)
            sum = sum * 31 + bytes[i] + 1;
    if (fd >= 0)
        close(fd);
    return sum;
}

/*
 * A distance that is stopped at a checkpoint and goes on. All runs but the one that is stopped keep
 * checkpoints at each step.
 */
static void run_stopped(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    rhomb_result *found = NULL;
    fault_job job;
    fault_make_job(&job, (fault_work)s->way);
    name_checkpoint();
    result->sum = -2;
    const stopping stops = {s->way == FAULT_LONG_SWEEPS ? 4 : 3, s->ranks > 0};
    result->status = solve_kept(ctx, &job, stops, &found);
    assert_null(found);
    /* Whatever fails then, only the wish to stop leaves a file. */
    const uint64_t kept = sum_checkpoint();
    const bool is_kept = kept != 0;
    assert_true(!is_kept || result->status == RHOMB_ERR_CANCELLED);
    fault_excuse(false);
    /* What is excused there did not keep the checkpoint from being written. */
    assert_true(is_kept || result->status != RHOMB_ERR_CANCELLED || s->ranks == 0);
    if (result->status == RHOMB_ERR_CANCELLED)
        result->status = solve_kept(ctx, &job, (stopping){0, false}, &found);
    fault_keep_detail(ctx, result);
    assert_int_equal(found == NULL, result->status != RHOMB_OK);
    /* What another run has is as it was. */
    assert_true(result->status != RHOMB_ERR_OUTPUT || sum_checkpoint() == kept);
    if (result->status == RHOMB_OK) {
        assert_int_equal(rhomb_result_report(found)->resumed, is_kept);
        result->sum = rhomb_result_report(found)->distance;
    }
    rhomb_result_destroy(found);
    unlink(checkpoint);
}

/*
 * A sweep after the path along a guide: the query is the target without a piece in its middle, so
 * the distance is that piece's length, and the points are ends of what both have.
 */
static void run_guide(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    enum { KEPT = RHOMB_GUIDE_LEAST, PIECE = 700, POINTS = 15, SPACING = KEPT / (POINTS + 1) };
    static char target[KEPT + PIECE], query[KEPT];
    static rhomb_guide_point points[POINTS];
    rhomb_guide guide = RHOMB_GUIDE_INIT;
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_result *found = (rhomb_result *)&options; /* anything but NULL */
    if (target[0] == '\0')
        fault_random_letters(target, sizeof target);
    for (int64_t i = 0; i < KEPT; i++)
        query[i] = target[i < KEPT / 2 ? i : i + PIECE];
    for (int64_t i = 0; i < POINTS; i++) {
        const int64_t at = (i + 1) * SPACING;
        points[i] = (rhomb_guide_point){at < KEPT / 2 ? at : at + PIECE, at};
    }
    guide.points = points;
    guide.count = POINTS;
    options.engine = RHOMB_ENGINE_BITPARALLEL;
    options.guide = &guide;
    result->status = rhomb_distance(ctx, target, KEPT + PIECE, query, KEPT, &options, &found);
    fault_keep_detail(ctx, result);
    assert_int_equal(found == NULL, result->status != RHOMB_OK);
    result->sum = -2;
    if (result->status == RHOMB_OK) {
        result->sum = rhomb_result_report(found)->distance;
        assert_int_equal(result->sum, PIECE);
        assert_true(rhomb_result_report(found)->guide_bound >= PIECE);
    }
    rhomb_result_destroy(found);
}

/* Ways of run_local(): a mode, and with a z-drop more. */
enum { DROPS = 16 };

/*
 * A local alignment of one pair, one with free ends or an extension; score, begins and ends. Both
 * share a piece, with a mismatch every so many bases; extensions begin where it does.
 */
static void run_local(rhomb_context *ctx, const fault_subject *s, fault_result *result)
{
    enum { TARGET = 700, QUERY = 500, SHARED = 300, SPACING = 17, BONUS = 3, DROP = 40 };
    enum { TARGET_AT = 200, QUERY_AT = QUERY - SHARED - 50 }; /* where the piece is */
    static const rhomb_scoring scoring = {2, 4, 4, 2, -1, -1, NULL};
    static char target[TARGET], query[QUERY];
    const rhomb_mode mode = (rhomb_mode)(s->way % DROPS);
    const int64_t to = mode == RHOMB_MODE_EXTEND ? TARGET_AT : 0;
    const int64_t qo = mode == RHOMB_MODE_EXTEND ? QUERY_AT : 0;
    const rhomb_mode_options how = {
        sizeof how, mode, {100, 40, 150, 180}, s->way >= DROPS ? DROP : RHOMB_NO_LIMIT, BONUS};
    rhomb_options options = RHOMB_OPTIONS_INIT;
    rhomb_tuning tuning = RHOMB_TUNING_INIT;
    rhomb_alignment *alignment = (rhomb_alignment *)&options; /* anything but NULL */
    fault_random_letters(target, TARGET);
    fault_random_letters(query, QUERY);
    for (int i = 0; i < SHARED; i++)
        if (i % SPACING != 0)
            query[QUERY_AT + i] = target[TARGET_AT + i];
    options.scoring = &scoring;
    options.tuning = &tuning;
    tuning.local_steps = s->free_tuning ? 0 : 50;
    result->status = rhomb_align_mode(ctx, target + to, TARGET - to, query + qo, QUERY - qo, &how,
                                      &options, &alignment);
    fault_keep_detail(ctx, result);
    assert_int_equal(alignment == NULL, result->status != RHOMB_OK);
    result->sum = -2;
    if (result->status == RHOMB_OK) {
        const rhomb_pair_extent *e = rhomb_alignment_local(alignment)->extent;
        result->sum =
            e->score +
            1000 * (e->target_begin +
                    1000 * (e->target_end + 1000 * (e->query_begin + 1000 * e->query_end)));
    }
    rhomb_alignment_destroy(alignment);
}

#define ALIGN(engine, more) fault_run_align, .way = RHOMB_ENGINE_##engine + (more)
#define BATCH(work)         fault_run_batch, .way = FAULT_BATCH_##work
#define SPLIT(how)          fault_run_split, .way = FAULT_SPLIT_##how

const fault_subject FAULT_SUBJECTS[] = {
    {"trapezoids", run_distance, .way = FAULT_TRAPEZOIDS},
    {"diamonds", run_distance, .way = FAULT_DIAMONDS},
    {"sweeps", run_distance, .way = FAULT_SWEEPS},
    {"sliced", run_distance, .way = FAULT_SLICED},
    {"affine", run_distance, .way = FAULT_AFFINE, .dear = true},
    {"long sweeps", run_distance, .way = FAULT_LONG_SWEEPS},
    {"few calls", run_distance, .way = FAULT_FEW_CALLS, .cached = true},
    {"pinned", run_distance, .way = FAULT_PINNED, .dear = true, .tangled = true},
    {"beside, trapezoids", run_beside, .way = FAULT_TRAPEZOIDS},
    {"beside, sweeps", run_beside, .way = FAULT_SWEEPS},
    {"stopped trapezoids", run_stopped, .way = FAULT_TRAPEZOIDS, .tangled = true},
    {"stopped affine", run_stopped, .way = FAULT_AFFINE, .dear = true, .tangled = true},
    {"stopped sweeps", run_stopped, .way = FAULT_LONG_SWEEPS, .tangled = true},
    {"guide", run_guide, .tangled = true, .dear = true},
    {"ends-free", run_local, .way = RHOMB_MODE_ENDS_FREE, .tangled = true},
    {"extend", run_local, .way = RHOMB_MODE_EXTEND, .tangled = true},
    {"local", run_local, .way = RHOMB_MODE_LOCAL, .tangled = true},
    {"z-drop", run_local, .way = RHOMB_MODE_EXTEND + DROPS, .tangled = true},
    {"align, trapezoids", ALIGN(WAVEFRONT, 0), .tangled = true, .dear = true},
    {"align, sweeps", ALIGN(BITPARALLEL, 0), .tangled = true},
    {"align, affine", ALIGN(WAVEFRONT, FAULT_SCORED), .tangled = true, .dear = true},
    {"align, sliced", ALIGN(BITPARALLEL, FAULT_SCORED), .tangled = true},
    {"split by groups", SPLIT(GROUPS), .strict = true},
    {"split by launches", SPLIT(WIDE), .strict = true},
    {"split, affine", SPLIT(AFFINE), .strict = true},
    {"split by sweeps", SPLIT(SWEEPS), .strict = true},
    {"split, sliced", SPLIT(SLICED), .strict = true},
    {"affine paths", SPLIT(PATHS), .strict = true},
    {"batch", BATCH(PATHS), .tangled = true},
    {"batch, workers", BATCH(WORKERS), .tangled = true},
    {"batch, distances", BATCH(DISTANCES), .tangled = true},
    {"batch, scored", BATCH(SCORED), .tangled = true},
    {"batch, planes", BATCH(PLANES), .tangled = true},
    {"batch, local", BATCH(LOCAL), .tangled = true},
    {"batch, array", BATCH(ARRAY), .tangled = true},
    {"batch, borrowed", BATCH(BORROWED), .tangled = true},
    {"matrix", fault_run_matrix, .tangled = true},
    {"several, sweeps", run_distance, .way = FAULT_SWEEPS, .devices = "all"},
    {"several, sliced", run_distance, .way = FAULT_SLICED, .devices = "all"},
    {"several, stopped sweeps", run_stopped, .way = FAULT_LONG_SWEEPS, .devices = "all",
     .tangled = true, .dear = true},
    {"several, trapezoids", ALIGN(WAVEFRONT, 0), .devices = "all", .tangled = true, .dear = true},
    {"several, affine", ALIGN(WAVEFRONT, FAULT_SCORED), .devices = "all", .tangled = true,
     .dear = true},
    {"several, swept", ALIGN(BITPARALLEL, 0), .devices = "all", .tangled = true},
    {"several, kept", ALIGN(WAVEFRONT, FAULT_SAVED), .devices = "all", .tangled = true,
     .dear = true},
    {"several, swept and kept", ALIGN(BITPARALLEL, FAULT_SAVED), .devices = "all", .tangled = true},
    {"several, batch", BATCH(WORKERS), .devices = "all", .tangled = true},
    {"several, batch of distances", BATCH(DISTANCES), .devices = "all", .tangled = true},
    {"several, matrix", fault_run_matrix, .devices = "all", .tangled = true},
    {"ranks, sweeps", run_distance, .way = FAULT_SWEEPS, .ranks = 2, .tangled = true},
    {"ranks, stopped sweeps", run_stopped, .way = FAULT_LONG_SWEEPS, .ranks = 2, .tangled = true,
     .dear = true},
    {"ranks, trapezoids", ALIGN(WAVEFRONT, 0), .ranks = 2, .tangled = true, .dear = true},
    {"ranks, kept", ALIGN(WAVEFRONT, FAULT_SAVED), .ranks = 2, .tangled = true, .dear = true},
    {.name = NULL}};

fault_subject fault_subject_named(const char *name)
{
    const fault_subject *s = FAULT_SUBJECTS;
    while (s->name != NULL && strcmp(s->name, name) != 0)
        s++;
    if (s->name == NULL)
        fail_msg("no subject is called %s", name);
    return *s;
}
