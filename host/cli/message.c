/* SPDX-License-Identifier: MIT */
/*
 * Messages on standard error, and the one line there that is updated in place. The verbosity and
 * whether that line stands are the only state, set once from the options.
 */
#include "cli.h"

#include <stdarg.h>
#include <string.h>

static int verbosity_now = 0;
static bool status_line_stands = false;

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
    if (status_line_stands)
        fputs("\r\033[K", stderr);
    status_line_stands = false;
}

void cli_set_status_line(const char *text)
{
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    status_line_stands = true;
}

CLI_PRINTF(2, 0)
static void print_line(const char *prefix, const char *format, va_list args)
{
    cli_clear_status_line();
    fputs(prefix, stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("rhomb: error: ", format, args);
    va_end(args);
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

int cli_fail(const rhomb_context *ctx, rhomb_status status)
{
    const char *line = ctx != NULL ? rhomb_context_error(ctx) : "";
    size_t length = strcspn(line, "\n");
    if (length > 0)
        cli_error("%s: %.*s", rhomb_status_text(status), (int)length, line);
    else
        cli_error("%s", rhomb_status_text(status));
    /* Further lines: a list of what there is, hints, a compiler's log. */
    while (line[length] != '\0' && line[length + 1] != '\0') {
        line += length + 1;
        length = strcspn(line, "\n");
        cli_say("%.*s", (int)length, line);
    }
    return rhomb_status_class(status);
}

void cli_log(int level, const char *text, void *user)
{
    (void)user;
    cli_note(level, "%s", text);
}
