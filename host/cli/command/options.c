/* SPDX-License-Identifier: MIT */
/*
 * Reads command lines by the tables of a command, see command.h: getopt_long() finds the options,
 * words.c reads numbers and words. A message about a wrong option suggests the nearest one.
 */
#include "host/cli/command/options.h"

#include "host/cli/command/command.h"

#include <assert.h>
#include <getopt.h>
#include <strings.h>

enum { MOST_OPTIONS = 64, PARTS_MOST = 1000000 };

const cli_option cli_message_options[] = {
    {.name = "quiet", .kind = CLI_OPTION_QUIET, .help = "print errors only"},
    {.name = "verbose",
     .letter = 'v',
     .kind = CLI_OPTION_VERBOSE,
     .help = "print details such as times and memory; twice for more"},
    {.name = "help",
     .letter = 'h',
     .kind = CLI_OPTION_HELP,
     .help = "-h: the options that most people need; --help: all"},
    {.name = NULL},
};

const cli_word cli_off[1] = {{"off", 0}};

/* The options of a command, in the order of its lists, as getopt_long() has them. */
typedef struct reader {
    const cli_command *command;
    void *arguments;
    const cli_option *options[MOST_OPTIONS];
    const char *values[MOST_OPTIONS];      /* of those that were given; "" without one */
    struct option longs[MOST_OPTIONS + 1]; /* val is the index, plus FIRST_CODE */
    char letters[2 * MOST_OPTIONS + 2];
    size_t count;
} reader;

enum { FIRST_CODE = 256 };

int cli_read_tune(const cli_command *command, const char *text, const cli_key *keys, size_t count,
                  void *fields)
{
    const char *bad = cli_read_keys(text, keys, count, fields);
    if (bad == NULL)
        return CLI_OK;
    char name[32];
    const cli_key *key = cli_find_key(bad, keys, count);
    const char *hint = key != NULL ? key->hint : NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bad, "=,"), bad);
    return cli_bad_usage(command, "--tune: %s in '%.*s'%s%s%s",
                         key == NULL ? "unknown key" : "invalid value", (int)strcspn(bad, ","), bad,
                         hint != NULL ? ": " : "", hint != NULL ? hint : "",
                         key == NULL ? cli_nearest(name, "", keys, count, sizeof *keys).text : "");
}

/* Names the commands for sequences that have the option, if any does. */
static void name_others(cli_hint *hint, const char *name)
{
    static const cli_command *const OTHERS[] = {&cli_command_align, &cli_command_batch,
                                                &cli_command_distance, &cli_command_matrix};
    size_t number = 0;
    for (size_t i = 0; i < CLI_COUNT(OTHERS); i++) {
        if (cli_find_option(OTHERS[i], name, &number) == NULL)
            continue;
        const size_t used = strlen(hint->text);
        snprintf(hint->text + used, sizeof hint->text - used, "%s'rhomb %s'",
                 used == 0 ? "; it is an option of " : ", ", OTHERS[i]->name);
    }
}

/* Names the first option that has the name as a value, such as --format for "vcf". */
static void name_value(const reader *r, cli_hint *hint, const char *name)
{
    for (size_t i = 0; i < r->count; i++) {
        const cli_option *option = r->options[i];
        for (size_t k = 0; k < option->word_count; k++) {
            if (hint->text[0] == '\0' && strcmp(option->words[k].word, name) == 0)
                snprintf(hint->text, sizeof hint->text, "; did you mean '--%s %s'?", option->name,
                         name);
        }
    }
}

/* A long option, as typed: unknown, or the prefix of several. */
static int bad_long_option(const reader *r, const char *typed)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
    size_t count = 0;
    size_t beginnings = 0;
    for (; count < r->count; count++)
        beginnings += strncmp(r->longs[count].name, name, strlen(name)) == 0;
    if (strcmp(name, "calibrate") == 0 && strcmp(r->command->name, "devices") == 0)
        return cli_bad_usage(r->command, "option '--calibrate' is gone: estimates go by the "
                                         "device's profile");
    if (beginnings > 1)
        return cli_bad_usage(r->command, "option '--%s' is ambiguous", name);
    cli_hint hint = cli_nearest(name, "--", r->longs, count, sizeof r->longs[0]);
    name_value(r, &hint, name);
    if (hint.text[0] == '\0')
        name_others(&hint, name);
    return cli_bad_usage(r->command, "unknown option '--%s'%s", name, hint.text);
}

