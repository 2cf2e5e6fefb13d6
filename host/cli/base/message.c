/* SPDX-License-Identifier: MIT */
/*
 * Messages on standard error, and the one line there that is updated in place. The only state is
 * the verbosity, set from the options, and whether that line is on the screen.
 */
#include "host/cli/base/cli.h"

#include <stdatomic.h>

static int verbosity_now = 0;
static atomic_bool status_line_stands; /* the library's messages come from several threads */

void cli_set_verbosity(int verbosity)
{
    verbosity_now = verbosity;
}

void cli_more_verbose(void)
{
    cli_set_verbosity(cli_verbosity() < 0 ? 1 : cli_verbosity() + 1);
}

int cli_verbosity(void)
{
    return verbosity_now;
}

void cli_clear_status_line(void)
{
    if (atomic_exchange(&status_line_stands, false))
        fputs("\r\033[K", stderr);
}

void cli_set_status_line(const char *text)
{
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    atomic_store(&status_line_stands, true);
}

/* Whether a character, of `length` bytes in UTF-8, controls a terminal: C0 but TAB, DEL, or C1. */
static bool is_control(const unsigned char *text, size_t length)
{
    return length == 1 ? (text[0] < ' ' && text[0] != '\t') || text[0] == 0x7f
                       : text[0] == 0xc2 && text[1] < 0xa0;
}

/*
 * Names of files and records, regions and options may hold anything: control characters, and bytes
 * that are not UTF-8, are shown as escapes such as \x1b. Returns where the text ends in `out`,
 * which has four bytes of room for each byte of the text.
 */
static char *escape(char *out, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    while (*text != '\0') {
        const unsigned char *at = (const unsigned char *)text;
        size_t length = cli_utf8_length(text);
        const bool shown = length > 0 && !is_control(at, length);
        length += length == 0;
        for (size_t i = 0; i < length; i++) {
            if (shown) {
                *out++ = text[i];
                continue;
            }
            *out++ = '\\';
            *out++ = 'x';
            *out++ = digits[at[i] >> 4];
            *out++ = digits[at[i] & 15];
        }
        text += length;
    }
    return out;
}

/* Writes a whole line at once: standard error has no buffer, and others may write to it as well. */
static void write_line(const char *prefix, const char *text)
{
    enum { ESCAPED_BYTES = 4, SMALL_BYTES = 4096 };
    char small[SMALL_BYTES];
    const size_t prefix_length = strlen(prefix);
    const size_t most = prefix_length + ESCAPED_BYTES * strlen(text) + 1;
    char *large = most > sizeof small ? malloc(most) : NULL;
    if (most > sizeof small && large == NULL) {
        fputs("rhomb: no memory for a long message\n", stderr);
        return;
    }
    char *line = large != NULL ? large : small;
    memcpy(line, prefix, prefix_length);
    char *end = escape(line + prefix_length, text);
    *end++ = '\n';
    fwrite(line, 1, (size_t)(end - line), stderr);
    free(large);
}

CLI_PRINTF(2, 0)
static void print_line(const char *prefix, const char *format, va_list args)
{
    char small[900];
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(small, sizeof small, format, args);
    char *large = length >= (int)sizeof small ? malloc((size_t)length + 1) : NULL;
    if (large != NULL)
        vsnprintf(large, (size_t)length + 1, format, again);
    va_end(again);
    cli_clear_status_line();
    write_line(prefix, large != NULL ? large : small);
    free(large);
}

void cli_error_list(const char *format, va_list args)
{
    print_line("rhomb: error: ", format, args);
}

void cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_error_list(format, args);
    va_end(args);
}

int cli_fail_to_open(const char *path, int code)
{
    return cli_fail_with(CLI_INPUT, "%s: %s: cannot be opened: %s",
                         rhomb_status_text(RHOMB_ERR_INPUT), path, strerror(code));
}

int cli_fail_with(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_error_list(format, args);
    va_end(args);
    return status;
}

const char *cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

void cli_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("rhomb: ", format, args);
    va_end(args);
}

void cli_note(int level, const char *format, ...)
{
    if (verbosity_now < level)
        return;
    va_list args;
    va_start(args, format);
    print_line("rhomb: ", format, args);
    va_end(args);
}

void cli_add_name(cli_some_names *names, const char *name)
{
    enum { NAMES_MOST = 8 };
    const size_t used = strlen(names->text);
    if (names->count++ < NAMES_MOST)
        snprintf(names->text + used, sizeof names->text - used, "%s%.25s", used > 0 ? ", " : "",
                 name);
    else if (names->count == NAMES_MOST + 1)
        snprintf(names->text + used, sizeof names->text - used, ", ...");
}

/*
 * Reports a limit that the user may have forgotten, or that a job scheduler has set. It limits the
 * host's memory, and a CPU device's, but not a GPU's.
 */
static void say_limit(const rhomb_context *ctx, rhomb_status status)
{
    const int64_t limit = cli_space_limit();
    const rhomb_device_info *device = ctx != NULL ? rhomb_context_device(ctx) : NULL;
    if (status == RHOMB_ERR_DEVICE_MEMORY && (device == NULL || device->kind != RHOMB_DEVICE_CPU))
        return;
    if (limit > 0)
        cli_say("the address space is limited to %lld MiB (ulimit -v)", (long long)limit);
}

int cli_fail(const rhomb_context *ctx, rhomb_status status)
{
    return cli_fail_of(ctx, status, ctx != NULL ? rhomb_context_error(ctx) : "");
}

void cli_say_if_protein(const char *detail)
{
    if (strstr(detail, "\"protein\"") != NULL)
        cli_say("proteins are compared with --alphabet protein");
}

/* So many symbols of nucleotides alone are no protein. */
enum { NUCLEOTIDES = 20 };

void cli_note_if_nucleotides(int64_t symbols, int64_t nucleotides)
{
    if (symbols == nucleotides && symbols >= NUCLEOTIDES)
        cli_note(0, "the sequences have only A, C, G, T and N: nucleotides are compared without "
                    "--alphabet protein");
}

int cli_fail_of(const rhomb_context *ctx, rhomb_status status, const char *line)
{
    const char *all = line;
    size_t length = strcspn(line, "\n");
    if (length > 0)
        cli_error("%s: %.*s", rhomb_status_text(status), (int)length, line);
    else
        cli_error("%s", rhomb_status_text(status));
    /* Further lines: a list of what is available, hints, a compiler's log. */
    while (line[length] != '\0' && line[length + 1] != '\0') {
        line += length + 1;
        length = strcspn(line, "\n");
        cli_say("%.*s", (int)length, line);
    }
    if (status == RHOMB_ERR_ALPHABET)
        cli_say_if_protein(all);
    if (rhomb_status_class(status) == CLI_MEMORY)
        say_limit(ctx, status);
    return rhomb_status_class(status);
}

/* A rhomb_log_fn. */
static void show_log(int level, const char *text, void *user)
{
    (void)user;
    cli_note(level, "%s", text);
}

rhomb_status cli_context_create(rhomb_context **ctx, const char *cache_dir, int32_t threads)
{
    const rhomb_context_options options = {
        .struct_size = sizeof options, .cache_dir = cache_dir, .threads = threads, .log = show_log};
    return rhomb_context_create(ctx, &options);
}
