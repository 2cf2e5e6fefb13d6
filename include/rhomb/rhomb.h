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
 * From the top: status, context, sequences, distance, devices. Also: rhomb/scoring.h (what
 * mismatches and gaps cost), rhomb/align.h and rhomb/local.h (alignments), rhomb/batch.h and
 * rhomb/pairs.h (many pairs), rhomb/matrix.h (all pairs), rhomb/all_records.h (whole files),
 * rhomb/paf.h and rhomb/verify.h (checking alignments), rhomb/comparison.h (how two genomes
 * differ), rhomb/identity.h and rhomb/similar.h (how alike they are), rhomb/plan.h (what a call
 * will cost), rhomb/ranks.h (several processes), rhomb/guide.h and rhomb/tuning.h (for experts).
 *
 * Guarantees. A distance is exact or the call fails: there is no heuristic, no silent fallback to
 * another device and no approximate answer. Engine, guide and tuning change speed and memory, and
 * may change which of several optimal alignments is returned, never a distance or a cost. The
 * library never prints, exits, aborts or installs signal handlers, and has no global state. Inputs
 * are borrowed for the call and never written. A NULL that no comment allows is an invalid
 * argument; functions without a status then return 0, NULL or "".
 *
 * Threads. Only one thread at a time may use a context and its objects; give each thread its own
 * context; rhomb_context_open_beside() makes them share a device. Drivers do not survive fork(): a
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RHOMB_VERSION_MAJOR 0
#define RHOMB_VERSION_MINOR 3
#define RHOMB_VERSION_PATCH 0
#define RHOMB_VERSION       "0.3.0"

#if defined(_WIN32)
#    define RHOMB_API
#elif defined(__GNUC__)
#    define RHOMB_API __attribute__((visibility("default")))
#else
#    define RHOMB_API
#endif

/* Marks a function whose result must not be ignored. */
#if defined(__GNUC__)
#    define RHOMB_MUST_CHECK __attribute__((warn_unused_result))
#else
#    define RHOMB_MUST_CHECK
#endif

/*
 * Every status: name, class and text. The `rhomb` program exits with the class of the first error
 * (0 to 6), see rhomb_status_class().
 */
#define RHOMB_STATUS_MAP(X)                                                    \
    X(OK, 0, "success")                                                        \
    X(ERR_INTERNAL, 1, "internal error, please report it")                     \
    X(ERR_ARGUMENT, 2, "invalid argument")                                     \
    X(ERR_INPUT, 3, "cannot use the input file")                               \
    X(ERR_ALPHABET, 3, "a letter of the sequence is not in the alphabet")      \
    X(ERR_NO_DEVICE, 4, "no usable OpenCL device")                             \
    X(ERR_DEVICE, 4, "an OpenCL call failed")                                  \
    X(ERR_BUILD, 4, "the device's compiler rejected a kernel")                 \
    X(ERR_DEVICE_WRONG_RESULT, 4, "the device computes wrong results")         \
    X(ERR_MEMORY, 5, "out of host memory")                                     \
    X(ERR_DEVICE_MEMORY, 5, "the problem does not fit in the device's memory") \
    X(ERR_CANCELLED, 1, "cancelled by the caller")                             \
    X(ERR_OUTPUT, 1, "a file cannot be written")

typedef enum rhomb_status {
#define RHOMB_STATUS_ENUM(name, class_, text) RHOMB_##name,
    RHOMB_STATUS_MAP(RHOMB_STATUS_ENUM)
#undef RHOMB_STATUS_ENUM
        RHOMB_STATUS_COUNT
} rhomb_status;

/* Name ("RHOMB_ERR_INPUT") and text. Constant strings, never NULL, even for an invalid value. */
RHOMB_API const char *rhomb_status_name(rhomb_status status);
RHOMB_API const char *rhomb_status_text(rhomb_status status);

/* As an exit code: 0 success, 1 other, 2 argument, 3 input file, 4 device or driver, 5 memory. */
RHOMB_API int rhomb_status_class(rhomb_status status);

/* The library's version, "MAJOR.MINOR.PATCH"; compare with RHOMB_VERSION to notice a mismatch. */
RHOMB_API const char *rhomb_version(void);

typedef struct rhomb_context rhomb_context;

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
 * What matches what. DNA: lower case is treated as upper case; A, C, G, T, U, N and the IUPAC codes
 * R Y S W K M B D H V each match only themselves (so N matches N and nothing else); any other
 * character is an error. BYTES: every byte matches only itself, and case matters (files are text,
 * so bytes from files are always printable).
 */
typedef enum rhomb_alphabet { RHOMB_ALPHABET_DNA, RHOMB_ALPHABET_BYTES } rhomb_alphabet;

/*
 * The number of bases of each kind in a sequence. acgt + n + iupac + other = length. Does not grow.
 */