/* What a short option of minimap2's is here, by an option of the command; NULL if none is known. */
static const char *foreign_option(const reader *r, int name)
{
    static const struct {
        int name;
        const char *option, *here;
    } FOREIGN[] = {
        {'x', "score", "minimap2's presets are --score, such as --score asm5"},
        {'a', "cs", "SAM is --format sam or -o FILE.sam"},
        {'a', "cigar", "'rhomb align' writes SAM, by --format sam"},
        {'c', "cs", "PAF always has the CIGAR, with = and X"},
        {'c', "cigar", "the CIGAR is --cigar"},
        {'x', "device", "'rhomb align' has minimap2's presets, as --score asm5"},
        {'a', "device", "'rhomb align' writes SAM, by --format sam"},
        {'c', "device", "'rhomb align' writes the CIGAR"},
    };
    for (size_t i = 0; i < CLI_COUNT(FOREIGN); i++) {
        for (size_t k = 0; k < r->count && FOREIGN[i].name == name; k++) {
            if (strcmp(r->options[k]->name, FOREIGN[i].option) == 0)
                return FOREIGN[i].here;
        }
    }
    return NULL;
}

/* What was wrong after getopt_long() returned '?' or ':'. */
static int bad_option(const reader *r, char **argv, int code)
{
    const char *typed = argv[optind - 1];
    const bool is_long = strncmp(typed, "--", 2) == 0;
    if (code == ':' && is_long)
        return cli_bad_usage(r->command, "option '%s' needs a value", typed);
    if (code == ':')
        return cli_bad_usage(r->command, "option '-%c' needs a value", optopt);
    if (optopt == 0)
        return bad_long_option(r, typed);
    if (optopt >= FIRST_CODE)
        return cli_bad_usage(r->command, "option '--%s' takes no value",
                             r->options[optopt - FIRST_CODE]->name);
    const char *here = foreign_option(r, optopt);
    return cli_bad_usage(r->command, "unknown option '-%c'%s%s", optopt, here != NULL ? ": " : "",
                         here != NULL ? here : "");
}

static bool has_value(const cli_option *option)
{
    return option->kind >= CLI_OPTION_TEXT;
}

static void start(reader *r)
{
    char *letter = r->letters;
    *letter++ = ':'; /* getopt_long() prints nothing, and tells a missing value from the rest */
    for (size_t i = 0; i < CLI_GROUPS; i++) {
        for (const cli_option *o = r->command->options[i]; o != NULL && o->name != NULL; o++) {
            assert(r->count < MOST_OPTIONS);
            r->options[r->count] = o;
            r->longs[r->count] = (struct option){o->name,
                                                 !has_value(o)       ? no_argument
                                                 : o->may_lack_value ? optional_argument
                                                                     : required_argument,
                                                 NULL, FIRST_CODE + (int)r->count};
            r->count++;
            if (o->letter != '\0')
                *letter++ = o->letter;
            if (o->letter != '\0' && has_value(o))
                *letter++ = ':';
        }
    }
}

/* The number of an option, by its code: that number or a letter; of the one that it is now. */
static size_t number_of(const reader *r, int code)
{
    size_t i = 0, now = 0;
    while (i < r->count && FIRST_CODE + (int)i != code && r->options[i]->letter != code)
        i++;
    if (r->options[i]->kind != CLI_OPTION_EARLIER)
        return i;
    while (strcmp(r->options[now]->name, r->options[i]->value) != 0)
        now++;
    cli_note(0, "--%s is called --%s now", r->options[i]->name, r->options[now]->name);
    return now;
}

