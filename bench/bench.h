/* SPDX-License-Identifier: MIT */
/*
 * What the suites of rhomb_bench share: the options, the pairs, and one call that verifies a case,
 * times it and writes its row. The program uses the public header alone, but for
 * bench_extension.c, so that it measures what a user of the library gets.
 */
#ifndef RHOMB_BENCH_BENCH_H
#define RHOMB_BENCH_BENCH_H

#include <stdio.h>

#include "rhomb/tuning.h"

#define BENCH_MAX_RUNS 100

#define BENCH_PATH_BYTES 4096

/* A run that takes longer is not repeated in the suites that say so. */
#define BENCH_LONG_SECONDS 2.0

struct bench;
struct bench_pair;

/* Something to be done with a pair; false ends the suite. */
typedef bool (*bench_pair_fn)(struct bench *b, const struct bench_pair *pair);

/* What the caller asked for, and the state that all suites share. */
typedef struct bench {
    char **environment; /* of programs to run; see bench_environment_keep() */
    /* Options. */
    const char *device;         /* selector for rhomb_context_open(); NULL: the best */
    const char *data;           /* folder of the real sequences; NULL: none */
    const char *commit;         /* of the source that was built */
    const char *only;           /* cases whose name contains this; NULL: all */
    const char *program;        /* rhomb, for suites of whole commands; NULL: none */
    const char *write;          /* prefix of files to write a pair to instead of running it */
    bench_pair_fn instead;      /* what suites of generated pairs do with one; NULL: measure it */
    const char *ladder_pair[2]; /* names without .fa.gz; NULL: a generated pair */
    rhomb_engine engine;        /* of timed runs, where engine_given */
    bool engine_given;          /* each suite has an engine of its own otherwise */
    rhomb_tuning tuning;        /* its rates are these, where any is given */
    rhomb_rates rates;
    int repeat;
    double scale;               /* lengths of generated pairs are multiplied by it; in suites of
                                   many short pairs, their number */
    int64_t stop_at;            /* column at which runs end that need not finish */
    int64_t max_known_distance; /* leaves out pairs with larger ones */
    int64_t max_length;         /* leaves out generated pairs with longer sequences */
    double limit_seconds;       /* leaves out engines of which more is expected */
    double tune_seconds;        /* that finding a device's tuning row may take */
    const char *row;            /* file for that row; NULL: standard output */
    double instructions;        /* of a wavefront's cell, as read from the compiler's output */
    int64_t lanes_per_unit;     /* of a compute unit, in a cycle; 0: as the vendor is known for */
    bool verify_long;           /* verify a chromosome by a sweep in one direction */
    int32_t workers;            /* of a batch; 0: as the library chooses */
    int peer_threads;           /* of other programs on many pairs; 0: as many as cores */
    char command[1024];

    /* State. */
    rhomb_context *ctx;  /* NULL until bench_open() */
    double open_seconds; /* of the context and its device */
    char machine[256];   /* processor and cores */
    FILE *csv;           /* NULL: none */
    bool written;        /* a pair, to files */
    bool failed;         /* a distance was wrong, or a call failed */
} bench;

/* Two sequences in memory. */
typedef struct bench_pair {
    char name[64];
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    double read_seconds; /* from files; 0 for generated pairs */
    /* The owners of the letters: of files, or of a generated pair. */
    rhomb_sequence *sequences[2];
    char *memory[2];
} bench_pair;

/* A pair with settings, and what must come out. */
typedef struct bench_case {
    const char *suite;
    const char *name; /* of a rung; NULL: the pair's name */
    const bench_pair *pair;
    rhomb_engine engine;
    rhomb_tuning tuning;
    int64_t max_distance;    /* RHOMB_NO_LIMIT; or a limit that the distance must exceed */
    int64_t distance;        /* that must come out, BENCH_UNKNOWN; with a limit, unused */
    const char *verified_by; /* how that distance is known */
    int repeat;              /* timed runs */
    bool verify_first;       /* one more run before the timed ones: verifies, builds, warms up */
    bool once_when_long;     /* ... which is the only one where it takes BENCH_LONG_SECONDS */
} bench_case;

