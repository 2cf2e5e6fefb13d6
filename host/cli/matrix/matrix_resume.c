/* SPDX-License-Identifier: MIT */
/*
 * The file of --resume, see matrix_run.h: a line that says of what matrix it is, and a line for
 * each piece of a row as it came. What a run that was stopped left incomplete is the last line at
 * most.
 *
 *     #rhomb-matrix 2 DIGEST SEQUENCES
 *     ROW COLUMN DISTANCE DISTANCE ... CHECK
 *
 * CHECK is 16 hexadecimal digits: a digest of the first line and of this one up to there. Which
 * line comes next is known, so that no more is needed to see that all are as they were written.
 * A file of a part begins with its first pair. The first line may come again, where files of parts
 * were put together.
 */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/base/mix.h"
#include "host/cli/base/text_buffer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECK = 17 /* a space and the digits */ };

/* Writes the end of a line that begins with `text`: its check. */
static void put_check(const cli_matrix_resume *resume, const char *text, size_t length,
                      char out[CHECK + 2])
{
    snprintf(out, CHECK + 2, " %016" PRIx64 "\n", cli_mix(resume->of_matrix, text, length));
}

/* Reading: the next pair that is expected, and the numbers of a line. */
typedef struct reading {
    cli_matrix_resume *resume;
    const char *header;
    int64_t sequences;
    int64_t row, column;
    int64_t line;
    int64_t *distances;
    size_t room;
} reading;

static int fail_damaged(const reading *r)
{
    return cli_fail_with(CLI_INPUT, "%s: line %" PRId64 ": damaged; delete it to begin anew",
                         r->resume->path, r->line);
}

/* The next number of a line, -1 to 2^62; false if there is none. */
static bool next_number(char **at, int64_t *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtoll(*at, &end, 10);
    const bool is_number = end != *at && errno == 0 && *out >= -1 && *out < INT64_C(1) << 62;
    *at = end;
    return is_number;
}

/* Reads the numbers of a line that is complete: those of a piece of the row that comes next. */
static int read_line(reading *r, char *text, size_t length, size_t *count)
{
    int64_t row, column;
    char check[CHECK + 2];
    *count = 0;
    if (length <= CHECK)
        return fail_damaged(r);
    char *end = text + length - (CHECK + 1);
    put_check(r->resume, text, (size_t)(end - text), check);
    if (strcmp(end, check) != 0)
        return fail_damaged(r);
    *end = '\n';
    if (!next_number(&text, &row) || !next_number(&text, &column) || row < 1 || column < 0)
        return fail_damaged(r);
    if (row != r->row || column != r->column || row >= r->sequences)
        return cli_fail_with(CLI_INPUT,
                             "%s: line %" PRId64 ": not the pairs that come next: damaged, or of "
                             "parts that are not complete, or not in their order",
                             r->resume->path, r->line);
    while (*text != '\n') {
        if (column + (int64_t)*count >= row)
            return fail_damaged(r);
        if (*count == r->room) {
            int64_t *more = realloc(r->distances, (2 * r->room + 64) * sizeof *more);
            if (more == NULL)
                return cli_fail(NULL, RHOMB_ERR_MEMORY);
            r->distances = more;
            r->room = 2 * r->room + 64;
        }
        if (!next_number(&text, &r->distances[*count]))
            return fail_damaged(r);
        ++*count;
    }
    return *count > 0 ? CLI_OK : fail_damaged(r);
}

/* Goes to the pair after these. */
static void step(reading *r, size_t count)
{
    r->column += (int64_t)count;
    if (r->column == r->row) {
        r->row++;
        r->column = 0;
    }
}

/* Reads all complete lines after the first; *end is where they end. */
static int read_lines(reading *r, cli_matrix_take_fn take, void *user, off_t *end)
{
    char *text = NULL;
    size_t room = 0, count = 0;
    int status = CLI_OK;
    ssize_t length;
    while (status == CLI_OK && (length = getline(&text, &room, r->resume->file)) > 0 &&
           text[length - 1] == '\n') {
        r->line++;
        *end += length;
        if (strcmp(text, r->header) == 0)
            continue;
        status = read_line(r, text, (size_t)length, &count);
        if (status == CLI_OK && !take(r->row, r->column, r->distances, count, user))
            status = CLI_FAILED;
        if (status == CLI_OK)
            step(r, count);
    }
    if (status == CLI_OK && ferror(r->resume->file))
        status = cli_fail_with(CLI_INPUT, "%s: cannot be read", r->resume->path);
    free(text);
    return status;
}

