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

static double clock_seconds(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_now(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double bench_cpu_now(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

bool bench_wants(const bench *b, const char *name)
{
    return b->only == NULL || strstr(name, b->only) != NULL;
}

const char *bench_engine_name(rhomb_engine engine)
{
    return cli_word_of((int)engine, cli_engines, CLI_COUNT(cli_engines));
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

/* The CPU and how many cores the system shows. */
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

typedef enum option_kind {
    TEXT,  /* const char * */
    PLACE, /* the same, which only says where files lie */
    WHOLE, /* int64_t, from `least` to `most` */
    REAL,  /* double, above 0 and up to `most` */
    FLAG,  /* bool */
    ENGINE,
    LADDER_PAIR,
    TUNE
} option_kind;

typedef struct option_row {
    const char *name;
    option_kind kind;
    size_t field; /* of bench, by its offset */
    int64_t least;
    double most;
    const char *value;
    const char *help; /* lines after the first one are indented */
} option_row;

#define FIELD(name) offsetof(bench, name)

/* The first ones have a short form, in the same order. */
static const char SHORTS[] = "d:n:h";
static const option_row OPTIONS[] = {
    {"device", TEXT, FIELD(device), 0, 0, "SEL", "as rhomb devices lists them (the best)"},
    {"repeat", WHOLE, FIELD(repeat), 1, BENCH_MAX_RUNS, "N", "timed runs of a case, 1 to 100 (5)"},
    {"csv", PLACE, FIELD(csv_path), 0, 0, "FILE", "write a row for each case"},
    {"data", PLACE, FIELD(data), 0, 0, "DIR", "folder of the real sequences (RHOMB_DATA)"},
    {"commit", PLACE, FIELD(commit), 0, 0, "TEXT",
     "commit in the CSV file (RHOMB_BENCH_COMMIT,\nor the one built)"},
    {"only", TEXT, FIELD(only), 0, 0, "TEXT", "only cases whose name contains it"},
    {"ladder-pair", LADDER_PAIR, 0, 0, 0, "A,B",
     "pair of the ladder, or 'generated'\n(BA000035,BX927147)"},
    {"max-known-distance", WHOLE, FIELD(max_known_distance), 0, (double)INT64_MAX, "D",
     "leave out pairs with larger distances"},
    {"stop-at", WHOLE, FIELD(stop_at), 2, INT32_MAX, "D",
     "column where runs end that need not finish (400000)"},
    {"scale", REAL, FIELD(scale), 0, 1, "X",
     "multiply the lengths of generated pairs, in 'batch'\nand 'batch_grid' their number, above 0 "
     "to 1 (1)"},
    {"max-length", WHOLE, FIELD(max_length), 1, (double)INT64_MAX, "N",
     "leave out generated pairs with longer sequences"},
    {"limit-seconds", REAL, FIELD(limit_seconds), 0, 1e6, "X",
     "leave out engines that would take longer, in 'similar',\n'choice' and 'align_score', pairs "
     "that do, in 'align',\n'guided' and 'score', and BiWFA where it would, in 'score' "
     "and\n'align_score' "
     "(10)"},
    {"most-seconds", REAL, FIELD(most_seconds), 0, 1e6, "X",
     "begin no pair of a suite later than that (no limit)"},
    {"engine", ENGINE, 0, 0, 0, "NAME",
     "of timed runs: wavefront (default), bitparallel, or\nauto (default of 'matrix' and those "
     "after it); in\n'similar', 'choice' and 'align_score' this one of them alone"},
    {"tune", TUNE, 0, 0, 0, "KEY=VALUE,...",
     "another tile or shape, as of rhomb distance; its manual\npage has the keys"},
    {"verify-long", FLAG, FIELD(verify_long), 0, 0, NULL,
     "verify a chromosome by a sweep in one direction"},
    {"write", PLACE, FIELD(write), 0, 0, "PREFIX",
     "write a pair of 'synthetic', 'similar', 'choice',\n'chromosome', 'score', 'guided' or "
     "'align' to PREFIX.target.fa and\nPREFIX.query.fa, instead of running it"},
    {"seconds", REAL, FIELD(tune_seconds), 0, 1e6, "X",
     "what 'tune' may take, compiling included (60)"},
    {"row", PLACE, FIELD(row), 0, 0, "FILE", "where 'tune' writes its row (standard output)"},
    {"instructions", REAL, FIELD(instructions), 0, 1e6, "X",
     "of a wavefront's cell, for the issue limit of\n'saturated' (22.5)"},
    {"lanes-per-unit", WHOLE, FIELD(lanes_per_unit), 1, 1 << 20, "N",
     "of a compute unit, for the same (128 for NVIDIA)"},
    {"program", PLACE, FIELD(program), 0, 0, "FILE", "rhomb, for the suites 'whole' and 'batch'"},
    {"one-bin", WHOLE, FIELD(one_bin), 0, 1, "0|1",
     "1: pairs of a mode's batch take as many work-items, whatever their length (0)"},
    {"score-bits", WHOLE, FIELD(score_bits), 0, 32, "0|16|32",
     "16: their scores have as many bits where they suffice; 32: never (0: as\nthe device does "
     "best)"},
    {"bit-planes", WHOLE, FIELD(bit_planes), 0, 2, "0|1|2",
     "1: such batches compute all matrices in bit planes; 2: none (0: where that\ntakes less)"},
    {"workers", WHOLE, FIELD(workers), 1, 64, "N", "of a batch, 1 to 64 (as the library chooses)"},
    {"peer-threads", WHOLE, FIELD(peer_threads), 1, 1024, "N",
     "of edlib and WFA2 beside a batch, 1 to 1024 (all cores)"},
};

enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0], FIRST_LONG = 256 };

/* "  -d, --device SEL          what it means" */
static void put_option(FILE *to, char letter, const option_row *o)
{
    char text[64];
    const char *help = o->help;
    snprintf(text, sizeof text, "  %c%c%c --%s %s", letter != '\0' ? '-' : ' ',
             letter != '\0' ? letter : ' ', letter != '\0' ? ',' : ' ', o->name,
             o->value != NULL ? o->value : "");
    for (const char *left = text; help != NULL; left = "") {
        const int length = (int)strcspn(help, "\n");
        fprintf(to, "%-27s %.*s\n", left, length, help);
        help = help[length] != '\0' ? help + length + 1 : NULL;
    }
}

static void usage(FILE *to)
{
    static const option_row HELP = {.name = "help", .help = "this text"};
    fputs("Usage: rhomb_bench [options] SUITE...\nSuites, in this order; those of batches and of "
          "alignments need a CSV file of their own:",
          to);
    for (int i = 0; bench_suite_at(i) != NULL; i++)
        fprintf(to, "%s%s", i % 8 == 0 ? "\n  " : ", ", bench_suite_at(i)->name);
    fputs("\n\n", to);
    for (int i = 0; i < OPTION_COUNT; i++)
        put_option(to, i < 2 ? SHORTS[2 * i] : '\0', &OPTIONS[i]);
    put_option(to, 'h', &HELP);
    fputs("\nExit: 0; 1 for a wrong distance or a call that failed; 2 for wrong usage.\n", to);
}

static bool parse_whole(const option_row *o, const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno == 0 && end != text && *end == '\0' && value >= o->least &&
        (double)value <= o->most) {
        *out = value;
        return true;
    }
    fprintf(stderr, "rhomb_bench: --%s: '%s' is not a whole number from %lld to %.0f\n", o->name,
            text, (long long)o->least, o->most);
    return false;
}

static bool parse_real(const option_row *o, const char *text, double *out)
{
    char *end;
    const double value = strtod(text, &end);
    if (end != text && *end == '\0' && value > 0 && value <= o->most) {
        *out = value;
        return true;
    }
    fprintf(stderr, "rhomb_bench: --%s: '%s' is not a number above 0 and up to %g\n", o->name, text,
            o->most);
    return false;
}

static bool parse_engine(const char *text, bench *b)
{
    int value = 0;
    b->engine_given = cli_parse_word(text, cli_engines, CLI_COUNT(cli_engines), &value);
    b->engine = (rhomb_engine)value;
    if (!b->engine_given)
        fprintf(stderr, "rhomb_bench: --engine: '%s' is not auto, wavefront or bitparallel\n",
                text);
    return b->engine_given;
}

static bool parse_tuning(const char *text, bench *b)
{
    const char *unknown = cli_read_keys(text, cli_pair_keys, CLI_COUNT(cli_pair_keys), &b->tuning);
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

static bool parse_option(const option_row *o, char *text, bench *b)
{
    void *field = (char *)b + o->field;
    switch (o->kind) {
    case TEXT:
    case PLACE:
        *(const char **)field = text;
        return true;
    case WHOLE:
        return parse_whole(o, text, field);
    case REAL:
        return parse_real(o, text, field);
    case FLAG:
        *(bool *)field = true;
        return true;
    case ENGINE:
        return parse_engine(text, b);
    case LADDER_PAIR:
        return parse_ladder_pair(text, b->ladder_pair);
    case TUNE:
        return parse_tuning(text, b);
    }
    return false;
}

/* Reads all options; -1 to go on, or the exit code. */
static int parse_options(int argc, char **argv, bench *b)
{
    struct option longs[OPTION_COUNT + 2] = {{"help", no_argument, NULL, 'h'}};
    int letter;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option row = {OPTIONS[i].name,
                                   OPTIONS[i].kind == FLAG ? no_argument : required_argument, NULL,
                                   FIRST_LONG + i};
        longs[i + 1] = row;
    }
    while ((letter = getopt_long(argc, argv, SHORTS, longs, NULL)) != -1) {
        if (letter == 'h') {
            usage(stdout);
            return 0;
        }
        if (letter == '?')
            return 2; /* getopt has said why */
        const int i =
            letter >= FIRST_LONG ? letter - FIRST_LONG : (int)(strchr(SHORTS, letter) - SHORTS) / 2;
        if (!parse_option(&OPTIONS[i], optarg, b))
            return 2;
    }
    if (optind < argc)
        return -1;
    usage(stderr);
    return 2;
}

/* Whether a word is an option that only says where files lie; with `joined`, and its value. */
static bool is_place(const char *word, bool *joined)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const size_t length = strlen(OPTIONS[i].name);
        if (OPTIONS[i].kind == PLACE && strncmp(word, "--", 2) == 0 &&
            strncmp(word + 2, OPTIONS[i].name, length) == 0 &&
            (word[2 + length] == '\0' || word[2 + length] == '=')) {
            *joined = word[2 + length] == '=';
            return true;
        }
    }
    return false;
}