static int set_number(const reader *r, const cli_option *option, const char *text)
{
    char *field = (char *)r->arguments + option->at;
    int64_t number;
    const bool is_number = cli_parse_count(text, &number);
    if (option->kind == CLI_OPTION_COUNT && !is_number)
        return cli_bad_usage(r->command,
                             "--%s: '%s' is not a valid number (digits, then K, M or G)",
                             option->name, text);
    const bool is_thread = option->kind == CLI_OPTION_THREADS;
    if (!is_number || (option->kind != CLI_OPTION_COUNT && number < 1) ||
        (is_thread && number > INT32_MAX))
        return cli_bad_usage(r->command, "--%s: '%s' is not a positive integer%s", option->name,
                             text, is_thread ? "" : " (digits, then K, M or G)");
    if (is_thread)
        *(int32_t *)(void *)field = (int32_t)number;
    else
        *(int64_t *)(void *)field = number;
    return CLI_OK;
}

/* An enum is stored like an int. */
static void set_int(void *field, int value)
{
    memcpy(field, &value, sizeof value);
}

static int set_word(const reader *r, const cli_option *option, const char *text)
{
    int value;
    if (!cli_parse_word(text, option->words, option->word_count, &value))
        return cli_bad_word(r->command, option->name, text, option->words, option->word_count);
    set_int((char *)r->arguments + option->at, value);
    return CLI_OK;
}

static int set_option(const reader *r, const cli_option *option, const char *text)
{
    void *field = (char *)r->arguments + option->at;
    switch (option->kind) {
    case CLI_OPTION_BOOL:
        *(bool *)field = option->constant != 0;
        return CLI_OK;
    case CLI_OPTION_INT:
        set_int(field, option->constant);
        return CLI_OK;
    case CLI_OPTION_FLAG:
        *(uint32_t *)field |= (uint32_t)option->constant;
        return CLI_OK;
    case CLI_OPTION_QUIET:
        cli_set_verbosity(-1);
        return CLI_OK;
    case CLI_OPTION_VERBOSE:
        cli_more_verbose();
        return CLI_OK;
    case CLI_OPTION_KEPT:
        if (text == NULL)
            return option->read(r->command, NULL, r->arguments);
        if (cli_is_standard_output(text))
            return cli_bad_usage(r->command, "--%s needs the name of a file", option->name);
        /* fall through */
    case CLI_OPTION_OUTPUT:
    case CLI_OPTION_FOLDER:
        if (text[0] == '\0')
            return cli_bad_usage(r->command, "--%s: the file name is empty", option->name);
        *(const char **)field = text;
        return CLI_OK;
    case CLI_OPTION_TEXT:
    case CLI_OPTION_INPUT:
        *(const char **)field = text;
        return CLI_OK;
    case CLI_OPTION_WORD:
        return set_word(r, option, text);
    case CLI_OPTION_CALL:
        return option->read(r->command, text, field);
    default:
        return set_number(r, option, text);
    }
}

/* What --resume, which took no FILE in the version before, may have taken for one; NULL if it is
 * not given. */
static const char *kept_file(const reader *r)
{
    for (int group = 0; group < CLI_GROUPS; group++) {
        const cli_option *o = r->command->options[group];
        for (; o != NULL && o->name != NULL; o++)
            if (o->kind == CLI_OPTION_KEPT)
                return *(const char **)(void *)((char *)r->arguments + o->at);
    }
    return NULL;
}

/* Whether the option was given that operands are left out for. */
static bool has_instead(const reader *r)
{
    size_t number;
    return r->command->instead != NULL &&
           cli_find_option(r->command, r->command->instead, &number) != NULL &&
           r->values[number] != NULL;
}

static int read_operands(const reader *r, int count, char **operands)
{
    const cli_command *command = r->command;
    int most = 0, standard = 0;
    if (count == 0 && has_instead(r))
        return CLI_OK;
    while (most < CLI_OPERANDS && command->operands[most].name != NULL)
        most++;
    const char *paf = command->takes_paf && count > 0 && strstr(operands[0], ".paf") == NULL
                          ? ": PAF comes first; 'rhomb align TARGET QUERY -o FILE.paf' writes it"
                          : "";
    const char *kept = kept_file(r);
    if (count < command->least_operands && kept != NULL)
        return cli_bad_usage(command, "missing argument: %s; --resume takes '%s' for its FILE",
                             command->operands[count].name, kept);
    if (count < command->least_operands)
        return cli_bad_usage(command, "missing argument: %s%s", command->operands[count].name, paf);
    if (count > most && !command->takes_list)
        return cli_bad_usage(command, "unexpected argument '%s'%s", operands[most], paf);
    if (command->takes_list) {
        cli_operand_list *list = (void *)((char *)r->arguments + command->operands[0].at);
        *list = (cli_operand_list){(const char *const *)operands, count};
    }
    for (int i = 0; i < count; i++) {
        if (!command->takes_list)
            *(const char **)(void *)((char *)r->arguments + command->operands[i].at) = operands[i];
        standard += strcmp(operands[i], "-") == 0;
    }
    if (standard > 1)
        return cli_bad_usage(command, "only one of the files can be standard input");
    return CLI_OK;
}

