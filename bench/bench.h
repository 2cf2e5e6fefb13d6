/* SPDX-License-Identifier: MIT */
/*
 * What the suites of rhomb_bench share. A suite is a row of the table in bench_suites.c: lists of
 * pairs, and what is done with each of them. Nearly all of it goes the same way: the pair is made,
 * a distance is verified, runs take turns, and medians become a row of the CSV file.
 *
 * The program uses the public headers alone, but for bench_extension.c and bench_affine.c, and the
 * program's sketches in bench_guided.c, so that it measures what a user of the library gets.
 */
#ifndef RHOMB_BENCH_BENCH_H
#define RHOMB_BENCH_BENCH_H

#include <stdio.h>

#include "bench/bench_pairs.h"
#include "rhomb/guide.h"
#include "rhomb/plan.h"
#include "rhomb/scoring.h"

#define BENCH_MAX_RUNS 100

#define BENCH_PATH_BYTES 4096

/* A run that takes longer is not repeated in the suites that say so. */
#define BENCH_LONG_SECONDS 2.0

/* What the caller asked for, and the state that all suites share. */
struct bench {
    char **environment; /* of programs to run; see bench_environment_keep() */
    /* Options. */
    const char *device;         /* selector for rhomb_context_open(); NULL: the best */
    const char *csv_path;       /* NULL: none */
    const char *data;           /* folder of the real sequences; NULL: none */
    const char *commit;         /* of the source that was built */
    const char *only;           /* cases whose name contains this; NULL: all */
    const char *program;        /* rhomb, for suites of whole commands; NULL: none */
    const char *write;          /* prefix of files to write a pair to instead of running it */
    const char *ladder_pair[2]; /* names without .fa.gz; NULL: a generated pair */
    rhomb_engine engine;        /* of timed runs, where engine_given */
    bool engine_given;          /* each suite has an engine of its own otherwise */
    rhomb_tuning tuning;
    int64_t repeat;
    double scale;               /* lengths of generated pairs are multiplied by it; in suites of
                                   many short pairs, their number */
    int64_t stop_at;            /* column at which runs end that need not finish */
    int64_t max_known_distance; /* leaves out pairs with larger ones */
    int64_t max_length;         /* leaves out generated pairs with longer sequences */
    double limit_seconds;       /* leaves out engines of which more is expected */
    double most_seconds;        /* of a suite, after which no pair begins; 0: no limit */
    double tune_seconds;        /* that finding a device's tuning row may take */
    const char *row;            /* file for that row; NULL: standard output */
    double instructions;        /* of a wavefront's cell, as read from the compiler's output */
    int64_t lanes_per_unit;     /* of a compute unit, in a cycle; 0: as the vendor is known for */
    bool verify_long;           /* verify a chromosome by a sweep in one direction */
    int64_t workers;            /* of a batch; 0: as the library chooses */
    int64_t one_bin;            /* 1: all pairs of a mode's batch take as many work-items */
    int64_t score_bits;         /* of their scores, where these suffice; 0: the default */
    int64_t bit_planes;         /* as in rhomb_batch_tuning */
    int64_t peer_threads;       /* of other programs on many pairs; 0: as many as cores */
    char command[1024];

    /* State. */
    rhomb_context *ctx;  /* NULL until bench_open() */
    double open_seconds; /* of the context and its device */
    char machine[256];   /* CPU and cores */
    FILE *csv;           /* NULL: none */
    bool written;        /* a pair, to files */
    bool failed;         /* a distance was wrong, or a call failed */
    double suite_began;  /* bench_now() when the suite that runs began */
    struct {             /* of the pairs of a suite, for what it says in the end; 0: none yet */
        int pairs;
        int missed; /* of a promise */
        double worst;
        char worst_pair[64];
        double promise; /* the time over the one that was promised, at its worst */
        char promise_pair[64];
    } tally;
};

/* Median and range of some times, in seconds. */
typedef struct bench_times {
    double median;
    double least;
    double most;
} bench_times;

