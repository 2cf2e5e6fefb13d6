/* SPDX-License-Identifier: MIT */
/*
 * Rhomb: the exact edit (Levenshtein) distance of two genome-scale sequences on any OpenCL device.
 *
 *     rhomb_context *ctx = NULL;
 *     rhomb_result *result = NULL;
 *     rhomb_status status = rhomb_context_create(&ctx, NULL);
 *     if (status == RHOMB_OK)
 *         status = rhomb_distance(ctx, "ACGT", 4, "AGT", 3, NULL, &result);
 *     if (status == RHOMB_OK)
 *         printf("%" PRId64 "\n", rhomb_result_report(result)->distance);
 *     else
 *         fprintf(stderr, "%s\n", ctx ? rhomb_context_error(ctx) : rhomb_status_text(status));
 *     rhomb_result_destroy(result);
 *     rhomb_context_destroy(ctx);
 *
 * Words. The *target* T (the reference, length n) runs along columns j, the *query* Q (length m)
 * along rows i. Global, and with unit costs unless the options name another scoring: substitution,
 * insertion and deletion cost 1 each. With a scoring, a *distance* is the least penalty of
 * rhomb/scoring.h. A *record* is a sequence with its name in a file. The words of engines are in
 * rhomb/plan.h.
 *
 * From the top: context, options, report, distance. Also: rhomb/status.h (what went wrong),
 * rhomb/sequences.h (reading files), rhomb/devices.h (where it runs), rhomb/scoring.h (what
 * mismatches and gaps cost), rhomb/align.h and rhomb/local.h (alignments), rhomb/batch.h and
 * rhomb/pairs.h (many pairs), rhomb/matrix.h (all pairs), rhomb/all_records.h (whole files),
 * rhomb/paf.h and rhomb/verify.h (checking alignments), rhomb/comparison.h (how two genomes
 * differ), rhomb/identity.h and rhomb/similar.h (how alike they are), rhomb/plan.h (what a call
 * will cost), rhomb/ranks.h (several processes), rhomb/anchors.h, rhomb/guide.h and rhomb/tuning.h
 * (for experts).
 *
 * Guarantees. A distance is exact or the call fails: there is no heuristic, no silent fallback to
 * another device and no approximate answer. Engine, guide and tuning change speed and memory, and
 * may change which of several optimal alignments is returned, never a distance or a cost. The
 * library never prints, exits, aborts or installs signal handlers, and has no global state. Inputs
 * are borrowed for the call and never written. A NULL that no comment allows is an invalid
 * argument; functions without a status then return 0, NULL or "".
 *
 * Threads. Only one thread at a time may use a context and its objects; give each thread its own
 * context; rhomb_context_open_shared() makes them share a device. Drivers do not survive fork(): a
 * child must not use its parent's context. It may create one after exec().
 *
 * Growing structures. A structure that the caller fills starts with its own size. Initialise it
 * with its _INIT macro, so that programs keep working when fields are added. In such a structure 0
 * (or NULL) means "choose" unless the field says otherwise; what a shorter one lacks is as the
 * macro has it. The library refuses one that is longer than it knows, as it would ignore fields.
 * What the library makes is handed out by pointer and only grows at its end; arrays of it are of
 * pointers, arrays in it keep their length, and one that belongs to another is pointed to. Where a
 * comment says that a structure does not grow, it may stand anywhere.
 *
 * Units. Lengths and distances, int64_t, count bases; sizes are bytes, times wall-clock seconds.
 */
#ifndef RHOMB_RHOMB_H
#define RHOMB_RHOMB_H

#include <rhomb/devices.h>
#include <rhomb/sequences.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RHOMB_VERSION_MAJOR 0
#define RHOMB_VERSION_MINOR 3
#define RHOMB_VERSION_PATCH 0
#define RHOMB_VERSION       "0.3.0"

/* The library's version, "MAJOR.MINOR.PATCH"; compare with RHOMB_VERSION to notice a mismatch. */
RHOMB_API const char *rhomb_version(void);

/*
 * Receives messages that are not errors: the device chosen, program builds and cache hits, buffer
 * growth. `text` has no newline and is valid only during the call. Level 0 is for all users, 1 for
 * those who asked for details, 2 for developers. Where several devices are open, calls may come
 * from several threads at the same time.
 */