/*
 * The command as the CSV file shows it: without places, so that rows from different machines
 * compare and name no one's folders.
 */
static void record_command(bench *b, int argc, char **argv)
{
    size_t used = (size_t)snprintf(b->command, sizeof b->command, "rhomb_bench");
    for (int i = 1; i < argc && used < sizeof b->command; i++) {
        bool joined = false;
        if (is_place(argv[i], &joined)) {
            i += joined ? 0 : 1;
            continue;
        }
        const bool quote = argv[i][strcspn(argv[i], " '%")] != '\0';
        used += (size_t)snprintf(b->command + used, sizeof b->command - used,
                                 quote ? " '%s'" : " %s", argv[i]);
    }
}

/* Which suites are asked for; false for a name that is none, or none for what is asked. */
static bool choose_suites(char **names, const bench *b, bool chosen[BENCH_MOST_SUITES],
                          bench_rows *rows)
{
    bool mixed = false;
    for (char **name = names; *name != NULL; name++) {
        const bench_suite *suite;
        int i = 0;
        while ((suite = bench_suite_at(i)) != NULL && strcmp(*name, suite->name) != 0)
            i++;
        if (suite == NULL) {
            fprintf(stderr, "rhomb_bench: no suite is called '%s'\n", *name);
            return false;
        }
        if (b->write != NULL && !suite->writes) {
            fprintf(stderr, "rhomb_bench: the suite '%s' has no pairs to write\n", *name);
            return false;
        }
        if (b->engine_given && suite->method->own_engines) {
            fprintf(stderr, "rhomb_bench: the suite '%s' has no choice of an --engine\n", *name);
            return false;
        }
        mixed = mixed || (name != names && suite->method->rows != *rows);
        *rows = suite->method->rows;
        chosen[i] = true;
    }
    if (mixed && b->csv_path != NULL)
        fputs("rhomb_bench: batches and alignments have columns of their own, and so need a CSV "
              "file of their own\n",
              stderr);
    return !mixed || b->csv_path == NULL;
}

