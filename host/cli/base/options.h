/* SPDX-License-Identifier: MIT */
/*
 * Commands and their options, as tables: each option is one row, from which come the options that
 * getopt_long() knows, the check and the place of the value, and the line in the help.
 */
#ifndef RHOMB_CLI_OPTIONS_H
#define RHOMB_CLI_OPTIONS_H

#include <stddef.h>

#include "host/cli/base/cli.h"
#include "rhomb/scoring.h"

typedef struct cli_command cli_command;
typedef struct cli_files cli_files;

/* What an option does. The fields that it sets are in a command's structure of arguments. */
typedef enum cli_option_kind {
    CLI_OPTION_BOOL, /* without a value, like the next five: a bool becomes `constant` */
    CLI_OPTION_INT,  /* an int or enum becomes `constant` */
    CLI_OPTION_FLAG, /* `constant` is added to the flags in a uint32_t */
    CLI_OPTION_QUIET,
    CLI_OPTION_VERBOSE,
    CLI_OPTION_HELP,
    CLI_OPTION_TEXT,     /* a const char * becomes the value as it is */
    CLI_OPTION_INPUT,    /* the same: a file to read, unless it is one of `words` */
    CLI_OPTION_OUTPUT,   /* the same: a file to write, with a name that is not empty */
    CLI_OPTION_FOLDER,   /* the same: a folder to write to, unless it is one of `words` */
    CLI_OPTION_COUNT,    /* an int64_t, by cli_parse_count() */
    CLI_OPTION_POSITIVE, /* the same, at least 1 */
    CLI_OPTION_THREADS,  /* an int32_t, at least 1 */
    CLI_OPTION_WORD,     /* an int or enum: the value of one of `words` */
    CLI_OPTION_CALL      /* `set` reads the value */
} cli_option_kind;

typedef struct cli_option {
    const char *name; /* without dashes; NULL ends a list */
    char letter;      /* of the short form; '\0' without */
    cli_option_kind kind;
    size_t at; /* of the field in the arguments */
    int constant;
    const char *value; /* its name in the help */
    const char *help;  /* wrapped as it is printed; NULL: none, for a name of an earlier version */
    const cli_word *words;
    size_t word_count;
    /* Returns CLI_OK, or an exit status after a message. */
    int (*set)(const cli_command *command, void *arguments, const char *value);
    /* Whether a word that follows is the value, which may be missing then: NULL. NULL: always. */
    bool (*takes)(const char *word);
} cli_option;

/* An argument that is no option: a const char * of the arguments. */
typedef struct cli_operand {
    const char *name;
    size_t at;
} cli_operand;

enum { CLI_OPERANDS = 3, CLI_OPTION_LISTS = 6 };

/* Any number of operands, where a command takes them: borrowed from the command line. */
typedef struct cli_operand_list {
    const char *const *names;
    int count;
} cli_operand_list;

/* A subcommand: one file that defines one of these, and one row of the table in main.c. */
struct cli_command {
    const char *name;
    const char *summary;                         /* a phrase for the list of commands */
    const char *usage;                           /* what follows the name, a line for each form */
    const char *about;                           /* paragraphs before the options, wrapped */
    const cli_option *options[CLI_OPTION_LISTS]; /* lists, with a blank line between them */
    const char *notes;                           /* after the options; NULL without */
    cli_operand operands[CLI_OPERANDS];
    bool takes_list;  /* instead, all operands are a cli_operand_list, at operands[0] */
    bool takes_words; /* operands are not files */
    bool takes_paf;   /* the first operand is a PAF file */
    int least_operands;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; the exit status */
    /* Lists files that no option names; NULL: there are none. See below. */
    void (*files)(const void *arguments, cli_files *files);
    bool is_left_out; /* of this build: run() only says so */
};

extern const cli_command cli_command_distance;
extern const cli_command cli_command_align;
extern const cli_command cli_command_batch;
extern const cli_command cli_command_matrix;
extern const cli_command cli_command_verify;
extern const cli_command cli_command_report;
extern const cli_command cli_command_compare;
extern const cli_command cli_command_plot;
extern const cli_command cli_command_devices;

/* What cli_read_options() returns once it has shown the help: not an exit status. */
enum { CLI_HELP_SHOWN = -1 };

/*
 * Reads the command line of a command into *arguments, which has the defaults. Texts are borrowed.
 * At most one operand may be "-", and files may not be in each other's way. Returns CLI_OK,
 * CLI_HELP_SHOWN, or an exit status after a message.
 */
int cli_read_options(const cli_command *command, int argc, char **argv, void *arguments);