typedef struct rhomb_base_counts {
    int64_t acgt;
    int64_t n;
    int64_t iupac;  /* R Y S W K M B D H V, and U */
    int64_t other;  /* only in RHOMB_ALPHABET_BYTES */
    int64_t folded; /* lower-case bases, also counted in the kinds above */
} rhomb_base_counts;

typedef struct rhomb_sequence rhomb_sequence;

/*
 * Reads one record of a FASTA or FASTQ file: plain, gzip or bgzip; "-" is standard input.
 *
 * `region` selects what to read: NULL is the only record of the file; "name" is that record;
 * "name:beg-end" is a part of it, 1-based and inclusive, commas allowed; "name:beg" goes to the
 * end; "{name}:beg-end" is for a name with a colon. An index next to the file (`.fai`, and `.gzi`
 * for bgzip) is used unless it is older than the file; none is ever written.
 *
 * Lines may end in LF or CRLF and have any length. Bases are kept as they are in the file
 * (rhomb_distance() checks them). A record without bases is an empty sequence. htslib may print its
 * own message about a damaged file to standard error. Its log level is the program's to set:
 * hts_set_log_level(HTS_LOG_OFF) loses no detail of an error. Under a limit on the address space
 * (RLIMIT_AS) a sequence may have half of what that leaves for text beside a device's driver;
 * more is RHOMB_ERR_MEMORY; a program with such a limit should have few malloc arenas (with glibc
 * MALLOC_ARENA_MAX=1). The sequence does not need the context afterwards.
 *
 * Returns RHOMB_OK; RHOMB_ERR_INPUT (file missing, unreadable, a folder, empty, truncated, shorter
 * than its index says, or not FASTA or FASTQ; no such record; a duplicate record name; several
 * records and no region, listed); RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT. On failure *out is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_read(rhomb_context *ctx, const char *path,
                                                            const char *region,
                                                            rhomb_sequence **out);

/* Releases a sequence. NULL is allowed. */
RHOMB_API void rhomb_sequence_destroy(rhomb_sequence *sequence);