static void run_suites(bench *b, const bool chosen[BENCH_MOST_SUITES])
{
    for (int i = 0; bench_suite_at(i) != NULL; i++)
        if (chosen[i] && !bench_suite_run(b, bench_suite_at(i)))
            b->failed = true;
    if (b->write != NULL && !b->written && !b->failed)
        bench_fail(b, "--write: none of the pairs is asked for");
}

int main(int argc, char **argv)
{
    static const rhomb_tuning no_tuning = RHOMB_TUNING_INIT;
    const char *commit = getenv("RHOMB_BENCH_COMMIT");
    bool chosen[BENCH_MOST_SUITES] = {false};
    bench_rows rows = BENCH_ROWS_CASES;
    bench b = {.data = getenv("RHOMB_DATA"),
               .commit = commit != NULL ? commit : RHOMB_BENCH_COMMIT,
               .ladder_pair = {"BA000035", "BX927147"},
               .tuning = no_tuning,
               .repeat = 5,
               .scale = 1,
               .stop_at = 400000,
               .max_known_distance = INT64_MAX,
               .max_length = INT64_MAX,
               .limit_seconds = 10,
               .tune_seconds = 60,
               .instructions = 22.5};
    record_command(&b, argc, argv);
    const int code = parse_options(argc, argv, &b);
    if (code >= 0)
        return code;
    if (!choose_suites(argv + optind, &b, chosen, &rows))
        return 2;
    describe_machine(b.machine, sizeof b.machine);
    if (bench_environment_keep(&b) && bench_csv_open(&b, rows))
        run_suites(&b, chosen);
    bench_csv_close(&b);
    rhomb_context_destroy(b.ctx);
    bench_environment_release(&b);
    return b.failed ? 1 : 0;
}
