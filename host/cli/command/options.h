/* SPDX-License-Identifier: MIT */
/* Reading a command line by the tables of its command, and rows that several commands have. */
#ifndef RHOMB_CLI_OPTIONS_H
#define RHOMB_CLI_OPTIONS_H

#include "host/cli/base/words.h"
#include "host/cli/command/command.h"
#include "rhomb/batch.h"
#include "rhomb/local.h"
#include "rhomb/scoring.h"

/* What cli_read_options() returns once it has shown the help: not an exit status. */
enum { CLI_HELP_SHOWN = -1 };

/*
 * Reads the command line of a command into *arguments, which has the defaults. Texts are borrowed.
 *
 * At most one operand may be "-", files may not be in each other's way, the output's name may say
 * the format, and the rules have to hold. Returns CLI_OK, CLI_HELP_SHOWN, or an exit status after a
 * message.
 */
int cli_read_options(const cli_command *command, int argc, char **argv, void *arguments);

/* One of several parts of a command's pairs: "number/of", number from 1 on. All zeros: not asked.
 */
typedef struct cli_part_asked {
    int64_t number, of;
} cli_part_asked;

/* What --cache-dir takes besides a folder. */
extern const cli_word cli_off[1];

/* Of a matrix's name, which may be that of a file. */
enum { CLI_MATRIX_NAME_BYTES = 4096 };

/* A scoring, and as it was given. All zeros: it was not. */
typedef struct cli_score {
    const char *text;
    rhomb_scoring costs;
    rhomb_score_matrix matrix;        /* that of the costs, if they have one, ... */
    char name[CLI_MATRIX_NAME_BYTES]; /* ... and its name */
} cli_score;

/* RHOMB_OK, or CLI_USAGE after a message: the scoring and what it is for do not go together. */
int cli_check_score(const cli_command *command, const cli_score *score, rhomb_alphabet alphabet,
                    rhomb_mode mode);

/* Whether it is the name of a preset of minimap2. */
bool cli_score_is_minimap2(const cli_score *score);

/* The costs for the library; NULL: unit costs. */
const rhomb_scoring *cli_score_costs(const cli_score *score);

/*
 * Readers of rows: of --part into a cli_part_asked; of --score into a cli_score; of --min-identity,
 * which is in percent, into a double as a share. The exit status.
 */
int cli_read_part(const cli_command *command, const char *text, void *part);
int cli_read_score(const cli_command *command, const char *text, void *score);
int cli_read_identity(const cli_command *command, const char *text, void *share);

/* --strand of commands that know + and auto: whether it is auto, a bool. The exit status. */
extern const cli_word cli_strand_words[2];
int cli_read_strand(const cli_command *command, const char *text, void *is_auto);

/* Reads the value of --tune, as cli_read_keys(). The exit status. */
int cli_read_tune(const cli_command *command, const char *text, const cli_key *keys, size_t count,
                  void *fields);

/* --quiet, --verbose and --help, which all commands but `help` have. */
extern const cli_option cli_message_options[];

/*
 * Rows of the kinds: a switch, a constant, a value, a word of an array, what a function reads, the
 * same that words may be or begin.
 */
#define CLI_SWITCH(name_, at_, constant_, help_)                                                \
    {                                                                                           \
        .name = name_, .kind = CLI_OPTION_BOOL, .at = at_, .constant = constant_, .help = help_ \
    }
#define CLI_CONSTANT(name_, at_, constant_, help_)                                             \
    {                                                                                          \
        .name = name_, .kind = CLI_OPTION_INT, .at = at_, .constant = constant_, .help = help_ \
    }
#define CLI_VALUE(name_, letter_, kind_, at_, value_, help_)                                       \
    {                                                                                              \
        .name = name_, .letter = letter_, .kind = kind_, .at = at_, .value = value_, .help = help_ \
    }
#define CLI_CHOICE(name_, at_, words_, value_, help_)                       \
    {                                                                       \
        .name = name_, .kind = CLI_OPTION_WORD, .at = at_, .words = words_, \
        .word_count = CLI_COUNT(words_), .value = value_, .help = help_     \
    }
#define CLI_READ(name_, letter_, read_, at_, value_, help_)                                  \
    {                                                                                        \
        .name = name_, .letter = letter_, .kind = CLI_OPTION_CALL, .read = read_, .at = at_, \
        .value = value_, .help = help_                                                       \
    }
#define CLI_READ_WORDS(name_, read_, at_, words_, value_, help_)                           \
    {                                                                                      \
        .name = name_, .kind = CLI_OPTION_CALL, .read = read_, .at = at_, .words = words_, \
        .word_count = CLI_COUNT(words_), .value = value_, .help = help_                    \
    }
#define CLI_EARLIER(name_, now_)                                 \
    {                                                            \
        .name = name_, .kind = CLI_OPTION_EARLIER, .value = now_ \
    }