typedef void (*rhomb_log_fn)(int level, const char *text, void *user);

typedef struct rhomb_context_options {
    size_t struct_size;

    /*
     * Host threads for decompressing files and scanning sequences, including the calling thread;
     * drivers have their own. 0: one per core, at most 16. It changes time, never a result.
     */
    int32_t threads;

    /*
     * Folder of the disk cache for programs. NULL: the environment variable
     * RHOMB_CACHE_DIR, else XDG_CACHE_HOME/rhomb, else HOME/.cache/rhomb. "off" disables it. A
     * cache that cannot be read or written costs time; it is never an error.
     */
    const char *cache_dir;

    rhomb_log_fn log;
    void *log_user;
} rhomb_context_options;

#define RHOMB_CONTEXT_OPTIONS_INIT                         \
    {                                                      \
        sizeof(rhomb_context_options), 0, NULL, NULL, NULL \
    }

/*
 * Creates a context. No device is touched yet: the first call that needs one opens "auto", unless
 * rhomb_context_open() was called before. `options` may be NULL.
 * Returns RHOMB_OK, RHOMB_ERR_ARGUMENT or RHOMB_ERR_MEMORY; on failure *out is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_create(rhomb_context **out,
                                                             const rhomb_context_options *options);

/* Releases a context and everything that belongs to it. NULL is allowed. */
RHOMB_API void rhomb_context_destroy(rhomb_context *ctx);

/*
 * Details of the failure, if the last call failed: one or more lines that say what failed, where,
 * and with which OpenCL call and error code (by name); for RHOMB_ERR_BUILD the compiler's log.
 * Never NULL; "" if the last call succeeded. Valid until the next call with this context.
 */
RHOMB_API const char *rhomb_context_error(const rhomb_context *ctx);

/*
 * What matches what. DNA: lower case is treated as upper case, and U as T; A, C, G, T, N and the
 * IUPAC codes R Y S W K M B D H V each match only themselves (so N matches N and nothing else); any
 * other character is an error. BYTES: every byte matches only itself, and case matters (files are
 * text: they have any bytes but blanks, controls and DEL, so UTF-8 too). IUPAC: as DNA, but codes
 * stand for bases, and two match if they have one in common: R matches A, G and all codes but C, T
 * and Y, N matches everything. Distances are then those of the best choice of bases for each match,
 * whatever a code matches elsewhere; sequences at a distance of 0 from a third one may differ from
 * each other. PROTEIN: the 20 amino acids, B, Z, X and * (ARNDCQEGHILKMFPSTWYVBZX*); lower case is
 * treated as upper case, each matches only itself, and any other character is an error.
 */
typedef enum rhomb_alphabet {
    RHOMB_ALPHABET_DNA,
    RHOMB_ALPHABET_BYTES,
    RHOMB_ALPHABET_IUPAC,
    RHOMB_ALPHABET_PROTEIN
} rhomb_alphabet;

/*
 * The number of bases of each kind in a sequence. acgt + n + iupac + other = length. Does not grow.
 */
typedef struct rhomb_base_counts {
    int64_t acgt;
    int64_t n;
    int64_t iupac;   /* R Y S W K M B D H V */
    int64_t other;   /* only in RHOMB_ALPHABET_BYTES and PROTEIN */
    int64_t folded;  /* lower-case bases, also counted in the kinds above */
    int64_t uracils; /* U, treated as T and also counted in acgt */
} rhomb_base_counts;

/*
 * How a distance is computed: by a wavefront, whose work grows with the square of the distance, or
 * by a bit-parallel sweep, whose work grows with the longer length times the distance, at many more
 * cells per second. AUTO chooses, and may change from the first to the second while it runs.
 * src/planner/README.md says by which rules, host/engines/README.md how both work. WAVEFRONT is an
 * invalid argument where a mismatch or the first base of a gap costs more than 1024 times the
 * greatest common divisor of all costs.
 */
typedef enum rhomb_engine {
    RHOMB_ENGINE_AUTO,
    RHOMB_ENGINE_WAVEFRONT,
    RHOMB_ENGINE_BITPARALLEL
} rhomb_engine;

/*
 * The progress of a running call. Everything here is proved, except `fraction` and `eta_seconds`,
 * which extrapolate from the progress of the end diagonal.
 */
