/* SPDX-License-Identifier: MIT */
/*
 * rhomb_bench: measures the library, suite by suite. Every distance is verified before its row is
 * written; a wrong one makes the program fail. README.md says what the suites and the CSV columns
 * are.
 */
#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "host/cli/base/words.h"

#ifndef RHOMB_BENCH_COMMIT
#    error "RHOMB_BENCH_COMMIT is set by bench/CMakeLists.txt"
#endif

/* `start` has to come first, see bench_start.c: suites run in this order, whatever was asked. */
static const struct {
    const char *name;
    bool (*run)(bench *b);
    bool opens_by_itself; /* the device, and writes a heading of its own */
    bool writes;          /* its pairs to files, with --write and without a device */
    bench_rows rows;      /* the columns of its CSV file */
} SUITES[] = {
    {"start", bench_suite_start, true, false, BENCH_ROWS_CASES},
    {"whole", bench_suite_whole, true, false, BENCH_ROWS_CASES},
    {"pairs", bench_suite_pairs, false, false, BENCH_ROWS_CASES},
    {"saturated", bench_suite_saturated, false, false, BENCH_ROWS_CASES},
    {"synthetic", bench_suite_synthetic, false, true, BENCH_ROWS_CASES},
    {"similar", bench_suite_similar, true, true, BENCH_ROWS_CASES},
    {"ladder", bench_suite_ladder, false, false, BENCH_ROWS_CASES},
    {"matrix", bench_suite_matrix, false, false, BENCH_ROWS_CASES},
    {"choice", bench_suite_choice, true, true, BENCH_ROWS_CASES},
    {"chromosome", bench_suite_chromosome, false, true, BENCH_ROWS_CASES},
    {"edlib", bench_suite_edlib, true, false, BENCH_ROWS_CASES},
    {"tune", bench_suite_tune, true, false, BENCH_ROWS_CASES},
    {"batch", bench_suite_batch, true, false, BENCH_ROWS_BATCHES},
    {"batch_grid", bench_suite_batch_grid, true, false, BENCH_ROWS_BATCHES},
    {"align", bench_suite_align, true, true, BENCH_ROWS_ALIGNMENTS},
    {"align_synthetic", bench_suite_align_synthetic, true, true, BENCH_ROWS_ALIGNMENTS},
    {"align_edlib", bench_suite_align_edlib, true, false, BENCH_ROWS_ALIGNMENTS},
};

enum { SUITE_COUNT = sizeof SUITES / sizeof SUITES[0] };