/* What is timed of a run. */
typedef enum bench_clock {
    BENCH_SOLVE,
    BENCH_WORK, /* following a guide, transfer and solve */
    BENCH_OPEN, /* of the context and the device */
    BENCH_INSPECT,
    BENCH_BUILD, /* of the first run: the later ones find their programs built */
    BENCH_TRANSFER,
    BENCH_TOTAL,
    BENCH_PROCESS, /* of a process, in the suites start and whole */
    BENCH_FIRST,   /* of an alignment: its first solve, splitting, and its base cases */
    BENCH_SPLIT,
    BENCH_LEAVES,
    BENCH_WALL, /* of other runs; and CPU seconds of all threads */
    BENCH_CPU,
    BENCH_CLOCKS
} bench_clock;

/* What a pair with a scoring is compared with, in CPU seconds; 0: not measured. */
typedef struct bench_scored {
    const char *text; /* as users write the scoring; NULL: unit costs */
    double biwfa_cpu_seconds;
    double biwfa_ratio; /* over ours */
    double ksw2_rate;   /* its cells a CPU second */
    double ksw2_ratio;  /* ours over that */
} bench_scored;

/* How a sweep with a guide compares; 0: not measured. */
typedef struct bench_guided {
    double sketch_seconds;   /* to make the guide */
    double guide_share;      /* of all work, to follow it */
    double told_seconds;     /* of a sweep that was told the distance: all work, median */
    double told_cpu_seconds; /* the same in CPU seconds of the call */
    double estimate_seconds; /* as the plan had them before anything ran */
    double estimate_ratio;   /* over all work */
} bench_guided;

/* Times to the end that a call told, over what was left then; 0: all within a second of it. */
typedef struct bench_foretold {
    double least, most;
    int moments; /* that were looked at */
    int silent;  /* of these, without a time */
    int falls;   /* moments whose fraction was below the one before */
} bench_foretold;

/* Does one run of a case and verifies it; `seconds`, all 0, gets its times. */
typedef struct bench_case bench_case;
typedef bool (*bench_run_fn)(bench *b, bench_case *c, double seconds[BENCH_CLOCKS]);

/*
 * One way to solve a pair: what must come out, the runs, and what the row holds. bench_case_of()
 * makes one. Runs come one at a time, so that several cases can take turns.
 */
struct bench_case {
    const char *suite;
    const char *name; /* other than the pair's; NULL: that */
    const bench_pair *pair;
    bench_run_fn run; /* of rhomb_distance(), unless the suite has another one */
    void *user;       /* for that */
    rhomb_engine engine;
    rhomb_tuning tuning;
    const rhomb_scoring *scoring; /* NULL: unit costs */
    const rhomb_guide *guide;     /* NULL: none */
    int64_t max_distance;         /* RHOMB_NO_LIMIT; or a limit that the distance must exceed */
    int64_t distance;             /* that must come out; BENCH_UNKNOWN: that of the first run */
    const char *verified_by;      /* how that distance is known */
    int repeat;                   /* timed runs */
    bool verify_first;    /* one more run before the timed ones: verifies, builds, warms up */
    bool once_when_long;  /* ... which is the only one where it takes BENCH_LONG_SECONDS */
    double limit_seconds; /* at which the first run is stopped, and the pair left out; 0: none */
    double until;         /* bench_now() when that is */

    bool done;     /* no more runs are wanted */
    bool left_out; /* by limit_seconds */
    int calls;     /* successful ones */
    int runs;      /* timed ones */
    double seconds[BENCH_CLOCKS][BENCH_MAX_RUNS];
    double first_seconds;         /* of the first one, BENCH_WALL */
    double late_cells_per_second; /* in the second half of the columns; 0: not measured */
    rhomb_report report;          /* of the last run */

    bench_times times[BENCH_CLOCKS];
    double peer_seconds;     /* of another program on the same pair; 0: none */
    double ratio;            /* of a comparison: the suite says of what; 0: none */
    double issue_ratio;      /* the rate over what the device can issue; 0: not known */
    const char *within;      /* "yes" or "no": whether it is as promised; NULL: no promise */
    bench_scored scored;     /* in the suite score */
    bench_guided guided;     /* in the suites of guides */
    bench_foretold foretold; /* in the suite progress */
};

#define BENCH_UNKNOWN INT64_C(-1)

/* What a row is of, and with it the columns of the CSV file. */
typedef enum bench_rows {
    BENCH_ROWS_CASES,      /* bench_case */
    BENCH_ROWS_BATCHES,    /* bench_batch.h */
    BENCH_ROWS_ALIGNMENTS, /* bench_align.h */
    BENCH_ROWS_LOCAL,      /* bench_local.h */
    BENCH_ROWS_COUNT
} bench_rows;