typedef struct rhomb_progress {
    int64_t lower_bound; /* the distance is at least this */
    int64_t upper_bound; /* and at most this */
    double fraction;     /* of the work, 0 to 1; never falls */
    double seconds;      /* since the solve began */
    double eta_seconds;  /* to the end; negative while unknown */
    double cells_per_second;
    bool building; /* a kernel is about to be compiled, which may take a minute */
} rhomb_progress;

/*
 * Called on the thread that called the library, at most several times a second, while the device
 * works. A return value other than 0 stops the call with RHOMB_ERR_CANCELLED. The function must not
 * call the library with the same context.
 */
typedef int (*rhomb_progress_fn)(const rhomb_progress *progress, void *user);

typedef struct rhomb_tuning rhomb_tuning;   /* rhomb/tuning.h */
typedef struct rhomb_plan rhomb_plan;       /* rhomb/plan.h */
typedef struct rhomb_scoring rhomb_scoring; /* rhomb/scoring.h */
typedef struct rhomb_guide rhomb_guide;     /* rhomb/guide.h */

typedef struct rhomb_options {
    size_t struct_size;
    /* Stop once the distance is proved to be larger. RHOMB_NO_LIMIT: never. 0 is a limit. */
    int64_t max_distance;
    rhomb_alphabet alphabet;
    rhomb_engine engine;
    rhomb_progress_fn progress;
    void *progress_user;
    const rhomb_tuning *tuning;   /* NULL: the device's tuning row */
    const rhomb_scoring *scoring; /* NULL: unit costs */
    const rhomb_guide *guide;     /* where a path is believed to lead; NULL: not known */
    /*
     * A checkpoint: the file in which rhomb_distance() and rhomb_align() keep how far they have
     * come, NULL for none, and the seconds from one to the next, 0 for 300. See below.
     */
    const char *checkpoint;
    double checkpoint_seconds;
} rhomb_options;

#define RHOMB_NO_LIMIT INT64_C(-1)
#define RHOMB_OPTIONS_INIT                                                                        \
    {                                                                                             \
        sizeof(rhomb_options), RHOMB_NO_LIMIT, RHOMB_ALPHABET_DNA, RHOMB_ENGINE_AUTO, NULL, NULL, \
            NULL, NULL, NULL, NULL, 0                                                             \
    }

/*
 * Checkpoints. A call with options.checkpoint writes its state to that file now and then, so that
 * the same call in another process, after whatever has ended the first one, goes on from there and
 * has the same result. It loses what was done since the last checkpoint. The file is written under
 * another name, FILE.new, and renamed once it is on the disk: it is complete at any moment, and the
 * one before stays if that fails, which is logged (level 0) and is no error.
 *
 * A file that exists is read before anything runs. It may be of another device, or of more or fewer
 * of them, or of ranks (rhomb/ranks.h). RHOMB_ERR_INPUT where it is damaged, or of another call:
 * other sequences, options but for `progress`, version or kernels; the detail says which.
 * RHOMB_ERR_OUTPUT where the file cannot be written from the start. RHOMB_ERR_ARGUMENT where the
 * open device cannot run what was planned on the other one.
 *
 * A return value other than 0 of the progress function still stops the call, after the step that
 * runs, some tenths of a second, and with a checkpoint: that is what to do on SIGTERM.
 * When a call succeeds the file stays, as only the caller knows when its result is safe: remove it
 * then. It is there, empty, from the start. No two calls may use a file at a time: the second one
 * ends with RHOMB_ERR_OUTPUT.
 *
 * What a file has, and what begins again: of a distance, all but the packed sequences and a sweep
 * that several devices or ranks share; of an alignment's path, what finished rounds have left.
 * Pairs that need no engine have no checkpoints, nor has the path along a guide.
 */

/* What one of several devices did that shared the sweeps of a call. */
typedef struct rhomb_device_share {
    int64_t cells;
    int64_t bytes_sent;    /* to the next device, through the host */
    double seconds_waited; /* by the host, for what the device before was to send, of all queues */
    double seconds_idle;   /* of that, while the queue had nothing left to do: at least so long */
    double cells_per_second; /* in this run, but for seconds_idle; 0: not known */
} rhomb_device_share;