bool bench_fail(bench *b, const char *format, ...)
{
    va_list args;
    fflush(stdout);
    fputs("rhomb_bench: error: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    b->failed = true;
    return false;
}

double bench_now(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_cpu_now(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool bench_wants(const bench *b, const char *name)
{
    return b->only == NULL || strstr(name, b->only) != NULL;
}

rhomb_engine bench_engine(const bench *b, rhomb_engine usual)
{
    return b->engine_given ? b->engine : usual;
}

const char *bench_engine_name(rhomb_engine engine)
{
    return cli_word_of((int)engine, cli_engines, CLI_COUNT(cli_engines));
}

void bench_set_tile(rhomb_tuning *tuning, int32_t group_size, int32_t diagonals_per_item,
                    int32_t tile_columns)
{
    tuning->group_size = group_size;
    tuning->diagonals_per_item = diagonals_per_item;
    tuning->tile_columns = tile_columns;
    tuning->wide_group_size = tuning->wide_diagonals_per_item = tuning->wide_tile_columns = 0;
    tuning->wide_diagonals = 0;
}

bool bench_open(bench *b)
{
    if (b->ctx != NULL)
        return true;
    const double began = bench_now();
    rhomb_status status = rhomb_context_create(&b->ctx, NULL);
    if (status == RHOMB_OK)
        status = rhomb_context_open(b->ctx, b->device, 0);
    b->open_seconds = bench_now() - began;
    if (status == RHOMB_OK)
        return true;
    return bench_fail(b, "%s: %s", rhomb_status_text(status),
                      b->ctx != NULL ? rhomb_context_error(b->ctx) : "");
}

/* The processor and how many cores the system shows. */
static void describe_machine(char *text, size_t size)
{
    struct utsname name;
    char line[256], model[128] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && model[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, "model name", 10) == 0)
            snprintf(model, sizeof model, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (file != NULL)
        fclose(file);
    if (model[0] == '\0' && uname(&name) == 0)
        snprintf(model, sizeof model, "%.64s", name.machine);
    snprintf(text, size, "%s, %ld cores", model, sysconf(_SC_NPROCESSORS_ONLN));
}

/* ----------------------------------------------------------------- options */

enum {
    OPTION_CSV = 256,
    OPTION_DATA,
    OPTION_COMMIT,
    OPTION_ONLY,
    OPTION_LADDER_PAIR,
    OPTION_MAX_KNOWN_DISTANCE,
    OPTION_STOP_AT,
    OPTION_SCALE,
    OPTION_TUNE,
    OPTION_ENGINE,
    OPTION_MAX_LENGTH,
    OPTION_LIMIT_SECONDS,
    OPTION_VERIFY_LONG,
    OPTION_WRITE,
    OPTION_SECONDS,
    OPTION_ROW,
    OPTION_INSTRUCTIONS,
    OPTION_LANES_PER_UNIT,
    OPTION_PROGRAM,
    OPTION_WORKERS,
    OPTION_PEER_THREADS
};

static const struct option LONGS[] = {
    {"device", required_argument, NULL, 'd'},
    {"repeat", required_argument, NULL, 'n'},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"data", required_argument, NULL, OPTION_DATA},
    {"commit", required_argument, NULL, OPTION_COMMIT},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"ladder-pair", required_argument, NULL, OPTION_LADDER_PAIR},
    {"max-known-distance", required_argument, NULL, OPTION_MAX_KNOWN_DISTANCE},
    {"stop-at", required_argument, NULL, OPTION_STOP_AT},
    {"scale", required_argument, NULL, OPTION_SCALE},
    {"tune", required_argument, NULL, OPTION_TUNE},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"max-length", required_argument, NULL, OPTION_MAX_LENGTH},
    {"limit-seconds", required_argument, NULL, OPTION_LIMIT_SECONDS},
    {"verify-long", no_argument, NULL, OPTION_VERIFY_LONG},
    {"write", required_argument, NULL, OPTION_WRITE},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"row", required_argument, NULL, OPTION_ROW},
    {"instructions", required_argument, NULL, OPTION_INSTRUCTIONS},
    {"lanes-per-unit", required_argument, NULL, OPTION_LANES_PER_UNIT},
    {"program", required_argument, NULL, OPTION_PROGRAM},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"peer-threads", required_argument, NULL, OPTION_PEER_THREADS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_engine(const char *text, rhomb_engine *engine)
{
    int value;
    if (!cli_parse_word(text, cli_engines, CLI_COUNT(cli_engines), &value)) {
        fprintf(stderr, "rhomb_bench: --engine: '%s' is not auto, wavefront or bitparallel\n",
                text);
        return false;
    }
    *engine = (rhomb_engine)value;
    return true;
}