/* Compares the first line with what it has to be; an empty file gets it. */
static int check_header(cli_matrix_resume *resume, const char *header, off_t *end)
{
    char first[128] = "";
    if (fgets(first, sizeof first, resume->file) == NULL && !ferror(resume->file)) {
        *end = 0;
        return CLI_OK;
    }
    *end = (off_t)strlen(first);
    if (strncmp(first, "#rhomb-matrix ", 14) != 0)
        return cli_fail_with(CLI_INPUT, "--resume: %s is not a file of 'rhomb matrix --resume'",
                             resume->path);
    if (strcmp(first, header) != 0)
        return cli_fail_with(CLI_INPUT,
                             "--resume: %s is of other sequences, options or version; delete it "
                             "to begin anew, or name another file",
                             resume->path);
    return CLI_OK;
}

int cli_matrix_resume_open(cli_matrix_resume *resume, const char *path, const char *digest,
                           int64_t sequences, cli_matrix_take_fn take, void *user, int64_t *pairs)
{
    char header[128];
    off_t end = 0;
    reading r = {.resume = resume, .header = header, .sequences = sequences, .row = 1, .line = 1};
    while (rhomb_matrix_pair(r.row + 1, 0) <= *pairs)
        r.row++;
    r.column = *pairs - rhomb_matrix_pair(r.row, 0);
    resume->path = path;
    resume->file = fopen(path, "r+");
    if (resume->file == NULL && errno == ENOENT)
        resume->file = fopen(path, "w+");
    if (resume->file == NULL)
        return cli_fail_with(CLI_FAILED, "--resume: %s: %s", path, strerror(errno));
    snprintf(header, sizeof header, "#rhomb-matrix 2 %s %" PRId64 "\n", digest, sequences);
    resume->of_matrix = cli_mix(CLI_MIX_NONE, header, strlen(header));
    int status = check_header(resume, header, &end);
    if (status == CLI_OK && end > 0)
        status = read_lines(&r, take, user, &end);
    free(r.distances);
    if (status != CLI_OK)
        return status;
    *pairs = rhomb_matrix_pair(r.row, r.column);
    if (fflush(resume->file) != 0 || ftruncate(fileno(resume->file), end) != 0 ||
        fseeko(resume->file, end, SEEK_SET) != 0 ||
        (end == 0 && fputs(header, resume->file) == EOF))
        return cli_fail_with(CLI_FAILED, "--resume: %s: %s", path, strerror(errno));
    return CLI_OK;
}

bool cli_matrix_resume_add(cli_matrix_resume *resume, int64_t row, int64_t column,
                           const int64_t *distances, size_t count)
{
    if (resume->file == NULL || resume->code != 0)
        return resume->code == 0;
    cli_buffer text = {0};
    char check[CHECK + 2];
    cli_append_number(&text, row);
    cli_append_text(&text, " ");
    cli_append_number(&text, column);
    for (size_t i = 0; i < count; i++) {
        cli_append_text(&text, distances[i] < 0 ? " -" : " ");
        cli_append_number(&text, distances[i] < 0 ? -distances[i] : distances[i]);
    }
    errno = ENOMEM;
    bool good = !text.failed;
    if (good) {
        put_check(resume, text.data, text.length, check);
        errno = 0;
        good = fwrite(text.data, 1, text.length, resume->file) == text.length &&
               fputs(check, resume->file) != EOF && fflush(resume->file) == 0;
    }
    if (!good)
        resume->code = errno != 0 ? errno : EIO;
    cli_buffer_release(&text);
    return good;
}

bool cli_matrix_resume_close(cli_matrix_resume *resume)
{
    if (resume->file == NULL)
        return true;
    if (fclose(resume->file) != 0 && resume->code == 0)
        resume->code = errno;
    resume->file = NULL;
    if (resume->code != 0)
        cli_error("--resume: %s: %s", resume->path, strerror(resume->code));
    return resume->code == 0;
}