int cli_read_part(const cli_command *command, const char *text, void *part)
{
    cli_part_asked *out = part;
    const char *slash = strchr(text, '/');
    char number[24] = "";
    if (slash != NULL && (size_t)(slash - text) < sizeof number)
        memcpy(number, text, (size_t)(slash - text));
    if (slash == NULL || !cli_parse_count(number, &out->number) ||
        !cli_parse_count(slash + 1, &out->of) || out->of > PARTS_MOST)
        return cli_bad_usage(command, "--part: '%s' is not K/N, for part K of N, up to %d of them",
                             text, PARTS_MOST);
    if (out->number < 1 || out->number > out->of)
        return cli_bad_usage(command,
                             "--part: there is no part %" PRId64 " of %" PRId64
                             ": parts are counted from 1",
                             out->number, out->of);
    return CLI_OK;
}

const cli_word cli_strand_words[2] = {{"+", false}, {"auto", true}};

int cli_read_strand(const cli_command *command, const char *text, void *is_auto)
{
    *(bool *)is_auto = strcasecmp(text, "auto") == 0;
    return *(bool *)is_auto || strcmp(text, "+") == 0
               ? CLI_OK
               : cli_bad_usage(command, "--strand: '%s' is not + or auto", text);
}

int cli_read_identity(const cli_command *command, const char *text, void *share)
{
    char *end = NULL;
    const double percent = strtod(text, &end);
    const bool has_sign = end != text && *end == '%';
    if (end == text || end[has_sign] != '\0' || !(percent > 1 && percent <= 99.99))
        return cli_bad_usage(
            command, "--min-identity: '%s' is not a percentage above 1 and below 100", text);
    *(double *)share = percent / 100;
    return CLI_OK;
}

const rhomb_scoring *cli_score_costs(const cli_score *score)
{
    return score->text != NULL ? &score->costs : NULL;
}

/* The matrix of a scoring, which is the context's, becomes the options'. */
static int keep_matrix(const cli_command *command, cli_score *score)
{
    const rhomb_score_matrix *matrix = score->costs.matrix;
    if (matrix == NULL)
        return CLI_OK;
    if (strlen(matrix->name) >= sizeof score->name)
        return cli_bad_usage(command, "--score: the name of the matrix is too long");
    score->matrix = *matrix;
    memcpy(score->name, matrix->name, strlen(matrix->name) + 1);
    score->matrix.name = score->name;
    score->costs.matrix = &score->matrix;
    return CLI_OK;
}

/* What a scoring was meant to be. */
static cli_hint nearest_score(const char *text)
{
    static const char MATRIX[] = "matrix:";
    static const char *const MATRICES[] = {"BLOSUM45", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30",
                                           "PAM70",    "PAM250",   "NUC.4.4",  "HOXD70"};
    static const size_t count = CLI_COUNT(MATRICES);
    const bool is_matrix = strncmp(text, MATRIX, strlen(MATRIX)) == 0;
    cli_hint hint = {""};
    char name[16];
    if (is_matrix)
        text += strlen(MATRIX);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":,"), text);
    if (is_matrix)
        return cli_nearest(name, MATRIX, MATRICES, count, sizeof MATRICES[0]);
    for (size_t i = 0; i < count; i++)
        if (strncasecmp(name, MATRICES[i], strlen(name) < 3 ? 3 : strlen(name)) == 0)
            snprintf(hint.text, sizeof hint.text,
                     "; a matrix is given with costs of gaps, as matrix:%s,11,1", MATRICES[i]);
    return hint.text[0] != '\0' ? hint
                                : cli_nearest(name, "", cli_scorings, CLI_COUNT(cli_scorings),
                                              sizeof cli_scorings[0]);
}