static void usage(FILE *to)
{
    fputs(
        "Usage: rhomb_bench [options] SUITE...\n"
        "Suites: start, whole, pairs, saturated, synthetic, similar, ladder, matrix,\n"
        "choice, chromosome, edlib, tune, batch, batch_grid, align, align_synthetic,\n"
        "align_edlib; they run in this order. Those of batches and of alignments need a CSV\n"
        "file of their own.\n\n"
        "  -d, --device SEL          as rhomb devices lists them (the best)\n"
        "  -n, --repeat N            timed runs of a case, 1 to 100 (5)\n"
        "      --csv FILE            write a row for each case\n"
        "      --data DIR            folder of the real sequences (RHOMB_DATA)\n"
        "      --commit TEXT         commit in the CSV file (RHOMB_BENCH_COMMIT, or the one "
        "built)\n"
        "      --only TEXT           only cases whose name contains it\n"
        "      --ladder-pair A,B     pair of the ladder, or 'generated' (BA000035,BX927147)\n"
        "      --max-known-distance D  leave out pairs with larger distances\n"
        "      --stop-at D           column where runs end that need not finish (400000)\n"
        "      --scale X             multiply the lengths of generated pairs, in 'batch' and\n"
        "                            'batch_grid' their number, above 0 to 1 (1)\n"
        "      --max-length N        leave out generated pairs with longer sequences\n"
        "      --limit-seconds X     leave out engines that would take longer, in 'similar' and\n"
        "                            'choice', and pairs that do, in 'align' (10)\n"
        "      --engine NAME         of timed runs: wavefront (default), bitparallel, or auto\n"
        "                            (default of 'matrix' and those after it); in 'similar'\n"
        "                            and 'choice' this one of them alone\n" CLI_TUNE_HELP
        "      --verify-long         verify a chromosome by a sweep in one direction\n"
        "      --write PREFIX        write a pair of 'synthetic', 'similar', 'chromosome' or "
        "'align'\n"
        "                            to PREFIX.target.fa and PREFIX.query.fa, instead of running\n"
        "                            it\n"
        "      --seconds X           what 'tune' may take, compiling included (60)\n"
        "      --row FILE            where 'tune' writes its row (standard output)\n"
        "      --instructions X      of a wavefront's cell, for the issue limit of 'saturated' "
        "(22.5)\n"
        "      --lanes-per-unit N    of a compute unit, for the same (128 for NVIDIA)\n"
        "      --program FILE        rhomb, for the suites 'whole' and 'batch'\n"
        "      --workers N           of a batch, 1 to 64 (as the library chooses)\n"
        "      --peer-threads N      of edlib and WFA2 beside a batch, 1 to 1024 (all cores)\n"
        "  -h, --help                this text\n\n"
        "Exit: 0; 1 for a wrong distance or a call that failed; 2 for wrong usage.\n",
        to);
}

static bool parse_int(const char *name, const char *text, int64_t low, int64_t high, int64_t *out)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno == 0 && end != text && *end == '\0' && value >= low && value <= high) {
        *out = value;
        return true;
    }
    fprintf(stderr, "rhomb_bench: %s: '%s' is no whole number from %lld to %lld\n", name, text,
            (long long)low, (long long)high);
    return false;
}

static bool parse_real(const char *name, const char *text, double most, double *out)
{
    char *end;
    const double value = strtod(text, &end);
    if (end != text && *end == '\0' && value > 0 && value <= most) {
        *out = value;
        return true;
    }
    fprintf(stderr, "rhomb_bench: %s: '%s' is no number above 0 and up to %g\n", name, text, most);
    return false;
}

static bool parse_tuning(const char *text, bench *b)
{
    const char *unknown = cli_read_tuning(text, &b->tuning, &b->rates);
    if (unknown == NULL)
        return true;
    fprintf(stderr, "rhomb_bench: --tune does not know '%.*s'\n", (int)strcspn(unknown, ","),
            unknown);
    return false;
}

/* "A,B", or "generated". */
static bool parse_ladder_pair(char *text, const char *names[2])
{
    char *comma = strchr(text, ',');
    names[0] = names[1] = NULL;
    if (comma == NULL) {
        if (strcmp(text, "generated") == 0)
            return true;
        fprintf(stderr, "rhomb_bench: --ladder-pair: '%s' is neither A,B nor 'generated'\n", text);
        return false;
    }
    *comma = '\0';
    names[0] = text;
    names[1] = comma + 1;
    return true;
}