/* The record's name up to the first whitespace; for a region, the region as requested. */
RHOMB_API const char *rhomb_sequence_name(const rhomb_sequence *sequence);
/* The sequence: rhomb_sequence_length() bytes, followed by a NUL. */
RHOMB_API const char *rhomb_sequence_bases(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_length(const rhomb_sequence *sequence);
/* The path of the file, as given. */
RHOMB_API const char *rhomb_sequence_path(const rhomb_sequence *sequence);
/* The whole record: its name, its length, and the 0-based position at which this part begins. */
RHOMB_API const char *rhomb_sequence_record(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_record_length(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_record_begin(const rhomb_sequence *sequence);
/*
 * MD5 of the upper-case sequence (of the part alone, for a part) in hexadecimal, as in the M5 tag
 * of SAM's @SQ. The first call computes it, on any thread; other threads may read the sequence and
 * use the functions above meanwhile.
 */
RHOMB_API const char *rhomb_sequence_md5(const rhomb_sequence *sequence);

/*
 * How a distance is computed. The wavefront's work grows with the square of the distance, that of
 * the bit-parallel sweep with the longer length times the distance, at many more cells per second.
 *
 * The sweep computes a band of the edit distance matrix that holds every path of cost at most U,
 * and drops cells that no such path can reach. If the resulting cost is at most U, it is the
 * distance; otherwise the next sweep uses a larger U.
 *
 * AUTO starts a wavefront and now and then looks at its progress. It extrapolates the edits per
 * base so far to the expected distance. When the sweep would take less time for that distance than
 * the rest of the wavefront, the sweep takes over, with U at most a third above it. Where an
 * earlier look promised a much smaller distance, a long insertion or deletion may be the reason,
 * which ends at once; AUTO then continues for up to four fifths of the sweep's time. Short pairs,
 * up to about 14,000 bases with unit costs, are swept before a wavefront would have started.
 *
 * With other than unit costs the same holds; only costs that are too large for the wavefront, after
 * division by their common divisor more than 1024 for a mismatch or the first base of a gap, go to
 * the sweep at once, and asking for the wavefront is an error then. A sweep of a narrow band may
 * come first: the cost of its path is the U of the next one, unless it is within its own.
 *
 * With a guide (rhomb/guide.h) AUTO starts the sweep at once where the guide expects a distance for
 * which that takes less time. Where it may promise too little, it is followed first, and what its
 * path costs decides. That cost gives the first U, also of a sweep that takes over.
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
 * then. It is there, empty, from the start. No two calls may use a file at a time: one of another
 * process ends with RHOMB_ERR_OUTPUT, and those of one process are not told apart.
 *
 * A file has what the device has but for the packed sequences (column_bytes of the report, at
 * most); writing it takes the time of reading that, and the thread that waits for the disk is
 * another one. A sweep that several devices or ranks share is not in it, and begins again. Of an
 * alignment's path it has the subproblems that finished rounds have left: the running round begins
 * again, and so does the last stage, the paths of base cases. Pairs that need no engine have no
 * checkpoints, nor has the path along a guide.
 */

/* The most devices that a context opens. */
#define RHOMB_MOST_DEVICES 16

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
 * Work and device memory of the wavefront, for a distance d: it computes about d * d / 2 cells with
 * two directions, d * d with one; where pruning helps it saves up to half. Each direction takes
 * (n + m) * q / 8 bytes for the packed sequences, where p >= 2 bit planes hold up to 2^p different
 * symbols of the pair (after folding) and q is 2, 4 or 8, the least not below p, and (n + m) / 1024
 * for tables of their long runs of one symbol, as N. It also takes two wavefronts of D * w bytes, w
 * = 4 (8 for sequences of about 2^31 symbols). D, the diagonals in use, is at most 2 (c + a) + 1.
 * Here c is d or, with two directions, d / 2; and a is the number of scores enqueued ahead of the
 * last read, those of two times launches_per_read launches. Pruning also keeps D below U + 2, where
 * U is the bound on d known by then. Wavefronts are allocated up to a 16th ahead, or 2^16 diagonals
 * if that is more, rounded up to whole tiles; diamonds take a third wavefront while they grow.
 *
 * With other than unit costs, after division by their common divisor: the wavefront computes about
 * c * c / (2 e) cells of three or five components for a cost of c, with e the least extension. It
 * keeps b offsets of each diagonal in two places for each direction: b is what a mismatch or the
 * first base of a gap costs, the most of these, and twice each piece's extension. So that is 4 w b
 * D bytes with D about c / e diagonals, and as room is made for twice as many scores at a time, up
 * to 2.5 times that.
 *
 * Work and memory of the bit-parallel sweep: at most about max(n, m) * U cells of the matrix for
 * each bound U that it tries, up to 40 times as many per second as the wavefront on a GPU and 100
 * times on a CPU. Its sequences take (n + 2 m) * p / 8 bytes, (n + m) * p / 8 with one direction.
 * In addition it takes n / 4 + m / 2 + m / (4 w) + 408 m / s bytes, all in whole strips, with w
 * words per item or lane and s rows per strip (32 w times the items of a group, or the lanes). Host
 * memory: m / 2 + 808 m / s bytes. Neither depends on the distance.
 *
 * With other than unit costs, after division by their common divisor: let u be the bits of twice
 * the cost of a gap of one base, and x those of each piece's opening together. The sweep takes
 * (u + x) (n / 8 + m / 2 + m / (8 w)) + 408 m / s bytes in place of those (u + x rounded up to even
 * for n / 8 and m / (8 w)), the host (u + x) m / 2 + 808 m / s. It computes about max(n, m) times
 * as many cells as there are diagonals that paths of the least cost may be on: cost / extension.
 *
 * Returns RHOMB_OK, even if the distance was proved to exceed max_distance (see the report);
 * RHOMB_ERR_ARGUMENT; RHOMB_ERR_ALPHABET (the detail names the character and its position);
 * RHOMB_ERR_DEVICE_MEMORY, before anything is allocated where this can be foreseen;
 * RHOMB_ERR_CANCELLED; or another device, build or memory error. On failure *out is NULL, and the
 * context can be used again.
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

typedef enum rhomb_device_kind {
    RHOMB_DEVICE_GPU,
    RHOMB_DEVICE_ACCELERATOR,
    RHOMB_DEVICE_CPU,
    RHOMB_DEVICE_OTHER
} rhomb_device_kind;

/* A device; made by the library. */
typedef struct rhomb_device_info {
    int32_t index; /* 0-based, over all platforms in the loader's order */
    rhomb_device_kind kind;
    const char *name;
    const char *vendor;
    const char *platform; /* name and version, as the driver prints them */
    const char *driver_version;
    const char *opencl_version; /* CL_DEVICE_VERSION */
    const char *pci;            /* "0000:3b:00.0", or NULL where the driver does not say */
    const char *uuid;           /* 32 hexadecimal digits with dashes, or NULL */
    int64_t memory_bytes;       /* of an open device that shares the host's: what is available */
    int64_t max_buffer_bytes;   /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
    int64_t local_memory_bytes;
    int64_t max_group_size; /* of an open device: no more than kernels were found to allow */
    int32_t compute_units;
    int32_t clock_mhz;
    bool usable;         /* false: `note` says what is missing */
    bool chosen;         /* "auto" would open it */
    const char *note;    /* why it is chosen, not chosen, or not usable; never NULL */
    bool unified_memory; /* shares the host's memory: an integrated GPU, or a CPU */
    int32_t lanes;       /* work-items that run in lockstep, or 0 where the driver does not say */
} rhomb_device_info;

/*
 * Lists the OpenCL devices: (*list)[0] to (*list)[*count - 1], which belong to the context. A
 * machine without any OpenCL platform is not an error: *count is 0, and rhomb_context_error() says
 * what to install. Returns RHOMB_OK, RHOMB_ERR_MEMORY or RHOMB_ERR_DEVICE.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_devices(rhomb_context *ctx,
                                                              const rhomb_device_info *const **list,
                                                              size_t *count);

/* rhomb_context_open(): fail if the device is not a GPU. */
#define RHOMB_REQUIRE_GPU 1u

/*
 * Chooses and opens a device, or several, and closes what was open before. `selector`:
 *   NULL, "" or "auto"   the best GPU, else an accelerator, else a CPU; its note says why
 *   "gpu", "cpu", "2"    the best one of that kind (or "accelerator"); the device of that index
 *   "0000:3b:00.0"       the device at that PCI address (the domain may be left out)
 *   "GPU-…" or 32 hexadecimal digits, dashes allowed: the device of that UUID
 *   "H200", "pocl"       the first device whose name, vendor or platform contains it, in any case
 *   "H200#1"             the second such device
 *   "0,1"                several of these, separated by commas: at most RHOMB_MOST_DEVICES
 *   "all"                all devices like the one that "auto" opens (GPUs with memory of their
 *                        own, integrated ones, CPUs ...), each card once
 * With several devices each call uses those that make it faster; the first one does what one device
 * does alone. Results do not depend on it.
 * Nothing runs on the device yet. Its first use builds the kernels (or loads them from the cache)
 * and checks known answers.
 * Returns RHOMB_OK, RHOMB_ERR_NO_DEVICE (none found or none matches: the detail lists the devices),
 * RHOMB_ERR_DEVICE, RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_open(rhomb_context *ctx, const char *selector,
                                                           uint32_t flags);

/*
 * Opens a device in another context as well, and closes what `ctx` had open: for several calls on
 * one device at the same time, each on a thread of its own. `index` is the device's number among
 * those that `first` has open, see rhomb_context_device_at(). The two contexts share what the
 * driver has for a device: its context, and the programs, each of which is built and tested once,
 * by whichever needs it first. So opening takes some microseconds, and kernels of both may run at
 * the same time; with contexts that were opened apart, some drivers let them take turns.
 *
 * Threads: nobody else may use `first` during this call. After it the contexts are independent:
 * each is for one thread at a time, at the same time as the other; they may be closed and destroyed
 * in any order, and what they share goes with the last of them. Where a driver's queues must not
 * run the same kernels (PoCL before 6.0), they share a queue as well, and kernels take turns.
 *
 * Memory is counted by each context alone, so both together may ask for more than the device has.
 * Logs, host threads and the cache's folder are those that `ctx` was created with.
 *
 * Returns RHOMB_OK; RHOMB_ERR_ARGUMENT if `first` has no such device open, or it is another rank's;
 * RHOMB_ERR_DEVICE or RHOMB_ERR_MEMORY. On failure `ctx` has open what it had before.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_open_beside(rhomb_context *ctx,
                                                                  const rhomb_context *first,
                                                                  int32_t index);

/*
 * The open device, the first one of several, or NULL. Belongs to the context; valid until another
 * device is opened.
 */
RHOMB_API const rhomb_device_info *rhomb_context_device(const rhomb_context *ctx);

/* The number of open devices, and device `index` of them, from 0 on, or NULL; as above. */
RHOMB_API int32_t rhomb_context_device_count(const rhomb_context *ctx);
RHOMB_API const rhomb_device_info *rhomb_context_device_at(const rhomb_context *ctx, int32_t index);

/* What a device has done for batches and matrices. Made by the library, and may grow. */
typedef struct rhomb_device_work {
    int64_t pairs;  /* that were solved on it */
    int64_t jobs;   /* of batches and matrices, and pairs that were solved alone */
    double seconds; /* in which it had such work */
} rhomb_device_work;

/* The share of open device `index` since it was opened, or NULL; as above. */
RHOMB_API const rhomb_device_work *rhomb_context_work(const rhomb_context *ctx, int32_t index);

/*
 * Builds the kernels for the open device ("auto" if none is open) and checks them on small pairs
 * with known distances. rhomb_distance() does this itself on first use.
 * Returns RHOMB_OK, RHOMB_ERR_DEVICE_WRONG_RESULT, RHOMB_ERR_BUILD or what opening returns.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_self_test(rhomb_context *ctx);

#ifdef __cplusplus
}
#endif

#endif