/* Only the library reads scorings, and only a context can say what is wrong with one. */
int cli_read_score(const cli_command *command, const char *text, void *field)
{
    cli_score *score = field;
    rhomb_context *ctx = NULL;
    rhomb_status status = cli_context_create(&ctx, "off", 1);
    if (status != RHOMB_OK)
        return cli_fail(NULL, status);
    score->text = text;
    status = rhomb_scoring_parse(ctx, text, &score->costs);
    const cli_hint hint = nearest_score(text);
    const int code =
        status == RHOMB_OK ? keep_matrix(command, score)
        : status == RHOMB_ERR_ARGUMENT
            ? cli_bad_usage(command, "--score: %s%s", rhomb_context_error(ctx), hint.text)
            : cli_fail(ctx, status);
    rhomb_context_destroy(ctx);
    return code;
}

bool cli_score_is_minimap2(const cli_score *score)
{
    static const char *const PRESETS[] = {"asm5", "asm10", "asm20", "map-ont"};
    for (size_t i = 0; score->text != NULL && i < CLI_COUNT(PRESETS); i++) {
        if (strcmp(score->text, PRESETS[i]) == 0)
            return true;
    }
    return false;
}

int cli_check_score(const cli_command *command, const cli_score *score, rhomb_alphabet alphabet,
                    rhomb_mode mode)
{
    static const char INSTEAD[] = "for proteins take --score matrix:BLOSUM62,11,1";
    const rhomb_score_matrix *matrix = score->text != NULL ? score->costs.matrix : NULL;
    const bool is_protein = alphabet == RHOMB_ALPHABET_PROTEIN;
    if (is_protein && cli_score_is_minimap2(score))
        return cli_bad_usage(command, "--score %s is for nucleotides; %s", score->text, INSTEAD);
    if (matrix == NULL)
        return CLI_OK;
    if (matrix->alphabet == RHOMB_ALPHABET_PROTEIN && !is_protein)
        return cli_bad_usage(command,
                             "--score %s is for proteins, which are compared with "
                             "--alphabet protein",
                             score->text);
    if (matrix->alphabet != RHOMB_ALPHABET_PROTEIN && is_protein)
        return cli_bad_usage(command, "--score %s is for nucleotides; %s", score->text, INSTEAD);
    if ((mode == RHOMB_MODE_LOCAL || mode == RHOMB_MODE_EXTEND) && score->costs.match == 0)
        return cli_bad_usage(command,
                             "--mode %s needs a matrix with a score above 0: by %s nothing aligned "
                             "is always best",
                             mode == RHOMB_MODE_LOCAL ? "local" : "extend", matrix->name);
    return CLI_OK;
}

/* The word of the list that a value is, in any case; else the value. */
static const char *as_word(const cli_option *option, const char *text)
{
    for (size_t i = 0; text != NULL && i < option->word_count; i++) {
        if (strcasecmp(option->words[i].word, text) == 0)
            return option->words[i].word;
    }
    return text;
}

int cli_read_options(const cli_command *command, int argc, char **argv, void *arguments)
{
    reader r = {.command = command, .arguments = arguments};
    int code;
    start(&r);
    while ((code = getopt_long(argc, argv, r.letters, r.longs, NULL)) != -1) {
        if (code == '?' || code == ':')
            return bad_option(&r, argv, code);
        const size_t number = number_of(&r, code);
        const cli_option *option = r.options[number];
        if (option->kind == CLI_OPTION_HELP) {
            cli_show_help(command, code == option->letter);
            return CLI_HELP_SHOWN;
        }
        if (option->may_lack_value && optarg == NULL && optind < argc && argv[optind][0] != '-')
            optarg = argv[optind++];
        const char *value = as_word(option, optarg);
        const int status = set_option(&r, option, value);
        if (status != CLI_OK)
            return status;
        r.values[number] = value != NULL ? value : "";
    }
    const cli_given given = {command, arguments, r.values};
    int status = read_operands(&r, argc - optind, argv + optind);
    if (status == CLI_OK)
        status = cli_files_check(command, arguments);
    if (status == CLI_OK && command->endings != NULL)
        status = cli_choose_format(command, arguments);
    return status == CLI_OK ? cli_check_rules(&given) : status;
}