/* The options that only a suite or two look at. */
static bool parse_suite_option(int letter, const char *text, bench *b)
{
    int64_t number = 0;
    switch (letter) {
    case OPTION_LIMIT_SECONDS:
        return parse_real("--limit-seconds", text, 1e6, &b->limit_seconds);
    case OPTION_VERIFY_LONG:
        b->verify_long = true;
        return true;
    case OPTION_SECONDS:
        return parse_real("--seconds", text, 1e6, &b->tune_seconds);
    case OPTION_ROW:
        b->row = text;
        return true;
    case OPTION_INSTRUCTIONS:
        return parse_real("--instructions", text, 1e6, &b->instructions);
    case OPTION_LANES_PER_UNIT:
        return parse_int("--lanes-per-unit", text, 1, 1 << 20, &b->lanes_per_unit);
    case OPTION_WORKERS:
        if (!parse_int("--workers", text, 1, 64, &number))
            return false;
        b->workers = (int32_t)number;
        return true;
    case OPTION_PEER_THREADS:
        if (!parse_int("--peer-threads", text, 1, 1024, &number))
            return false;
        b->peer_threads = (int)number;
        return true;
    default:
        return false; /* getopt has said why */
    }
}

static bool parse_option(int letter, char *text, bench *b, const char **csv)
{
    int64_t number = 0;
    switch (letter) {
    case 'd':
        b->device = text;
        return true;
    case 'n':
        if (!parse_int("--repeat", text, 1, BENCH_MAX_RUNS, &number))
            return false;
        b->repeat = (int)number;
        return true;
    case OPTION_CSV:
        *csv = text;
        return true;
    case OPTION_DATA:
        b->data = text;
        return true;
    case OPTION_COMMIT:
        b->commit = text;
        return true;
    case OPTION_ONLY:
        b->only = text;
        return true;
    case OPTION_LADDER_PAIR:
        return parse_ladder_pair(text, b->ladder_pair);
    case OPTION_MAX_KNOWN_DISTANCE:
        return parse_int("--max-known-distance", text, 0, INT64_MAX, &b->max_known_distance);
    case OPTION_STOP_AT:
        return parse_int("--stop-at", text, 2, INT32_MAX, &b->stop_at);
    case OPTION_SCALE:
        return parse_real("--scale", text, 1, &b->scale);
    case OPTION_MAX_LENGTH:
        return parse_int("--max-length", text, 1, INT64_MAX, &b->max_length);
    case OPTION_WRITE:
        b->write = text;
        b->instead = bench_pair_write;
        return true;
    case OPTION_PROGRAM:
        b->program = text;
        return true;
    case OPTION_ENGINE:
        b->engine_given = true;
        return parse_engine(text, &b->engine);
    case OPTION_TUNE:
        return parse_tuning(text, b);
    default:
        return parse_suite_option(letter, text, b);
    }
}

/*
 * The command as the CSV file shows it: without the options that only say where files lie, so that
 * rows from different machines compare and name no one's folders.
 */
static void record_command(bench *b, int argc, char **argv)
{
    static const char *const PLACES[] = {"--csv",   "--data", "--commit",
                                         "--write", "--row",  "--program"};
    size_t used = (size_t)snprintf(b->command, sizeof b->command, "rhomb_bench");
    for (int i = 1; i < argc; i++) {
        bool place = false, joined = false;
        for (size_t p = 0; p < sizeof PLACES / sizeof PLACES[0]; p++) {
            const size_t length = strlen(PLACES[p]);
            if (strncmp(argv[i], PLACES[p], length) == 0) {
                place = place || argv[i][length] == '\0' || argv[i][length] == '=';
                joined = joined || argv[i][length] == '=';
            }
        }
        if (place) {
            i += joined ? 0 : 1;
            continue;
        }
        const bool quote = argv[i][strcspn(argv[i], " '%")] != '\0';
        const int more =
            snprintf(b->command + used, sizeof b->command - used, quote ? " '%s'" : " %s", argv[i]);
        used += (size_t)more;
        if (used >= sizeof b->command)
            return;
    }
}