typedef struct bench_suite bench_suite;

/* What is done with pairs. False: nothing came of it, which has been said. */
typedef struct bench_method {
    bool (*measure)(bench *b, const bench_suite *, const bench_source *, const bench_pair *);
    bool (*measure_set)(bench *b, const bench_suite *, const bench_source *); /* of short pairs */
    bool (*run)(bench *b, const bench_suite *); /* all of the suite, instead of its lists */
    void (*heading)(void);                      /* over the rows that it prints */
    void (*end)(const bench *b);                /* says what comes out of all rows; may be NULL */
    bench_rows rows;
    bool needs_edlib;
    bool own_engines; /* --engine says nothing to it, and is refused */
} bench_method;

struct bench_suite {
    const char *name;
    const bench_method *method;
    rhomb_engine engine; /* of timed runs, without --engine */
    bool writes;         /* its pairs to files, with --write */
    const bench_list *lists[5];
};

/* By number, in the order in which they run, whatever was asked; NULL after the last one. */
enum { BENCH_MOST_SUITES = 48 };
const bench_suite *bench_suite_at(int i);

/* Runs a suite; false when it could not go on. Wrong distances are in `failed`. */
bool bench_suite_run(bench *b, const bench_suite *suite);

/* One program on a pair; engines, or the library and edlib, in turns; steps of the paper. */
extern const bench_method bench_plain, bench_matrix, bench_chromosome, bench_saturated;
extern const bench_method bench_similar, bench_choice, bench_edlib, bench_ladder;
extern const bench_method bench_scores; /* affine gaps, beside programs for CPUs */
extern const bench_method bench_guided_edit, bench_guided_scores; /* sweeps with a guide */
extern const bench_method bench_progress; /* times to the end, and what was left */
/* Whole processes; a row of src/planner/profiles.c; many short pairs; paths, edlib's as well. */
extern const bench_method bench_start, bench_whole, bench_tune;
extern const bench_method bench_local;       /* one long pair, not end to end */
extern const bench_method bench_matrix_many; /* all pairs of many genomes */
extern const bench_method bench_batch, bench_modes, bench_align, bench_align_edlib,
    bench_align_score;

/* The known distance of a real pair; BENCH_UNKNOWN. */
int64_t bench_known_distance(const char *target, const char *query);
extern const char BENCH_BY_TABLE[];

