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
 * along rows i. Unit costs, global: substitution, insertion and deletion cost 1 each. *Diagonal*
 * k = j - i; the end diagonal is K = n - m. *Column r* of the pyramid holds, for each diagonal
 * |k| <= r, the furthest offset j with D(j - k, j) <= r; *cells* are its entries. A *band* is a run
 * of columns that one launch computes, a *tile* the part of a band that one work-group computes.
 *
 * Guarantees. A distance is exact or the call fails: there is no heuristic, no silent fallback to
 * another device and no approximate answer. Options and tuning change speed and memory, never the
 * result. The library never prints, exits, aborts or installs signal handlers, and has no global
 * state. Inputs are borrowed for the call and never written.
 *
 * Threads. One thread at a time uses a context and its objects; other threads have other contexts.
 * Drivers do not survive fork(): a child uses no context of its parent, and opens one after exec().
 *
 * Growing structures. A structure that the caller fills starts with its own size: initialise it
 * with the macro of its name, so that programs keep working when fields are added. In such a
 * structure 0 (or NULL) means "choose" unless the field says otherwise. A structure that is longer
 * than the library knows is refused: its new fields would be ignored in silence. Structures that
 * the library returns by pointer only ever grow at the end.
 *
 * Units. Lengths and distances count symbols (bases) and are int64_t; sizes are bytes; times are
 * seconds of wall clock.
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
#define RHOMB_VERSION_MINOR 1
#define RHOMB_VERSION_PATCH 0
#define RHOMB_VERSION       "0.1.0"

#if defined(_WIN32)
#    define RHOMB_API
#elif defined(__GNUC__)
#    define RHOMB_API __attribute__((visibility("default")))
#else
#    define RHOMB_API
#endif

/* The result of a call that must not be dropped. */
#if defined(__GNUC__)
#    define RHOMB_MUST_CHECK __attribute__((warn_unused_result))
#else
#    define RHOMB_MUST_CHECK
#endif

/* ------------------------------------------------------------------ status */

/*
 * Every status: name, text, and the class that a program may want to tell apart. The `rhomb`
 * program exits with the class of the first error (0 to 6), see rhomb_status_class().
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
    X(ERR_CANCELLED, 1, "cancelled by the caller")

typedef enum rhomb_status {
#define RHOMB_STATUS_ENUM(name, class_, text) RHOMB_##name,
    RHOMB_STATUS_MAP(RHOMB_STATUS_ENUM)
#undef RHOMB_STATUS_ENUM
        RHOMB_STATUS_COUNT
} rhomb_status;

/* Constant strings, never NULL, also for a value that is no status. "RHOMB_ERR_INPUT"; a phrase. */
RHOMB_API const char *rhomb_status_name(rhomb_status status);
RHOMB_API const char *rhomb_status_text(rhomb_status status);

/* As an exit code: 0 success, 1 other, 2 argument, 3 input file, 4 device or driver, 5 memory. */
RHOMB_API int rhomb_status_class(rhomb_status status);

/* The library's version, "MAJOR.MINOR.PATCH"; compare with RHOMB_VERSION to notice a mismatch. */
RHOMB_API const char *rhomb_version(void);

/* ----------------------------------------------------------------- context */

typedef struct rhomb_context rhomb_context;

/*
 * Messages that are no errors: which device was chosen, program builds and cache hits, growth of
 * buffers. `text` has no newline and is valid during the call only. Level 1 is for users who asked
 * for details, 2 for developers.
 */
typedef void (*rhomb_log_fn)(int level, const char *text, void *user);