/* Which suites are asked for; false for a name that is none, or none for what is asked. */
static bool choose_suites(char **names, bool writing, bool chosen[SUITE_COUNT])
{
    for (; *names != NULL; names++) {
        int i = 0;
        while (i < SUITE_COUNT && strcmp(*names, SUITES[i].name) != 0)
            i++;
        if (i == SUITE_COUNT) {
            fprintf(stderr, "rhomb_bench: no suite is called '%s'\n", *names);
            return false;
        }
        if (writing && !SUITES[i].writes) {
            fprintf(stderr, "rhomb_bench: the suite '%s' has no pairs to write\n", *names);
            return false;
        }
        chosen[i] = true;
    }
    return true;
}

/* The columns of the suites that were chosen; false where one CSV file would need two kinds. */
static bool choose_columns(const bool chosen[SUITE_COUNT], const char *csv, bench_rows *rows)
{
    bool kinds[BENCH_ROWS_COUNT] = {false};
    int count = 0;
    for (int i = 0; i < SUITE_COUNT; i++) {
        if (!chosen[i] || kinds[SUITES[i].rows])
            continue;
        kinds[SUITES[i].rows] = true;
        *rows = SUITES[i].rows;
        count++;
    }
    if (csv == NULL || count < 2)
        return true;
    fputs("rhomb_bench: batches and alignments have columns of their own, and so need a CSV file "
          "of their own\n",
          stderr);
    return false;
}

static void run_suites(bench *b, const bool chosen[SUITE_COUNT])
{
    for (int i = 0; i < SUITE_COUNT; i++) {
        if (!chosen[i])
            continue;
        if (!SUITES[i].opens_by_itself && b->write == NULL) {
            if (!bench_open(b))
                return;
            bench_heading(b, SUITES[i].name);
        }
        if (!SUITES[i].run(b))
            b->failed = true;
    }
    if (b->write != NULL && !b->written && !b->failed)
        bench_fail(b, "--write: none of the pairs is asked for");
}

int main(int argc, char **argv)
{
    static const rhomb_tuning no_tuning = RHOMB_TUNING_INIT;
    static const rhomb_rates no_rates = RHOMB_RATES_INIT;
    const char *commit = getenv("RHOMB_BENCH_COMMIT");
    const char *csv = NULL;
    bool chosen[SUITE_COUNT] = {false};
    bench_rows rows = BENCH_ROWS_CASES;
    bench b = {.data = getenv("RHOMB_DATA"),
               .commit = commit != NULL ? commit : RHOMB_BENCH_COMMIT,
               .ladder_pair = {"BA000035", "BX927147"},
               .tuning = no_tuning,
               .rates = no_rates,
               .repeat = 5,
               .scale = 1,
               .stop_at = 400000,
               .max_known_distance = INT64_MAX,
               .max_length = INT64_MAX,
               .limit_seconds = 10,
               .tune_seconds = 60,
               .instructions = 22.5};
    int letter;
    record_command(&b, argc, argv);
    while ((letter = getopt_long(argc, argv, "d:n:h", LONGS, NULL)) != -1) {
        if (letter == 'h') {
            usage(stdout);
            return 0;
        }
        if (!parse_option(letter, optarg, &b, &csv))
            return 2;
    }
    if (optind == argc) {
        usage(stderr);
        return 2;
    }
    if (!choose_suites(argv + optind, b.write != NULL, chosen) ||
        !choose_columns(chosen, csv, &rows))
        return 2;
    describe_machine(b.machine, sizeof b.machine);
    if (bench_environment_keep(&b) && bench_csv_open(&b, csv, rows))
        run_suites(&b, chosen);
    bench_csv_close(&b);
    rhomb_context_destroy(b.ctx);
    bench_environment_release(&b);
    return b.failed ? 1 : 0;
}