/* Prints a message for the user and makes the program fail in the end. Returns false. */
bool bench_fail(bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Opens the context and the device unless that is done. */
bool bench_open(bench *b);

/* Whether --only asks for a case. */
bool bench_wants(const bench *b, const char *name);

/* As --engine spells it. */
const char *bench_engine_name(rhomb_engine engine);

/* Wall-clock seconds from an arbitrary beginning; CPU seconds of all threads of the process. */
double bench_now(void);
double bench_cpu_now(void);

/* A case with the suite's engine and the caller's options, whose distance is not known. */
bench_case bench_case_of(const bench *b, const bench_suite *suite, const bench_pair *pair);
const char *bench_case_name(const bench_case *c);

/*
 * One run, verified where the distance is known. A tile that the device does not allow is said, and
 * is no failure: then the case is done without runs.
 */
bool bench_run_once(bench *b, bench_case *c);

/* A run of edlib, as if it were an engine and all of its time solving. */
bool bench_run_edlib(bench *b, bench_case *c, double seconds[BENCH_CLOCKS]);

/*
 * A case's options, with the limit of a first run; and what such a call returned: false, and said,
 * with the pair left out or an error.
 */
rhomb_options bench_case_options(bench_case *c);
bool bench_case_succeeded(bench *b, bench_case *c, rhomb_status status);

/* Calls the library once; the report of a run that succeeded. */
rhomb_status bench_call(bench *b, const bench_pair *pair, const rhomb_options *options,
                        rhomb_report *report);

/* No more runs than the first one, whose time counts. */
void bench_case_once(bench_case *c);

/* Runs in turns until all cases are done, and the medians of those with runs. */
bool bench_take_turns(bench *b, bench_case *cases, int count);

/* Runs a case whose distance is known, and writes its row. */
bool bench_run(bench *b, bench_case *c);

/* The distance of a pair by an engine; -1 on failure. */
int64_t bench_distance(bench *b, const bench_pair *pair, rhomb_engine engine,
                       const rhomb_tuning *tuning);

/* Medians of a case with runs. */
void bench_case_summarise(bench_case *c);

/* Sorts `values`. */
bench_times bench_times_of(double *values, int count);

/* Gives a tuning one tile for pyramids of any width. */
void bench_set_tile(rhomb_tuning *tuning, int32_t group_size, int32_t diagonals_per_item,
                    int32_t tile_scores);

/* What an engine would do with a pair; false on failure. */
rhomb_plan *bench_plan(bench *b, const bench_pair *pair, rhomb_engine engine,
                       const rhomb_tuning *tuning);

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
extern const char BENCH_BY_ENGINES[]; /* wavefront and sweep have the same one */
extern const char BENCH_BY_OTHER_SWEEP[];

/* Whether another program's distance is that of a case; fails with a message where it is not. */
bool bench_same_distance(bench *b, const bench_case *c, int64_t other, const char *by);

/*
 * bench_run() for a case whose distance may be unknown: then a sweep checks what came out before
 * the row is written.
 */
bool bench_run_checked(bench *b, bench_case *c, bool otherwise);

/*
 * With `yes`, kernels that wavefronts create from now on do not follow matches: the same program,
 * built with RHOMB_NO_EXTENSION. Distances are meaningless then. False where the kernels have no
 * such variant.
 */
bool bench_leave_out_extension(bool yes);

/*
 * The cells that an affine wavefront needs until no penalty below `lower_bound` is left, in both
 * directions, for a case with a scoring and a limit: diagonals that matter, each with all of its
 * kinds of gaps, times scores. What tiles compute beside them does not count.
 */
double bench_affine_cells(const bench_case *c, int64_t lower_bound);

/*
 * Makes an empty folder in TMPDIR; its name goes to `folder`, which has room for BENCH_PATH_BYTES;
 * and removes it with all that it holds.
 */
bool bench_folder_make(bench *b, char *folder);
void bench_folder_remove(const char *folder);

/*
 * Keeps the environment for the programs to run, before any OpenCL call: Khronos's loader cuts the
 * value of OCL_ICD_FILENAMES at its first colon, in place, so that a child would not find the
 * second driver.
 */
bool bench_environment_keep(bench *b);
void bench_environment_release(bench *b);

/*
 * The median time of a command, from nothing to its end, of --repeat runs after one that warms the
 * caches. `words` are the program and its arguments, up to NULL; what it prints goes to the file
 * `output`, where the last run's stays. False unless each succeeds.
 */
bool bench_program_time(bench *b, const char *const *words, const char *output, double *median);

/* Opens the CSV file, if one is asked for, and writes its heading; closes it. */
bool bench_csv_open(bench *b, bench_rows rows);
bool bench_csv_close(bench *b);

/* A row in the CSV file alone, for the suite with a table of its own. */
void bench_csv_row(bench *b, const bench_case *c);

/* A row on standard output and in the CSV file, and the heading over such rows. */
void bench_row(bench *b, const bench_case *c);
void bench_heading(void);

/* The suite and the device. */
void bench_title(const bench *b, const char *suite);

/*
 * "trap 256x4 T32" with what is not as usual after it; of a sweep "sweep 128x4 B128 2": items of a
 * group and their words, blocks a launch, directions. Room for BENCH_TILE_TEXT is enough.
 */
void bench_tile_text(const rhomb_plan *plan, char *text, size_t size);
#define BENCH_TILE_TEXT 64

const char *bench_shape_name(rhomb_tile_shape shape);

/* Cells computed a second; and of the whole matrix, the paper's Eq. 2, 0 without a distance. */
double bench_cells_per_second(const bench_case *c);
double bench_gcups(const bench_case *c);
double bench_cells_per_cpu_second(const bench_case *c);

/*
 * The memory that a pyramid needs besides the bases, two columns of the diagonals in use; and what
 * the device's memory is of all that.
 */
int64_t bench_two_columns_bytes(const rhomb_report *report);
double bench_memory_ratio(const rhomb_report *report);

#endif