#define BENCH_UNKNOWN INT64_C(-1)

/*
 * The runs of a case, added one at a time, so that several cases can take turns. Zeroed before the
 * first one.
 */
typedef struct bench_runs {
    bool done; /* no more are wanted */
    int calls; /* of the library, successful ones */
    int count; /* timed runs, whose seconds follow */
    double solve[BENCH_MAX_RUNS];
    double transfer[BENCH_MAX_RUNS];
    double work[BENCH_MAX_RUNS]; /* transfer and solve */
    double inspect[BENCH_MAX_RUNS];
    double total[BENCH_MAX_RUNS];
    double build_seconds; /* of the first run */
    double late_cells_per_second;
    rhomb_report report; /* of the last run */
} bench_runs;

/* Median and range of some times, in seconds. */
typedef struct bench_times {
    double median;
    double least;
    double most;
} bench_times;

/* What a row holds beside the case. */
typedef struct bench_measured {
    rhomb_report report; /* of the last run */
    int runs;
    bench_times solve;
    bench_times work; /* transfer and solve; most 0: not measured */
    double open_seconds;
    double build_seconds; /* of the first run: the later ones find their programs built */
    double transfer_seconds;
    double inspect_seconds;
    double total_seconds;
    double process_seconds;       /* suites start and whole: of a process; otherwise 0 */
    double late_cells_per_second; /* in the second half of the columns; 0: not measured */
    double peer_seconds;          /* of another program on the same pair; 0: none */
    double ratio;                 /* of a comparison: the suite says of what; 0: none */
    double issue_ratio;           /* the rate over what the device can issue; 0: not known */
    const char *within;           /* "yes" or "no": whether it is as promised; NULL: no promise */
} bench_measured;

/* --------------------------------------------------------------- bench.c */