/* Rows that several commands have; `at` is the place of the field. */
#define CLI_ROW_ALPHABET(at_)                                                                     \
    CLI_CHOICE("alphabet", at_, cli_alphabets, "ALPHABET",                                        \
               "dna (default), bytes, iupac or protein\ndna: ignore case, U is T; A, C, G, T, N " \
               "and IUPAC codes match only themselves; bytes: compare bytes; iupac: as --iupac; " \
               "protein: ignore case; amino acids, B, Z, X and * match only themselves"),         \
    {                                                                                             \
        .name = "iupac", .kind = CLI_OPTION_FLAG, .at = at_, .constant = RHOMB_ALPHABET_IUPAC,    \
        .help = "N and IUPAC codes match the bases that they stand for\nTwo match if they have "  \
                "a base in common: R matches A, G, N and all codes but C, T and Y; N matches "    \
                "everything. The short form of --alphabet iupac"                                  \
    }
/* Of the commands that have this row: --iupac sets a bit of the alphabet, which bytes have not. */
#define CLI_RULE_IUPAC                          \
    {                                           \
        "iupac", CLI_REQUIRES, "alphabet=iupac" \
    }
/* And of those that have --score: what a matrix has no part in. */
#define CLI_RULES_MATRIX                                              \
    {"score=matrix:", CLI_REQUIRES, "alphabet=dna alphabet=protein"}, \
    {                                                                 \
        "score=matrix:", CLI_EXCLUDES, "max-distance"                 \
    }
#define CLI_DNA "alphabet=dna alphabet=iupac"
#define CLI_ROW_SCORE(at)                                                                       \
    CLI_READ_WORDS(                                                                             \
        "score", cli_read_score, at, cli_scorings, "SCORING",                                   \
        "edit (default), wfa, asm5, asm10, asm20, map-ont, affine:..., affine2p:..., "          \
        "match:..., matrix:...\n"                                                               \
        "edit: unit costs; affine:X,O,E: a mismatch costs X, a gap of k bases O + k * "         \
        "E; affine2p:X,O1,E1,O2,E2: the less of both; match:A,B,O,E or "                        \
        "match:A,B,O,E,O2,E2: minimap2's, a match scores A; matrix:NAME,O,E or "                \
        "matrix:NAME,O,E,O2,E2: a substitution matrix, BLOSUM45, BLOSUM62, BLOSUM80, "          \
        "BLOSUM90, PAM30, PAM70, PAM250, NUC.4.4, HOXD70, asm5 and other presets (minimap2's, " \
        "where N scores -1) or a file. Where A is odd, as in "                                  \
        "asm5, asm10 and asm20, distances and --max-distance are penalties times two. "         \
        "Take edit for distances, clusters and barcodes; affine costs, as wfa, for "            \
        "variants, reports and chains")
#define CLI_ROW_DEVICE(at)                                                                       \
    CLI_VALUE(                                                                                   \
        "device", 'd', CLI_OPTION_TEXT, at, "SELECTOR",                                          \
        "auto (default), gpu, cpu, an index or part of a name\nAlso NAME#K, a PCI address or a " \
        "UUID; see 'rhomb devices'. Several: 0,1 or all")
#define CLI_ROW_REQUIRE_GPU(at_)                                                                  \
    {                                                                                             \
        .name = "require-gpu", .kind = CLI_OPTION_FLAG, .at = at_, .constant = RHOMB_REQUIRE_GPU, \
        .help = "fail if the device is not a GPU"                                                 \
    }
#define CLI_ROW_CACHE_DIR(at_)                                                                   \
    {                                                                                            \
        .name = "cache-dir", .kind = CLI_OPTION_FOLDER, .at = at_, .value = "DIR",               \
        .words = cli_off, .word_count = 1, .help = "folder for compiled kernels; 'off' for none" \
    }
#define CLI_ROW_THREADS(at)                                  \
    CLI_VALUE("threads", 't', CLI_OPTION_THREADS, at, "NUM", \
              "host threads (default: one per core, at most 16)")
#define CLI_ROWS_DEVICE(device, open_flags, threads) \
    CLI_ROW_DEVICE(device), CLI_ROW_REQUIRE_GPU(open_flags), CLI_ROW_THREADS(threads)
#define CLI_ROW_STRAND_AUTO(at, help) \
    CLI_READ_WORDS("strand", cli_read_strand, at, cli_strand_words, "STRAND", help)
#define CLI_ROW_NO_SKETCH(at)                                                              \
    CLI_SWITCH("no-sketch", at, false,                                                     \
               "do not look at sequences before the work: skip warnings about unrelated, " \
               "reverse-complemented, rotated or rearranged input")
#define CLI_ROW_MIN_IDENTITY(at, forms)                                                        \
    CLI_READ("min-identity", 0, cli_read_identity, at, "PERCENT",                              \
             forms                                                                             \
             "the least identity of similar segments (default: 80)\nThese are segments of an " \
             "alignment in which at least PERCENT of matches, mismatches and gaps are matches")