typedef struct rhomb_context_options {
    size_t struct_size;

    /*
     * Threads of the host that may decompress a file or look at letters at the same time, the
     * calling one among them; drivers have their own. 0: as many as there are cores, at most 16.
     * It changes time, never a result.
     */
    int32_t threads;

    /*
     * Folder of the cache on disk, of programs and rates. NULL: the environment's RHOMB_CACHE_DIR,
     * else XDG_CACHE_HOME/rhomb, else HOME/.cache/rhomb. "off" disables it. A cache that cannot be
     * read or written costs time, and is never an error.
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
 * rhomb_context_open() chose before. `options` may be NULL.
 * Returns RHOMB_OK, RHOMB_ERR_ARGUMENT or RHOMB_ERR_MEMORY; on failure *out is NULL.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_create(rhomb_context **out,
                                                             const rhomb_context_options *options);

/* Releases a context and all that belongs to it. NULL is allowed. */
RHOMB_API void rhomb_context_destroy(rhomb_context *ctx);

/*
 * The detail of the last call that failed, in one or more lines: what was asked, of whom, with
 * which OpenCL call and error code by name; for RHOMB_ERR_BUILD the compiler's log. Never NULL; ""
 * when the last call succeeded. Valid until the next call with this context.
 */
RHOMB_API const char *rhomb_context_error(const rhomb_context *ctx);

/* ----------------------------------------------------------------- devices */

typedef enum rhomb_device_kind {
    RHOMB_DEVICE_GPU,
    RHOMB_DEVICE_ACCELERATOR,
    RHOMB_DEVICE_CPU,
    RHOMB_DEVICE_OTHER
} rhomb_device_kind;

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
    int64_t memory_bytes;
    int64_t max_buffer_bytes; /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
    int64_t local_memory_bytes;
    int64_t max_group_size;
    int32_t compute_units;
    int32_t clock_mhz;
    bool usable;         /* false: `note` says what is missing */
    bool chosen;         /* what "auto" would open */
    const char *note;    /* why it is chosen, not chosen, or not usable; never NULL */
    bool unified_memory; /* it works in the host's memory: an integrated GPU, or a CPU */
} rhomb_device_info;

/*
 * Lists what OpenCL offers. *list and its strings belong to the context. A machine without any
 * platform is no error: *count is 0 and rhomb_context_error() then holds hints on what to install.
 * Returns RHOMB_OK, RHOMB_ERR_MEMORY or RHOMB_ERR_DEVICE.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_devices(rhomb_context *ctx,
                                                              const rhomb_device_info **list,
                                                              size_t *count);

/* rhomb_context_open(): refuse a device that is no GPU instead of using it. */
#define RHOMB_REQUIRE_GPU 1u

/*
 * Chooses and opens a device, replacing the one open before. `selector`:
 *   NULL, "" or "auto"   the best GPU, else an accelerator, else a CPU
 *   "2"                  the device of that index
 *   "0000:3b:00.0"       the device at that PCI address (the domain may be left out)
 *   "GPU-…" or 32 hexadecimal digits, dashes allowed: the device of that UUID
 *   "H200", "pocl"       the first device whose name, vendor or platform contains it, in any case
 *   "H200#1"             the second such device
 * Nothing runs on the device until a result is asked of it; a first use builds the kernels (or
 * loads them from the cache) and checks known answers.
 * Returns RHOMB_OK, RHOMB_ERR_NO_DEVICE (nothing found or nothing matches: the detail lists what
 * there is), RHOMB_ERR_DEVICE, RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_open(rhomb_context *ctx, const char *selector,
                                                           uint32_t flags);

/* The device that is open, or NULL. Belongs to the context, until it opens another. */
RHOMB_API const rhomb_device_info *rhomb_context_device(const rhomb_context *ctx);

/*
 * Builds the kernels for the open device ("auto" when none is) and compares their results on small
 * pairs with known distances. rhomb_distance() does this by itself at first use.
 * Returns RHOMB_OK, RHOMB_ERR_DEVICE_WRONG_RESULT, RHOMB_ERR_BUILD or what opening returns.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_context_self_test(rhomb_context *ctx);

/* --------------------------------------------------------------- sequences */

