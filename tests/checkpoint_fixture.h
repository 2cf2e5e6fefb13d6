/* SPDX-License-Identifier: MIT */
/*
 * What tests of checkpoints share: a call that keeps one, what it comes to, and copies of the file
 * while it runs. What a killed process would leave is the file as it is at some moment.
 *
 * Time is the tests' own (--wrap=clock_gettime), and the device seems to be slow: so there are many
 * moments.
 */
#ifndef RHOMB_CHECKPOINT_FIXTURE_H
#define RHOMB_CHECKPOINT_FIXTURE_H

#include "rhomb/align.h"
#include "rhomb/tuning.h"
#include "support/pair.h"
#include "support/test.h"

/* A pair, and how it is solved. */
typedef struct job {
    const char *name;
    bool aligns;
    pair_model model;
    int64_t length;
    double error_rate;
    rhomb_engine engine;
    const char *score;
    rhomb_tuning tuning;
    int64_t max_distance;
} job;

enum { DISTANCE, PATH };
enum { AUTO = RHOMB_ENGINE_AUTO, WAVE = RHOMB_ENGINE_WAVEFRONT, SWEEP = RHOMB_ENGINE_BITPARALLEL };

/* A job with a limit, -1 for none, and values of the tuning. */
#define JOB(name, aligns, model, length, error_rate, engine, limit, score, ...) \
    {                                                                           \
        name, aligns, model, length, error_rate, (rhomb_engine)engine, score,   \
            {.struct_size = sizeof(rhomb_tuning), __VA_ARGS__}, limit           \
    }

/* Copies of the file, and when they were made. */
#define MOST_COPIES 400

typedef struct copy {
    char *bytes;
    size_t size;
    int64_t call;
} copy;

/* What a progress function does: at which call it stops the run, or makes copies. */
typedef struct watcher {
    int64_t calls, stop_at;
    double fraction; /* as told last */
    bool copies;
    int64_t copy_count;
    copy copied[MOST_COPIES];
} watcher;

/* What a call has come to, but for time. */
typedef struct answer {
    rhomb_status status;
    rhomb_report report;
    rhomb_align_report align;
    rhomb_path_op *path;
    int64_t operations;
} answer;

/*
 * Where calls run: with the devices of RHOMB_TEST_DEVICE open, or where these are several, the
 * first one alone after use_devices(1).
 */
extern rhomb_context *ctx;
extern char file[64];

/* How many devices may be open, and how many are in the context from now on: that, or 1. */
int32_t most_devices(void);
void use_devices(int32_t count);

/* Opens the devices anew: after a rank is lost the others are no more use. */
void open_again(void);

/* The message of level 0 that came last. */
extern char logged[2048];

/* Keeps the file if it is another one than before. */
void make_copy(watcher *w);

void make_pair(const job *j, pair *p);
answer call(const job *j, const pair *p, const char *checkpoint, double seconds, watcher *w);
void release_answer(answer *a);

/* Runs the tests with an open device and a folder for the file; 77 where there is no device. */
int run_checkpoint_tests(const char *name, const struct CMUnitTest *tests, size_t count);

#endif