/* Prints a message for the user; bench_fail() also makes the program fail. Both return false. */
bool bench_fail(bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Opens the context and the device unless that is done. */
bool bench_open(bench *b);

/* Whether --only asks for a case. */
bool bench_wants(const bench *b, const char *name);

/* The engine that --engine asks for, or else `usual`. */
rhomb_engine bench_engine(const bench *b, rhomb_engine usual);

/* Gives a tuning one tile for pyramids of any width. */
void bench_set_tile(rhomb_tuning *tuning, int32_t group_size, int32_t diagonals_per_item,
                    int32_t tile_columns);

/* As --engine spells it. */
const char *bench_engine_name(rhomb_engine engine);

/* Wall-clock seconds from an arbitrary beginning. */
double bench_now(void);

/* Processor seconds of the process, of all its threads. */
double bench_cpu_now(void);

/* ------------------------------------------------------------ bench_run.c */

/*
 * Verifies a case, times it, prints it and writes its row. False when a distance is wrong or a call
 * fails; a tile that the device does not allow is said and is no failure.
 */
bool bench_run(bench *b, const bench_case *c);

/* One run of a case, verified where the distance is known; bench_run() without the row. */
bool bench_run_once(bench *b, const bench_case *c, bench_runs *runs);

/* Adds a run; the first one's time counts only as the case's verify_first and once_when_long say.
 */
void bench_runs_add(bench_runs *runs, const bench_case *c, const rhomb_report *report);

/* Medians and the rest, of at least one timed run. */
bench_measured bench_summary(const bench *b, bench_runs *runs);

/* The distance of a pair by an engine; -1 on failure. */
int64_t bench_distance(bench *b, const bench_pair *pair, rhomb_engine engine,
                       const rhomb_tuning *tuning);

/* Sorts `values`. */
bench_times bench_times_of(double *values, int count);

/* ---------------------------------------------------------- bench_output.c */

/* What a row is of, and with it the columns. */
typedef enum bench_rows {
    BENCH_ROWS_CASES,     /* bench_measured */
    BENCH_ROWS_BATCHES,   /* bench_batch.h */
    BENCH_ROWS_ALIGNMENTS /* bench_align.h */
} bench_rows;
#define BENCH_ROWS_COUNT 3

/* Opens the CSV file and writes its header; NULL path: none. */
bool bench_csv_open(bench *b, const char *path, bench_rows rows);
/* Closes it; false when something could not be written. */
bool bench_csv_close(bench *b);

/* One row on standard output and in the CSV file. */
void bench_row(bench *b, const bench_case *c, const bench_measured *measured);

/* The same in the CSV file alone, for suites with a table of their own. */
void bench_csv_row(bench *b, const bench_case *c, const bench_measured *measured);

/*
 * "trap 256x4 T32" with what is not as usual behind it; of a sweep "sweep 128x4 B128 2": items of a
 * group and their words, blocks a launch, directions. Room for BENCH_TILE_TEXT is enough.
 */
void bench_tile_text(const rhomb_plan *plan, char *text, size_t size);
#define BENCH_TILE_TEXT 64

/* A title with the device, and below it the heading over the rows of bench_row(). */
void bench_title(const bench *b, const char *suite);
void bench_heading(const bench *b, const char *suite);

/* ----------------------------------------------------------- bench_pairs.c */

/* Reads DATA/A.fa.gz and DATA/B.fa.gz. */
bool bench_pair_read(bench *b, const char *target, const char *query, bench_pair *pair);

/* A length, or a number of pairs, with --scale, 64 at least. */
int64_t bench_scaled(const bench *b, int64_t length);

/*
 * Makes a pair of `length` letters, scaled: the query is a copy with the share `rate` of edits, a
 * third each of substitutions, insertions and deletions. The same arguments give the same letters
 * everywhere.
 */
bool bench_pair_generate(bench *b, const char *name, int64_t length, double rate, bench_pair *pair);

/* Makes a pair of unrelated letters, lengths scaled, likewise. */
bool bench_pair_unrelated(bench *b, const char *name, int64_t target_length, int64_t query_length,
                          bench_pair *pair);

/* Room for a pair, to be filled at memory[i] + 1; the query's length is yet to be set. */
bool bench_pair_allocate(bench *b, const char *name, int64_t target_length, int64_t query_room,
                         bench_pair *pair);

/*
 * Writes a pair to the files that --write asks for, PREFIX.target.fa and PREFIX.query.fa, and says
 * so. A second pair would replace the first one: that is an error.
 */
bool bench_pair_write(bench *b, const bench_pair *pair);

/* The pair with one N put before both: the same distance, but packed with 4 bits a symbol. */
bench_pair bench_pair_with_n(const bench_pair *pair);

void bench_pair_release(bench_pair *pair);

/* --------------------------------------------------------- bench_process.c */

/* Makes an empty folder in TMPDIR; its name goes to `folder`, which has room for BENCH_PATH_BYTES.
 */
bool bench_folder_make(bench *b, char *folder);
/* Removes it with all that it holds. */
void bench_folder_remove(const char *folder);

/*
 * Keeps the environment for the programs to run, before any OpenCL call: Khronos's loader cuts the
 * value of OCL_ICD_FILENAMES at its first colon, in place, so that a child would not find the
 * second driver.
 */
bool bench_environment_keep(bench *b);
void bench_environment_release(bench *b);

/*
 * Runs a program, `words` being its path, up to 31 arguments and NULL, from nothing to its end,
 * with its output in a file. False, and said, unless it exits with 0.
 */
bool bench_program_run(bench *b, const char *const *words, const char *output, double *seconds);

/* ----------------------------------------------------------- bench_check.c */

/*
 * The distance as another program computes it, for pairs that no oracle on one core answers soon
 * enough; -1 on failure. By wavefronts: the other tile shape and, for generated pairs, 4 bits a
 * symbol.
 */
int64_t bench_check_by_tiles(bench *b, const bench_pair *pair);
extern const char BENCH_BY_TILES[];

/*
 * By a sweep, whose first band is just what paths of cost `claimed` need: it proves a right claim
 * in one go, and gives another distance for a wrong one. With `otherwise` it has one direction and
 * other words an item than planned: another program, and nothing meets in a middle column.
 * ..._seconds(): what the plan's model expects of it, in its first form; negative on failure.
 */
int64_t bench_check_by_sweep(bench *b, const bench_pair *pair, int64_t claimed, bool otherwise);
double bench_check_by_sweep_seconds(bench *b, const bench_pair *pair, int64_t claimed);
extern const char BENCH_BY_SWEEP[];
extern const char BENCH_BY_OTHER_SWEEP[];

/*
 * bench_run() for a case whose distance may be BENCH_UNKNOWN: then a sweep checks what came out
 * before the row is written, and the case has it from then on. `runs`, zeroed, gets the runs.
 */
bool bench_run_checked(bench *b, bench_case *c, bool otherwise, bench_runs *runs);

/* -------------------------------------------------------- bench_contest.c */

enum { BENCH_WAVEFRONT, BENCH_SWEEP, BENCH_AUTO, BENCH_CONTENDERS };

/* One way to solve a pair. */
typedef struct bench_contender {
    bool taken; /* it takes part */
    bench_case c;
    bench_runs runs;
    bench_measured measured;
} bench_contender;

/*
 * Has wavefront, auto and, with `sweep`, the sweep alone solve a pair in turns, as far as they are
 * expected to take no more than --limit-seconds for the distance that is expected; auto's `ratio`
 * is that to the better one. --engine leaves one of the three. Where none is left, that is said and
 * is no failure. `all` has room for BENCH_CONTENDERS.
 */
bool bench_contest(bench *b, const char *suite, const bench_pair *pair, double distance, bool sweep,
                   bench_contender *all);

/* Whether any took part. */
bool bench_contest_held(const bench_contender *all);

/* ------------------------------------------------------ bench_extension.c */

/*
 * With `yes`, kernels that wavefronts create from now on do not follow matching letters: the same
 * program, built with RHOMB_NO_EXTENSION. Distances are meaningless then. False where the kernels
 * have no such variant.
 */
bool bench_leave_out_extension(bool yes);

/* ----------------------------------------------------------- bench_edlib.c */

/* Whether edlib was there when the program was built. */
bool bench_has_edlib(void);

/* The distance by edlib, and the seconds that it took (may be NULL); -1 without it or on failure.
 */
int64_t bench_edlib_distance(const bench_pair *pair, double *seconds);

/* ------------------------------------------------------------------ suites */

/* Each returns false when it could not go on; wrong distances are in `failed`. */
bool bench_suite_pairs(bench *b);
bool bench_suite_ladder(bench *b);
bool bench_suite_saturated(bench *b);
bool bench_suite_synthetic(bench *b);
bool bench_suite_similar(bench *b);
bool bench_suite_tune(bench *b);
bool bench_suite_start(bench *b);
bool bench_suite_matrix(bench *b);
bool bench_suite_choice(bench *b);
bool bench_suite_edlib(bench *b);
bool bench_suite_chromosome(bench *b);
bool bench_suite_whole(bench *b);
bool bench_suite_batch(bench *b);
bool bench_suite_batch_grid(bench *b);
bool bench_suite_align(bench *b);
bool bench_suite_align_synthetic(bench *b);
bool bench_suite_align_edlib(bench *b);

/* The real pairs by number, from 0 on; false where there are no more. */
bool bench_known_pair(int i, const char *names[2], int64_t *distance);
extern const char BENCH_BY_TABLE[];

/* The known distance of a real pair, or -1. */
int64_t bench_known_distance(const char *target, const char *query);

#endif