/*
 * What counts as equal. DNA: letters are folded to upper case; A, C, G, T, U, N and the IUPAC
 * letters R Y S W K M B D H V each equal themselves only (so N equals N and nothing else); any
 * other letter is an error. BYTES: every byte equals itself only, nothing is folded
 * (files hold text, so from them only printable letters come).
 */
typedef enum rhomb_alphabet { RHOMB_ALPHABET_DNA, RHOMB_ALPHABET_BYTES } rhomb_alphabet;

/* How many letters of each kind a sequence has. acgt + n + iupac + other = length. */
typedef struct rhomb_letter_counts {
    int64_t acgt;
    int64_t n;
    int64_t iupac;  /* R Y S W K M B D H V, and U */
    int64_t other;  /* only in RHOMB_ALPHABET_BYTES */
    int64_t folded; /* lower-case letters, counted in the kinds above as well */
} rhomb_letter_counts;

typedef struct rhomb_sequence rhomb_sequence;

/*
 * Reads one record of a FASTA or FASTQ file: plain, gzip or bgzip; "-" is standard input.
 *
 * `region` chooses what to read: NULL takes the only record of the file; "name" takes that record;
 * "name:beg-end" a part of it, 1-based and inclusive, commas allowed, "name:beg" to the end,
 * "{name}:beg-end" for a name with a colon. An index beside the file (`.fai`, and `.gzi` for bgzip)
 * is used unless it is older; none is ever written.
 *
 * Line ends may be LF or CRLF, sequences of any line length; letters are kept as they are in the
 * file (they are judged by rhomb_distance()). A record without letters is an empty sequence.
 * htslib may print a line of its own about a damaged file to standard error, by a log level that is
 * the program's to set: hts_set_log_level(HTS_LOG_OFF) loses no detail of an error.
 *
 * Returns RHOMB_OK; on failure, with *out NULL, RHOMB_ERR_INPUT (not there, unreadable, a folder,
 * empty, truncated, no FASTA or FASTQ, no such record, one that stands twice, several and no
 * region: the detail lists them), RHOMB_ERR_MEMORY or RHOMB_ERR_ARGUMENT.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_sequence_read(rhomb_context *ctx, const char *path,
                                                            const char *region,
                                                            rhomb_sequence **out);

/* Releases a sequence. NULL is allowed. */
RHOMB_API void rhomb_sequence_destroy(rhomb_sequence *sequence);