/* The report of a finished call; made by the library. */
typedef struct rhomb_report {
    int64_t target_length, query_length;
    int64_t distance; /* the penalty, exact; -1 if it was proved to exceed max_distance */
    bool exceeds_max_distance;
    int64_t max_distance; /* as given; RHOMB_NO_LIMIT: no limit */
    double similarity;    /* 1 - edits / longer length; 1 if both are empty; -1 unknown */
    rhomb_base_counts target_bases, query_bases;

    const rhomb_plan *plan; /* what was chosen, rhomb/plan.h; valid as long as the report */

    /* Work done. */
    int64_t cells;    /* of the pyramid, without the margins of tiles, and of a sweep's matrix */
    int64_t batches;  /* of a wavefront: batches of tile_scores scores; and sweeps */
    int64_t launches; /* of kernels; a batch with many tiles may take several */
    int64_t reads;    /* reads of the status record, or of a sweep's strips */
    int64_t diagonals_in_use; /* the most diagonals of one wavefront; 0 after a sweep */
    int64_t column_bytes; /* peak device memory of both wavefronts; of a sweep, without sequences */
    int64_t device_bytes; /* peak memory of the first device in all */
    /*
     * Cells that each bound saved a wavefront, at the scores that it reached: the limit, and
     * in addition the bound from the end diagonal. 0 after a sweep alone.
     */
    int64_t cells_saved_limit, cells_saved_diagonal;

    /*
     * The time of each stage, from its beginning to its end. Kernels are built while the sequences
     * are transferred, so the stages may add up to more than the total.
     */
    double seconds_open;     /* finding and opening the device, if this call did it */
    double seconds_inspect;  /* counting bases and planning */
    double seconds_build;    /* programs: compiling or loading, and the self-test */
    double seconds_transfer; /* sequences to the device, and packing there */
    double seconds_solve;
    double seconds_total;

    /*
     * With unit costs, as of affine:2,0,2, each edit costs the same: this much of the distance.
     * 0 with other costs; then no similarity is known.
     */
    int64_t edit_penalty;
    bool has_score; /* there is a match score, and the distance is not -1 */
    int64_t score;

    int64_t guide_bound;  /* the cost of the path along a guide (rhomb/guide.h); 0: none */
    double seconds_guide; /* what that took; not part of the other times */

    /* shares[i] is that of rhomb_context_device_at(ctx, i); none where one device did it alone. */
    int64_t share_count;
    const rhomb_device_share *const *shares; /* as long as the result; not in a copy */

    /*
     * With options.checkpoint. Counts of work above are those of all runs together, times those of
     * this one.
     */
    bool resumed;              /* it went on with what an earlier run had left ... */
    double seconds_earlier;    /* ... that had solved for so long */
    int64_t checkpoints;       /* written by this run */
    double seconds_checkpoint; /* for which they held it up */
} rhomb_report;

typedef struct rhomb_result rhomb_result;

/*
 * Computes the edit distance of target and query on the open device ("auto" if none is open); with
 * options->scoring, the least penalty.
 *
 * A length may be 0; the pointer to an empty sequence may be NULL. A device is opened in any case.
 *
 * Returns RHOMB_OK, even if the distance was proved to exceed max_distance (see the report);
 * RHOMB_ERR_ARGUMENT; RHOMB_ERR_ALPHABET (the detail names the character and its position);
 * RHOMB_ERR_DEVICE_MEMORY, before anything is allocated where this can be foreseen;
 * RHOMB_ERR_CANCELLED; or another device, build or memory error. On failure *out is NULL, and the
 * context can be used again. The caller owns the result.
 *
 * Cost: rhomb_plan_distance() estimates time and memory; src/planner/README.md has the formulas.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_distance(rhomb_context *ctx, const char *target,
                                                       int64_t target_length, const char *query,
                                                       int64_t query_length,
                                                       const rhomb_options *options,
                                                       rhomb_result **out);

/* The report of a result. Never NULL; valid as long as the result. */
RHOMB_API const rhomb_report *rhomb_result_report(const rhomb_result *result);

/* Releases a result. NULL is allowed. */
RHOMB_API void rhomb_result_destroy(rhomb_result *result);

#ifdef __cplusplus
}
#endif

#endif
