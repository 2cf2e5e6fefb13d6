/* SPDX-License-Identifier: MIT */
/*
 * See fault_fixture.h.
 */
#include "fault_fixture.h"

#include <dirent.h>
#include <unistd.h>

#include "cl/abi.h"
#include "fault_opencl.h"
#include "reference/gotoh.h"
#include "src/base/int64.h"

enum { TARGET_LENGTH = 430, QUERY_LENGTH = 370 };
enum { LONG_TARGET_LENGTH = 1900, LONG_QUERY_LENGTH = 1800 };

static char cache_folder[64];

/* Of the context that was created last, a line each; what does not fit is left out. */
static char messages[16384];

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

static void make_pair(fault_job *job, bool is_long)
{
    static char target[LONG_TARGET_LENGTH], query[LONG_QUERY_LENGTH];
    static int64_t distance[2];
    job->target = target;
    job->target_length = is_long ? LONG_TARGET_LENGTH : TARGET_LENGTH;
    job->query = query;
    job->query_length = is_long ? LONG_QUERY_LENGTH : QUERY_LENGTH;
    if (distance[is_long] == 0) {
        make_letters(target, LONG_TARGET_LENGTH, 1);
        make_letters(query, LONG_QUERY_LENGTH, 2);
        distance[is_long] = oracle_textbook(target, job->target_length, query, job->query_length);
    }
    job->distance = distance[is_long];
}

int64_t fault_penalty(const fault_job *job)
{
    const oracle_penalties penalties = oracle_penalties_of(&job->scoring);
    return oracle_gotoh(job->target, job->target_length, job->query, job->query_length, &penalties);
}

/* Gaps of two pieces, in large numbers or small ones; the distance is the penalty. */
static void score(fault_job *job, bool large)
{
    const rhomb_scoring small = {
        .mismatch = 5, .gap_open = 8, .gap_extend = 2, .gap_open_2 = 24, .gap_extend_2 = 1};
    const rhomb_scoring dear = {
        .mismatch = 61, .gap_open = 3, .gap_extend = 50, .gap_open_2 = 60, .gap_extend_2 = 20};
    job->scoring = large ? dear : small;
    job->distance = fault_penalty(job);
}

void fault_make_job(fault_job *job, fault_work work)
{
    const rhomb_tuning tuning = RHOMB_TUNING_INIT;
    const rhomb_options options = RHOMB_OPTIONS_INIT;
    make_pair(job, work == FAULT_LONG_SWEEPS);
    job->tuning = tuning;
    job->options = options;
    memset(&job->scoring, 0, sizeof job->scoring);
    job->options.tuning = &job->tuning;
    if (work == FAULT_SLICED || work == FAULT_AFFINE)
        score(job, work == FAULT_AFFINE);
    if (work == FAULT_SWEEPS || work == FAULT_SLICED || work == FAULT_LONG_SWEEPS) {
        job->options.engine = RHOMB_ENGINE_BITPARALLEL;
        job->tuning.group_size = 2;
        job->tuning.words_per_item = 1;
        job->tuning.blocks_per_launch = work == FAULT_LONG_SWEEPS ? 1 : 8;
        job->tuning.first_beside = 16;
        return;
    }
    job->options.engine = RHOMB_ENGINE_WAVEFRONT;
    if (work == FAULT_AFFINE) {
        job->tuning.group_size = 1;
        job->tuning.diagonals_per_item = 256;
        job->tuning.tile_scores = 1000;
        job->tuning.launches_per_read = 2;
        return;
    }
    job->tuning.tile_shape = work == FAULT_DIAMONDS ? RHOMB_TILE_DIAMOND : RHOMB_TILE_TRAPEZOID;
    job->tuning.group_size = 1;
    job->tuning.diagonals_per_item = 64;
    job->tuning.tile_scores = 16;
    job->tuning.launches_per_read = 3;
    if (work == FAULT_FEW_CALLS) {
        job->tuning.diagonals_per_item = 2048;
        job->tuning.tile_scores = 256;
    }
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

static rhomb_context *create_context(const char *cache, rhomb_status *status)
{
    rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
    rhomb_context *ctx = NULL;
    options.cache_dir = cache;
    options.log = keep_message;
    messages[0] = '\0';
    *status = rhomb_context_create(&ctx, &options);
    assert_int_equal(ctx == NULL, *status != RHOMB_OK);
    return ctx;
}

rhomb_context *fault_create_context(rhomb_status *status)
{
    return create_context("off", status);
}

rhomb_context *fault_create_cached(rhomb_status *status)
{
    return create_context(cache_folder, status);
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
    result->status = rhomb_distance(ctx, job->target, job->target_length, job->query,
                                    job->query_length, &options, &answer);
    fault_keep_detail(ctx, result);
    result->distance = -2;
    assert_int_equal(answer == NULL, result->status != RHOMB_OK);
    if (answer != NULL)
        result->distance = rhomb_result_report(answer)->distance;
    rhomb_result_destroy(answer);
}

int fault_start_afresh(void **state)
{
    fault_end();
    fault_forget_handles();
    return 0;
}

int fault_set_up(void **state)
{
    snprintf(cache_folder, sizeof cache_folder, "/tmp/rhomb-test-faults-XXXXXX");
    return mkdtemp(cache_folder) != NULL ? 0 : -1;
}

/* What is done with each file of the cache's folder. */
typedef enum change { CLEAR, CLEAR_ALL, TAKE_NOTE, PUT_NOTE_BACK } change;

/* The files of the cache but notes that were taken, or these alone. */
static void change_cache(change c)
{
    static const char taken[] = "note-";
    struct dirent *entry;
    DIR *dir = opendir(cache_folder);
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        const char *name = entry->d_name;
        char note[sizeof taken + 256];
        const bool is_note = strncmp(name, taken, strlen(taken)) == 0;
        if (name[0] == '.')
            continue;
        snprintf(note, sizeof note, "%s%s", taken, name);
        if (c == PUT_NOTE_BACK && is_note)
            assert_int_equal(linkat(dirfd(dir), name, dirfd(dir), name + strlen(taken), 0), 0);
        else if (c == TAKE_NOTE && !is_note)
            assert_int_equal(renameat(dirfd(dir), name, dirfd(dir), note), 0);
        else if (c == CLEAR_ALL || (c == CLEAR && !is_note))
            (void)unlinkat(dirfd(dir), name, 0);
    }
    closedir(dir);
}

void fault_clear_cache(void)
{
    change_cache(CLEAR);
}

void fault_take_notes(void)
{
    change_cache(TAKE_NOTE);
}

void fault_put_notes_back(void)
{
    change_cache(PUT_NOTE_BACK);
}

int fault_tear_down(void **state)
{
    change_cache(CLEAR_ALL);
    return rmdir(cache_folder);
}

bool fault_has_device(void)
{
    rhomb_context *ctx = NULL;
    const bool found = rhomb_context_create(&ctx, NULL) == RHOMB_OK &&
                       rhomb_context_open(ctx, NULL, 0) == RHOMB_OK;
    if (!found)
        fprintf(stderr, "skipped: %s\n", rhomb_context_error(ctx));
    rhomb_context_destroy(ctx);
    return found;
}

void fault_hide_meeting(void *data, size_t bytes)
{
    rhomb_wavefront_status *status = data;
    if (bytes == sizeof *status &&
        (status->front[0][0].column == 0 || status->front[0][1].column == 0))
        status->met = 0;
}

void fault_expect_detail(const fault_result *result, const char *text)
{
    if (strstr(result->detail, text) == NULL)
        fail_msg("no \"%s\" in: %s", text, result->detail);
}