/* The record's name up to the first blank; of a region, as it was asked for. */
RHOMB_API const char *rhomb_sequence_name(const rhomb_sequence *sequence);
/* The letters, `rhomb_sequence_length()` of them, followed by a NUL. */
RHOMB_API const char *rhomb_sequence_letters(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_length(const rhomb_sequence *sequence);
/* The path it was read from, as given. */
RHOMB_API const char *rhomb_sequence_path(const rhomb_sequence *sequence);
/* The record that it is, or is a part of: its name, its length, and the letters before the part. */
RHOMB_API const char *rhomb_sequence_record(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_record_length(const rhomb_sequence *sequence);
RHOMB_API int64_t rhomb_sequence_record_begin(const rhomb_sequence *sequence);
/*
 * MD5 of the upper-cased letters, of a part of its own, in hexadecimal: the M5 tag of SAM's @SQ.
 * The first call computes it, on any thread: letters, and calls above, are for all meanwhile.
 */
RHOMB_API const char *rhomb_sequence_md5(const rhomb_sequence *sequence);

/* ---------------------------------------------------------------- distance */

/*
 * How a distance is computed. The work of the wavefront grows with the square of the distance, that
 * of the bit-parallel sweep with the longer length times the distance, at many more cells a second.
 *
 * The sweep computes a band of the edit distance matrix that holds every path of a cost U, and
 * leaves out what no such path can touch, which it learns while it runs. A cost of at most U that
 * comes out is the distance; else the distance is more than U, and the next sweep has a larger one.
 *
 * AUTO starts a wavefront and looks now and then at how far it has come; as many edits a letter to
 * the end make the distance that it expects. When the sweep would take less for that than the rest
 * of the wavefront, the sweep takes over, with a U that is a quarter larger. Where an earlier look
 * promised much less, the reason may be a long insertion or deletion, which ends at once; so AUTO
 * then goes on for up to four fifths of the sweep's time.
 *
 * Where it pays, a *beam* comes first: a wavefront on a window of diagonals around the furthest
 * one, which soon gives the cost of a real path. It bounds what either engine has to look at.
 */
typedef enum rhomb_engine {
    RHOMB_ENGINE_AUTO,
    RHOMB_ENGINE_WAVEFRONT,
    RHOMB_ENGINE_BITPARALLEL
} rhomb_engine;

/*
 * Where a running call stands. Everything here is proved, except `fraction` and `eta_seconds`,
 * which extrapolate from how far the end diagonal has come.
 */
typedef struct rhomb_progress {
    int64_t lower_bound; /* the distance is at least this */
    int64_t upper_bound; /* and at most this */
    double fraction;     /* of the work, 0 to 1 */
    double seconds;      /* since the solve began */
    double eta_seconds;  /* to the end; negative while nothing can be said */
    double cells_per_second;
    bool building; /* a kernel is about to be compiled, which may take a minute */
} rhomb_progress;

/*
 * Called by the thread that called the library, several times a second at most, while the device
 * works. Returning anything but 0 stops the call with RHOMB_ERR_CANCELLED. Calls of the library
 * with the same context are not allowed inside.
 */
typedef int (*rhomb_progress_fn)(const rhomb_progress *progress, void *user);

/*
 * The shape of a tile. A trapezoid advances its diagonals by a few columns and computes a margin on
 * either side twice; a diamond computes every cell once, but two bands are under way at any column.
 */
typedef enum rhomb_tile_shape {
    RHOMB_TILE_AUTO,
    RHOMB_TILE_TRAPEZOID,
    RHOMB_TILE_DIAMOND
} rhomb_tile_shape;

typedef struct rhomb_tuning rhomb_tuning; /* rhomb/tuning.h */

typedef struct rhomb_options {
    size_t struct_size;
    /* Stop once the distance is proved larger. RHOMB_NO_LIMIT: always find it. 0 is a limit. */
    int64_t max_distance;
    rhomb_alphabet alphabet;
    rhomb_engine engine;
    rhomb_progress_fn progress;
    void *progress_user;
    const rhomb_tuning *tuning; /* NULL: as the device's tuning row has it */
} rhomb_options;

#define RHOMB_NO_LIMIT INT64_C(-1)
#define RHOMB_OPTIONS_INIT                                                                        \
    {                                                                                             \
        sizeof(rhomb_options), RHOMB_NO_LIMIT, RHOMB_ALPHABET_DNA, RHOMB_ENGINE_AUTO, NULL, NULL, \
            NULL                                                                                  \
    }

/* What both engines take for a pair, in the model of a device. */
typedef struct rhomb_speeds {
    double cells_per_second; /* wavefront */
    double column_seconds;
    double sweep_cells_per_second; /* bit-parallel, for the symbols of the pair */
    double sweep_column_seconds;
    int32_t sweep_directions;
} rhomb_speeds;

/* What a call will do, or did: the choices, and what they cost. */
typedef struct rhomb_plan {
    const char *engine;          /* "wavefront", "bitparallel", or "trivial" without any work */
    const char *reason;          /* one sentence: why this engine */
    int32_t planes;              /* bit planes of a symbol, 2 to 8 */
    int32_t offset_bits;         /* wavefront: 32 or 64 */
    rhomb_tile_shape tile_shape; /* wavefront; this and the next ones as in rhomb_tuning */
    int32_t group_size;
    int32_t diagonals_per_item;
    int32_t tile_columns;
    /* The tile of a wide pyramid, as in rhomb_tuning; 0: it keeps its own. */
    int32_t wide_group_size, wide_diagonals_per_item, wide_tile_columns;
    int64_t wide_diagonals;
    int32_t bands_per_read;
    bool pruning;
    int32_t lanes; /* bit-parallel: of a vector, each like an item; 1 where items are many */
    int32_t words_per_item; /* bit-parallel; 0 in the plan of a wavefront */
    int32_t blocks_per_launch;
    int32_t directions;     /* 1, or 2 that meet in the middle */
    int64_t first_beside;   /* bit-parallel: of the first band, as in rhomb_tuning */
    const char *tuning_row; /* which row of the tuning table the values come from */
    int64_t target_length, query_length;
    int64_t lower_bound;        /* known without running: | n - m |, and 1 unless equal */
    int64_t upper_bound;        /* max(n, m), or max_distance where that is smaller */
    int64_t host_bytes;         /* the most that the library allocates on the host at a time */
    int64_t sequence_bytes;     /* both packed sequences on the device */
    int64_t device_bytes_min;   /* packed sequences, and the first columns or all of a sweep */
    int64_t device_bytes_max;   /* with those of the largest distance, or a sweep that takes over */
    int64_t device_bytes_limit; /* what the device has */
    int64_t buffer_bytes_min;   /* the largest single buffer of device_bytes_min */
    int64_t buffer_bytes_limit; /* the largest buffer that the device allows */
    double cells_per_second;    /* the engine's rate, for estimates */
    double column_seconds;      /* the least time of a column, of a narrow pyramid or band */
    bool may_switch;            /* AUTO: the other engine may take over; its rates: */
    double other_cells_per_second, other_column_seconds;
    int32_t other_directions; /* and its directions */
    double setup_seconds;     /* transfer and packing */
    const char *rates_source; /* where the rates come from, in words */
    int64_t beam_diagonals;   /* of a beam, at most, should one pay; 0: none runs */
    int64_t beam_least;       /* of it where nothing goes wrong */
    bool beam_forced;         /* the tuning asks for it: it runs in any case */
    double path_share;        /* the time of a path, as a multiple of the distance's */
    double start_seconds;     /* what a call takes however short the pair is */
    double other_path_share, other_start_seconds; /* of the engine that may take over */
    rhomb_speeds profile;                         /* what AUTO decides by: the device's profile */
    const char *profile_source;                   /* where that comes from, in words */
} rhomb_plan;

/*
 * Plans what rhomb_distance() would do, without allocating or running anything on the device.
 * Arguments and errors as there. All texts of *plan are constant strings.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_plan_distance(rhomb_context *ctx, const char *target,
                                                            int64_t target_length,
                                                            const char *query, int64_t query_length,
                                                            const rhomb_options *options,
                                                            rhomb_plan *plan);

/* The time that the plan's model gives for a distance, in seconds: an estimate, not a bound. */
RHOMB_API double rhomb_plan_seconds(const rhomb_plan *plan, int64_t distance);

/* All that a finished call has to say. */
typedef struct rhomb_report {
    int64_t target_length, query_length;
    int64_t distance; /* exact; -1 when it was proved to exceed max_distance */
    bool exceeds_max_distance;
    int64_t max_distance; /* as given; RHOMB_NO_LIMIT without a limit */
    double similarity;    /* 1 - distance / longer length; 1 without letters; -1 where not known */
    rhomb_letter_counts target_letters, query_letters;

    rhomb_plan plan;

    /* Work done. */
    int64_t cells; /* of the pyramid, the margins of tiles not counted, and of a sweep's matrix */
    int64_t bands; /* of a wavefront, and sweeps */
    int64_t launches;
    int64_t reads;            /* of the status record, or of a sweep's strips */
    int64_t diagonals_in_use; /* the most diagonals that a column held; 0 after a sweep */
    int64_t column_bytes;     /* the most device memory that the two columns took, or, of a sweep,
                                 all but the sequences */
    int64_t device_bytes;     /* the most device memory in all */
    int64_t beam_bound;       /* on the distance, from a beam; 0 where none gave one */
    int64_t beam_cells;       /* that the beam computed, besides `cells` */
    /*
     * Cells that each bound saved a wavefront, of the columns that it came to: the limit, the
     * beam's bound besides, and then what the end diagonal said of the rest. 0 after a sweep alone.
     */
    int64_t cells_saved_limit, cells_saved_beam, cells_saved_diagonal;

    /*
     * Where the time went: of each stage, from its beginning to its end. Kernels are built while
     * the sequences travel, so that the stages may add up to more than the total.
     */
    double seconds_open;     /* finding and opening the device, when this call did it */
    double seconds_inspect;  /* counting letters and planning */
    double seconds_build;    /* programs: compiling or loading, and the self-test */
    double seconds_transfer; /* sequences to the device, and packing there */
    double seconds_solve;
    double seconds_total;
} rhomb_report;

typedef struct rhomb_result rhomb_result;

/*
 * Computes the edit distance of target and query on the open device ("auto" when none is).
 *
 * A length may be 0; the letters of an empty sequence may be NULL. A device is opened in any case.
 *
 * Work and device memory of the wavefront, for a distance d: about d * d / 2 cells with two
 * directions, d * d with one, fewer by up to half where pruning helps that. Each direction takes
 * (n + m) * p / 8 bytes for the packed sequences, with p bit planes for up to 2^p different letters
 * of the pair (after folding), at least two; and two columns of D * w bytes, w = 4 (8 for sequences
 * of about 2^31 symbols). D, the diagonals in use, is at most 2 (c + a) + 1, where c is d or, with
 * two directions, d / 2, and a is what is enqueued ahead of the last read: the columns of two times
 * bands_per_read bands. Pruning keeps D below U + 2 too, U being the bound on d known by then.
 * Columns are allocated up to a 16th ahead, or 2^16 diagonals where that is more, and end with
 * whole tiles; diamonds take a third one while they grow. A beam has columns of its own, three
 * times as wide as it, while it runs.
 *
 * Of the bit-parallel sweep: at most about max(n, m) * U cells of the matrix for each bound U that
 * it takes, up to 40 times as many a second on a GPU and a hundred times on a processor; with p
 * bit planes for up to 2^p different letters, at least two, (n + 2 m) * p / 8 bytes for the
 * sequences, (n + m) * p / 8 with one direction; besides, with w words an item or lane and s rows a
 * strip (32 w times the items of a group, or the lanes), n / 4 + m / 2 + m / (4 w) + 312 m / s, all
 * in whole strips. Host memory: m / 2 + 304 m / s. Neither depends on the distance.
 *
 * Returns RHOMB_OK, also where the distance was proved to exceed max_distance (see the report);
 * RHOMB_ERR_ARGUMENT; RHOMB_ERR_ALPHABET (the detail names letter and position);
 * RHOMB_ERR_DEVICE_MEMORY, before anything is allocated where it can be foreseen;
 * RHOMB_ERR_CANCELLED; or another device, build or memory error. On failure *out is NULL, and the
 * context can be used again.
 */
RHOMB_API RHOMB_MUST_CHECK rhomb_status rhomb_distance(rhomb_context *ctx, const char *target,
                                                       int64_t target_length, const char *query,
                                                       int64_t query_length,
                                                       const rhomb_options *options,
                                                       rhomb_result **out);

/* The report of a result: never NULL, lives as long as the result. */
RHOMB_API const rhomb_report *rhomb_result_report(const rhomb_result *result);

/* Releases a result. NULL is allowed. */
RHOMB_API void rhomb_result_destroy(rhomb_result *result);

#ifdef __cplusplus
}
#endif

#endif