#define CLI_ROW_NO_HEADER(at)    CLI_SWITCH("no-header", at, false, "leave out the # line of TSV")
#define CLI_ROW_OUTPUT(at, help) CLI_VALUE("output", 'o', CLI_OPTION_OUTPUT, at, "FILE", help)

/* --mode and what goes with it, for `align` and `batch`. */

/* Modes besides those of rhomb_mode: free ends with a name, as edlib calls them. */
enum { CLI_MODE_INFIX = 100, CLI_MODE_PREFIX };

extern const cli_word cli_modes[6]; /* rhomb_mode, and these */

/* What --free-ends takes besides numbers. */
extern const cli_word cli_all[1];

/* free_ends.query_begin before options are read. */
enum { CLI_ENDS_NOT_GIVEN = -1 };

/*
 * Reads --free-ends into a rhomb_free_ends: QB,QE,TB,TE, or one of these for all of them, each a
 * number or "all". The exit status.
 */
int cli_read_free_ends(const cli_command *command, const char *text, void *ends);

/*
 * Gives named modes their free ends, and ends-free without any all of them: of the target alone
 * where matches score nothing, as an empty alignment would always be the best one. Values are for
 * the library to judge.
 */
void cli_settle_mode(const rhomb_scoring *scoring, rhomb_mode_options *mode);

/* Says how many alignments of those of `pairs` are empty, if any are. */
void cli_note_empty(int64_t empty, int64_t pairs, const rhomb_scoring *scoring, rhomb_mode mode,
                    const rhomb_free_ends *ends);

/* Rows of options; `at` is where the field is. */
#define CLI_ROW_MODE(at)                                                                      \
    CLI_CHOICE(                                                                               \
        "mode", at, cli_modes, "MODE",                                                        \
        "global (default), ends-free, infix, prefix, extend or local\n"                       \
        "global: from end to end; ends-free: ends may be left out, see --free-ends; infix: "  \
        "QUERY anywhere in TARGET; prefix: QUERY from where TARGET begins; extend: from the " \
        "beginnings, as far as the score grows; local: the parts of both whose alignment "    \
        "has the highest score. The last two need a match score")
#define CLI_ROW_FREE_ENDS(at)                                                               \
    CLI_READ_WORDS(                                                                         \
        "free-ends", cli_read_free_ends, at, cli_all, "QB,QE,TB,TE",                        \
        "with --mode ends-free: the most bases that cost nothing at the query's begin and " \
        "end, and at the target's, each a number or all; or one of these for all four. "    \
        "Default: all, or 0,0,all,all, which is --mode infix, where matches score nothing")
#define CLI_ROW_Z_DROP(at)                                                                 \
    CLI_VALUE("z-drop", 0, CLI_OPTION_COUNT, at, "NUM",                                    \
              "with --mode extend: stop where the score has dropped by more than NUM, as " \
              "minimap2 does; without it never")
#define CLI_ROW_END_BONUS(at)                                                                  \
    CLI_VALUE("end-bonus", 0, CLI_OPTION_COUNT, at, "NUM",                                     \
              "with --mode extend: prefer the end of the query if its score is within NUM of " \
              "the best one")

/*
 * The extension of an output's name: a format that the command writes, or another one, which is
 * refused because the name would be wrong. Names without one, and .txt, are for the format that the
 * command writes by itself.
 */

/* What a command can write. */
struct cli_endings {
    const cli_word *formats;
    size_t count;
    /* Fields of its arguments: an int, which is CLI_NO_FORMAT unless it is given, and ... */
    size_t format_at;
    size_t output_at;   /* ... the name, which may be NULL */
    size_t compress_at; /* a bool: whether the name ends in .gz or .bgz; 0 if these are refused */
    bool has_option;    /* --format, with which names go that say no other format */
};

/* Those of an array of words; `format` and `output` are the fields. */
#define CLI_ENDINGS(words, format, output) \
    .formats = words, .count = CLI_COUNT(words), .format_at = format, .output_at = output

/* A format that was not given. */
enum { CLI_NO_FORMAT = -1 };

/*
 * Sets *format, unless it was given, if the first `length` characters of a name end in one of the
 * formats. CLI_OK, or CLI_USAGE after a message if another one was given.
 */
int cli_format_by_name(const cli_command *command, const cli_word *formats, size_t count,
                       const char *name, size_t length, int *format);

/*
 * Chooses the format by the extension of the output's name, unless it was given; else it is the
 * first of the list. CLI_OK, or CLI_USAGE after a message.
 */
int cli_choose_format(const cli_command *command, void *arguments);

/*
 * What a path has, without its folder, before .fa, .fasta and other endings of sequences, and .gz:
 * a text for free(). NULL without memory.
 */
char *cli_stem(const char *path);

/* Whether a name ends in .gz or .bgz. */
bool cli_is_gzip_name(const char *name);

#endif