/*
 * All files that a command reads and writes, judged before any of them is opened, by
 * cli_read_options(): no output may be an input, and no two outputs one file. The files are
 *
 *     what options and operands name: CLI_OPTION_INPUT, CLI_OPTION_OUTPUT, CLI_OPTION_FOLDER;
 *     indexes that are there beside an input: .fai and .gzi;
 *     standard input and output, where they are files;
 *     names that come of those, such as FILE.partial, which the command's `files` lists.
 *
 * A file that is there is known by its device and inode, so that links make no difference; one that
 * is not, by its folder and its name there. Devices and pipes are left alone.
 *
 * A file whose name comes of another one must not be a link, which would be written through; those
 * that a run goes on with are opened with O_NOFOLLOW as well. Files with a temporary name are
 * created by mkstemp(), which takes no name that is there.
 *
 * Returns CLI_OK, or an exit status after a message.
 */
int cli_files_check(const cli_command *command, const void *arguments);

/*
 * For a command's `files`: adds a file that is written beside the FILE of an option, with this
 * ending. Nothing is added if `file` is NULL, standard output, a device or a pipe.
 */
void cli_files_beside(cli_files *files, const char *option, const char *file, const char *ending);

/* Prints the help of a command on standard output. */
void cli_show_help(const cli_command *command);

/* Prints a usage error and where to find the help. Returns CLI_USAGE. */
int cli_bad_usage(const cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);

/* One of several parts of a command's pairs: "number/of", number from 1 on. All zeros: not asked.
 */
typedef struct cli_part_asked {
    int64_t number, of;
} cli_part_asked;

/* What --cache-dir takes besides a folder. */
extern const cli_word cli_off[1];

/* Reads the value of --part. The exit status. */
int cli_read_part(const cli_command *command, const char *text, cli_part_asked *out);

/* Reads the value of --score. The exit status. */
int cli_read_score(const cli_command *command, const char *text, rhomb_scoring *out);

/* Reads the value of --min-identity, in percent, as a share. The exit status. */
int cli_read_identity(const cli_command *command, const char *text, double *out);

/* A usage error for a value that is not in a list of words. */
int cli_bad_word(const cli_command *command, const char *option, const char *text,
                 const cli_word *words, size_t count);

/*
 * The nearest of `count` names, NULL if none is near enough. `stride` is the size of the records,
 * whose first member is the name.
 */
const char *cli_nearest(const char *text, const void *records, size_t count, size_t stride);

/* The value of --tune, as cli_read_tuning(). Returns CLI_OK, or CLI_USAGE after a message. */
int cli_bad_tuning(const cli_command *command, const char *item);

/* --quiet, --verbose and --help, which all commands but `help` have. */
extern const cli_option cli_message_options[];

/* Rows of the kinds: a switch, a constant, a value, a word of an array, what a function reads. */
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
#define CLI_READ(name_, letter_, set_, value_, help_)                                            \
    {                                                                                            \
        .name = name_, .letter = letter_, .kind = CLI_OPTION_CALL, .set = set_, .value = value_, \
        .help = help_                                                                            \
    }

/* Rows that several commands have; `at` is the place of the field. */
#define CLI_ROW_ALPHABET(at)                                                                   \
    CLI_CHOICE("alphabet", at, cli_alphabets, "ALPHABET",                                      \
               "dna (default): ignore case; A, C, G, T, U, N and IUPAC codes each match only " \
               "themselves; bytes: compare bytes")
#define CLI_ROW_DEVICE(at)                                                                      \
    CLI_VALUE("device", 'd', CLI_OPTION_TEXT, at, "SELECTOR",                                   \
              "auto (default), gpu, cpu, an index, part of a name, NAME#K, a PCI address or a " \
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
#define CLI_ROW_NO_SKETCH(at)                                                              \
    CLI_SWITCH("no-sketch", at, false,                                                     \
               "do not look at sequences before the work: no word if they are unrelated, " \
               "turned, rotated or rearranged")
#define CLI_ROW_MIN_IDENTITY(set, forms)                                                     \
    CLI_READ("min-identity", 0, set, "PERCENT",                                              \
             forms "what is similar: segments of an alignment in which at least PERCENT of " \
                   "matches, mismatches and gaps are matches (default: 80)")
#define CLI_ROW_NO_HEADER(at)    CLI_SWITCH("no-header", at, false, "leave out the # line of TSV")
#define CLI_ROW_OUTPUT(at, help) CLI_VALUE("output", 'o', CLI_OPTION_OUTPUT, at, "FILE", help)

#endif
