/* SPDX-License-Identifier: MIT */
/*
 * Reading a matrix, see plot_picture.h. A line is a name and its values; a row of the lower
 * triangle ends before the diagonal.
 */
#include "host/cli/plot/plot_picture.h"

#include "host/cli/base/cli.h"

#include <math.h>
#include <sys/stat.h>

static const char *const KINDS[] = {"distance", "similarity", "penalty"};

/* Whether a line begins like the first one of a matrix; PAF has a strand in its fifth column. */
static bool is_header(const char *line)
{
    const char *fifth = line;
    bool found = false;
    for (size_t i = 0; i < CLI_COUNT(KINDS); i++) {
        const size_t length = strlen(KINDS[i]);
        found |= strncmp(line, KINDS[i], length) == 0 && strchr("\t,\r\n", line[length]) != NULL;
    }
    for (int i = 0; i < 4 && fifth != NULL; i++) {
        fifth = strchr(fifth, '\t');
        if (fifth != NULL)
            fifth++;
    }
    return found && (fifth == NULL || strchr("+-*", *fifth) == NULL || fifth[1] != '\t');
}

/* The number of sequences alone: PHYLIP, which does not say what its values are. */
static bool is_phylip(const char *line)
{
    const char *digits = line + strspn(line, " \t");
    const size_t count = strspn(digits, "0123456789");
    return count > 0 && digits[count + strspn(digits + count, " \t\r\n")] == '\0';
}

bool cli_matrix_is_one(const char *path)
{
    struct stat about;
    char line[4096];
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const bool is_matrix =
        fgets(line, sizeof line, file) != NULL && (is_header(line) || is_phylip(line));
    fclose(file);
    return is_matrix;
}

typedef struct reading {
    const char *path; /* for messages */
    cli_matrix *matrix;
    int64_t line;
} reading;

static int fail(const reading *r, const char *what)
{
    return cli_fail_with(CLI_INPUT, "%s: line %" PRId64 ": %s", r->path, r->line, what);
}

/* The next field of a line, which ends there; NULL after the last one. */
static char *next_field(char **at)
{
    char *field = *at;
    if (field == NULL)
        return NULL;
    *at = strchr(field, '\t');
    if (*at != NULL)
        *(*at)++ = '\0';
    return field;
}

static int read_names(reading *r, char *text)
{
    cli_matrix *m = r->matrix;
    const char *kind = next_field(&text);
    m->kind = strdup(kind);
    if (m->kind == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (char *name; (name = next_field(&text)) != NULL; m->count++) {
        char **grown = cli_list_grown(m->names, (size_t)m->count, sizeof *grown);
        if (grown == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        m->names = grown;
        m->names[m->count] = strdup(name);
        if (m->names[m->count] == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    const size_t count = (size_t)m->count;
    m->values = count > 0 && count < SIZE_MAX / sizeof *m->values / count
                    ? calloc(count * count, sizeof *m->values)
                    : NULL;
    if (count > 0 && m->values == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    return count > 0 ? CLI_OK : fail(r, "the matrix has no sequences");
}

/* A number, or one that is beyond a limit: ">K", "<S", "NA". */
static bool read_value(const char *text, float *value)
{
    char *end = NULL;
    if (strcmp(text, "NA") == 0) {
        *value = NAN;
        return true;
    }
    const bool beyond = text[0] == '<' || text[0] == '>';
    const double number = strtod(text + beyond, &end);
    *value = beyond ? NAN : (float)number;
    return end != text + beyond && *end == '\0' && isfinite(number) && number >= 0;
}

/* Adds a value of the lower triangle to what is known of all. */
static void count_value(cli_matrix *m, float value)
{
    if (isnan(value)) {
        m->beyond++;
        return;
    }
    m->low = m->known == 0 ? value : fmin(m->low, value);
    m->high = m->known == 0 ? value : fmax(m->high, value);
    m->sum += value;
    m->known++;
}

static int read_row(reading *r, char *text, int64_t row)
{
    cli_matrix *m = r->matrix;
    const char *name = next_field(&text);
    int64_t column = 0;
    if (row >= m->count || strcmp(name, m->names[row]) != 0)
        return fail(r, "the rows are not those of the first line: plot reads matrices of one set, "
                       "not those of --against");
    for (char *field; (field = next_field(&text)) != NULL; column++) {
        float value;
        if (column >= m->count || !read_value(field, &value))
            return fail(r, column >= m->count ? "has more values than names"
                                              : "a value is not a number");
        m->values[row * m->count + column] = value;
        if (column < row) {
            m->values[column * m->count + row] = value;
            count_value(m, value);
        }
    }
    if (column < m->count && column != row)
        return fail(r, "has fewer values than names");
    if (column == row) /* of the lower triangle: the diagonal is known */
        m->values[row * m->count + row] = strcmp(m->kind, "similarity") == 0 ? 1 : 0;
    return CLI_OK;
}

static int read_lines(reading *r, FILE *file)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    int status = CLI_OK;
    for (; status == CLI_OK && (length = getline(&text, &room, file)) > 0; r->line++) {
        if (text[length - 1] != '\n' || strlen(text) != (size_t)length) {
            status = fail(r, "is not complete");
            break;
        }
        text[--length] = '\0';
        if (length > 0 && text[length - 1] == '\r')
            text[length - 1] = '\0';
        if (r->line > 1)
            status = read_row(r, text, r->line - 2);
        else if (is_phylip(text))
            status = fail(r, "is of a matrix in PHYLIP, which plot does not read: have 'rhomb "
                             "matrix' write it with --format tsv");
        else if (strchr(text, ',') != NULL && strchr(text, '\t') == NULL)
            status = fail(r, "is of a table as CSV, which plot does not read: have 'rhomb matrix' "
                             "write it with --format tsv");
        else if (is_header(text))
            status = read_names(r, text);
        else
            status = fail(r, "is not the first line of a matrix of 'rhomb matrix'");
    }
    free(text);
    if (status == CLI_OK && (ferror(file) || r->line < 2 || r->line - 2 < r->matrix->count))
        status = fail(r, "the matrix is not complete");
    return status;
}

int cli_matrix_load(const char *path, cli_matrix *matrix)
{
    const bool is_standard = strcmp(path, "-") == 0;
    reading r = {.path = cli_input_name(path), .matrix = matrix, .line = 1};
    *matrix = (cli_matrix){.kind = NULL};
    FILE *file = is_standard ? stdin : fopen(path, "r");
    if (file == NULL)
        return cli_fail_with(CLI_INPUT, "%s: cannot be opened", r.path);
    const int status = read_lines(&r, file);
    if (!is_standard)
        fclose(file);
    return status;
}

void cli_matrix_release(cli_matrix *matrix)
{
    for (int64_t i = 0; matrix->names != NULL && i < matrix->count; i++)
        free(matrix->names[i]);
    free(matrix->names);
    free(matrix->values);
    free(matrix->kind);
    *matrix = (cli_matrix){.kind = NULL};
}
