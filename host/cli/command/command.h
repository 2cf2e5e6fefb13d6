/* SPDX-License-Identifier: MIT */
/*
 * Commands and their options, as tables: each option is one row, from which come the options that
 * getopt_long() knows, the check and the place of the value, and the line in the help.
 */
#ifndef RHOMB_CLI_COMMAND_H
#define RHOMB_CLI_COMMAND_H

#include "host/cli/base/cli.h"

typedef struct cli_command cli_command;
typedef struct cli_files cli_files;
typedef struct cli_endings cli_endings;

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
    CLI_OPTION_KEPT,     /* the same: not standard output; a run goes on with what it has */
    CLI_OPTION_FOLDER,   /* the same: a folder to write to, unless it is one of `words` */
    CLI_OPTION_COUNT,    /* an int64_t, by cli_parse_count() */
    CLI_OPTION_POSITIVE, /* the same, at least 1 */
    CLI_OPTION_THREADS,  /* an int32_t, at least 1 */
    CLI_OPTION_WORD,     /* an int or enum: the value of one of `words` */
    CLI_OPTION_CALL,     /* `read` reads the value */
    CLI_OPTION_EARLIER   /* an earlier version's name of the option whose name is `value` */
} cli_option_kind;

typedef struct cli_option {
    const char *name; /* without dashes; NULL ends a list */
    char letter;      /* of the short form; '\0' without */
    cli_option_kind kind;
    size_t at; /* of the field in the arguments */
    int constant;
    const char *value; /* its name in the help */
    const char *help;  /* wrapped as it is printed, the short help to its first '\n'; NULL: none */
    const cli_word *words; /* of CLI_OPTION_CALL: for completion */
    size_t word_count;
    /* Reads the value into the field. Returns CLI_OK, or an exit status after a message. */
    int (*read)(const cli_command *command, const char *text, void *field);
    /* At the end, or where a word with a dash follows: `read` gets NULL then, and all arguments. */
    bool may_lack_value;
} cli_option;

/* An argument that is no option: a const char * of the arguments. */
typedef struct cli_operand {
    const char *name;
    size_t at;
} cli_operand;

enum { CLI_OPERANDS = 3, CLI_RULE_LISTS = 2, CLI_COMMON = 10, CLI_EXAMPLES = 2 };

/* What options are about, in the order of the help, which has a title for each. */
typedef enum cli_group {
    CLI_GROUP_OPTIONS, /* all of a command that has few */
    CLI_GROUP_INPUT,
    CLI_GROUP_PAIRS,
    CLI_GROUP_RANGES,
    CLI_GROUP_SCORING,
    CLI_GROUP_OUTPUT,
    CLI_GROUP_DEVICES,
    CLI_GROUP_LONG_RUNS,
    CLI_GROUP_EXPERTS,
    CLI_GROUP_MESSAGES,
    CLI_GROUPS
} cli_group;

/* Any number of operands, where a command takes them: borrowed from the command line. */
typedef struct cli_operand_list {
    const char *const *names;
    int count;
} cli_operand_list;

/*
 * What goes with what: whatever no rule forbids goes together. They are checked before any file is
 * opened. If one of `terms` holds, one of `others` has to or, for CLI_EXCLUDES, none may. Terms
 * have blanks between them:
 *
 *     blocks          the option was given
 *     format=vcf      its value, by default or of an output's name, is this word
 *     mode!=global    ... is another one
 *     output=-        the file is standard output
 *     QUERIES         the operand was given
 *     json            of an option for a format: that is the format
 *     dry-run&match   both hold
 *     ranks           MPI has started several processes
 *     batch           always: the command
 */
typedef struct cli_rule {
    const char *terms; /* NULL ends a list */
    enum { CLI_REQUIRES, CLI_EXCLUDES } kind;
    const char *others;
} cli_rule;

/* A subcommand: one file that defines one of these, and one row of the table in main.c. */
struct cli_command {
    const char *name;
    const char *summary;                   /* a phrase for the list of commands */
    const char *usage;                     /* what follows the name, a line for each form */
    const char *about;                     /* before the options, as `help` of an option */
    const char *common[CLI_COMMON];        /* options that the short help has */
    const char *examples[CLI_EXAMPLES];    /* command lines */
    const cli_option *options[CLI_GROUPS]; /* lists; NULL: none of that group */
    const cli_rule *rules[CLI_RULE_LISTS]; /* what goes with what */
    const cli_endings *endings; /* formats that an output's name may say, see options.h */
    const char *notes;          /* after the options; NULL without */
    cli_operand operands[CLI_OPERANDS];
    bool takes_list;  /* instead, all operands are a cli_operand_list, at operands[0] */
    bool takes_words; /* operands are not files */
    bool takes_paf;   /* the first operand is a PAF file */
    int least_operands;
    const char *instead; /* the option that makes them none; NULL: there is no such option */
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

/* An option of a command, and its number in all lists; NULL if there is none. */
const cli_option *cli_find_option(const cli_command *command, const char *name, size_t *number);

/* Prints the help of a command on standard output, all of it or the screen of `-h`. */
void cli_show_help(const cli_command *command, bool is_short);

/*
 * Prints the options of a command as completion reads them, a line each: the command, the short
 * form or again the option, the option, and what may follow it: words, FILE for files, "-" for any
 * other value, nothing for an option without one.
 */
void cli_show_completion(const cli_command *command);

/* Prints a usage error and where to find the help. Returns CLI_USAGE. */
int cli_bad_usage(const cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);

/*
 * Refuses a name of what is read twice, which `what` says, unless it is a regular file, or none at
 * all, which is another error. The exit status.
 */
int cli_check_read_twice(const cli_command *command, const char *what, const char *name);

/* A list of words in a text, with commas, and `last` before the last one, such as " or ". */
typedef struct cli_word_list {
    char text[256];
} cli_word_list;

cli_word_list cli_list_words(const cli_word *words, size_t count, const char *last);

/* A usage error for a value that is not in a list of words. */
int cli_bad_word(const cli_command *command, const char *option, const char *text,
                 const cli_word *words, size_t count);

/* The end of a message about a wrong word. */
typedef struct cli_hint {
    char text[96];
} cli_hint;

/*
 * "; did you mean 'NAME'?" for the nearest of `count` names, with `dashes` before it; "" if none is
 * near enough, or the text is one of them, up to a colon. `stride` is the size of the records,
 * whose first member is the name.
 */
cli_hint cli_nearest(const char *text, const char *dashes, const void *records, size_t count,
                     size_t stride);

/* The files of a command, see cli_files_check(). */

/*
 * All files that a command reads and writes, judged before any of them is opened, by
 * cli_read_options(): no output may be an input, and no two outputs one file. The files are
 *
 *     what options and operands name: CLI_OPTION_INPUT, CLI_OPTION_OUTPUT, CLI_OPTION_FOLDER;
 *     indexes that are there beside an input: .fai and .gzi;
 *     standard input and output, where they are files;
 *     names that come of those, such as FILE.new, which the command's `files` lists.
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

/* Checks and prints the rules of a command: which options go together. */

/* What was given of a command line: values[i] of option i, in the order of the lists, or NULL. */
typedef struct cli_given {
    const cli_command *command;
    const void *arguments;
    const char *const *values;
} cli_given;

/* Returns CLI_OK, or CLI_USAGE after the message of the first rule that is broken. */
int cli_check_rules(const cli_given *given);

/* Prints the rules of a command on standard output, one per line. */
void cli_show_rules(const cli_command *command);

#endif
