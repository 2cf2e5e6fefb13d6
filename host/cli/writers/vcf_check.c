/* SPDX-License-Identifier: MIT */
/*
 * The check of VCF, see vcf_rows.h. It shares nothing with the writer, and keeps no line: REF is
 * compared with the target and ALT with the query as they come.
 */
#include "host/cli/writers/vcf_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/cli/base/sink.h"

/* Columns, and what is always the same in them. */
enum { CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO, FORMAT, SAMPLE };
static const char *const FIXED[] = {
    [ID] = ".", [QUAL] = ".", [FILTER] = "PASS", [FORMAT] = "GT", [SAMPLE] = "1"};

static bool is_same(char a, char b)
{
    return cli_upper_base((unsigned char)a) == cli_upper_base((unsigned char)b);
}

/* Whether `count` bases are equal, ignoring case, and U being T. */
static bool are_same(const char *a, const char *b, int64_t count)
{
    enum { BLOCK = 256 };
    while (count > 0) {
        const int64_t block = count < BLOCK ? count : BLOCK;
        if (memcmp(a, b, (size_t)block) != 0) {
            for (int64_t i = 0; i < block; i++)
                if (!is_same(a[i], b[i]))
                    return false;
        }
        a += block;
        b += block;
        count -= block;
    }
    return true;
}

/* Takes the target's bases up to one, counted from the path's beginning, for those of the query. */
static bool copy_to(cli_vcf_check *c, int64_t target)
{
    const int64_t count = target - c->target;
    if (count < 0 || target > c->path->target_length || count > c->path->query_length - c->query ||
        !are_same(c->path->target + c->target, c->path->query + c->query, count))
        return false;
    c->target += count;
    c->query += count;
    return true;
}

/*
 * Goes to POS. Of records of one difference each, an insertion or deletion may have the base before
 * it from a mismatch there: bcftools leaves out what REF and ALT begin with in common.
 */
static bool go_to(cli_vcf_check *c)
{
    const int64_t target = c->position - 1 - c->path->target_before;
    c->anchor = '\0';
    if (!c->path->atomize || target != c->target - 1 || target < 0)
        return copy_to(c, target);
    c->anchor = c->path->target[target];
    return true;
}

/* What a column has; NULL for POS, REF, ALT and INFO. */
static const char *fixed_text(const cli_vcf_check *c)
{
    if (c->column == FILTER && c->is_dissimilar)
        return "dissimilar";
    return c->column == CHROM ? c->path->target_name : FIXED[c->column];
}

static bool read_digit(cli_vcf_check *c, char digit)
{
    if (digit < '0' || digit > '9' || c->position > INT64_MAX / 10 - 1)
        return false;
    c->position = 10 * c->position + (digit - '0');
    return true;
}

static bool read_character(cli_vcf_check *c, char character)
{
    const cli_path *path = c->path;
    const size_t at = c->in_column++;
    if (c->column == FILTER && at == 0)
        c->is_dissimilar = character == 'd';
    const char *fixed = fixed_text(c);
    if (fixed != NULL)
        return at < strlen(fixed) && fixed[at] == character;
    if (c->column == POS)
        return read_digit(c, character);
    if (c->column == INFO)
        return true; /* says where the query has it, and nothing of what is made
                        from it */
    if (at == 0 && c->anchor != '\0' && (c->column == REF || c->column == ALT))
        return is_same(character, c->anchor);
    if (c->column == REF)
        return c->target < path->target_length && is_same(character, path->target[c->target++]);
    return c->query < path->query_length && is_same(character, path->query[c->query++]);
}

static bool end_column(cli_vcf_check *c)
{
    const char *fixed = fixed_text(c);
    const bool is_whole = fixed != NULL ? c->in_column == strlen(fixed) : c->in_column > 0;
    if (!is_whole || (c->column == POS && !go_to(c)))
        return false;
    c->column++;
    c->in_column = 0;
    return true;
}

static bool end_line(cli_vcf_check *c)
{
    if (c->column != SAMPLE || !end_column(c))
        return false;
    c->column = CHROM;
    c->position = 0;
    c->records++;
    return true;
}

static bool read_on(cli_vcf_check *c, char character)
{
    if (character == '#' && c->column == CHROM && c->in_column == 0)
        c->in_head = true;
    if (c->in_head) {
        c->in_head = character != '\n';
        return true;
    }
    if (character == '\n')
        return end_line(c);
    if (character == '\t')
        return c->column < SAMPLE && end_column(c);
    return read_character(c, character);
}

void cli_vcf_check_text(void *check, const char *text, size_t length)
{
    cli_vcf_check *c = check;
    for (size_t i = 0; i < length && !c->failed; i++)
        c->failed = !read_on(c, text[i]);
}

bool cli_vcf_check_end(cli_vcf_check *c, char *why, size_t size)
{
    const bool is_between = !c->failed && c->column == CHROM && c->in_column == 0;
    if (is_between && copy_to(c, c->path->target_length) && c->query == c->path->query_length)
        return true;
    snprintf(why, size,
             "the records do not give the query back, from record %" PRId64 " on (position %" PRId64
             " of the target, %" PRId64 " of the query)",
             c->records + 1, c->path->target_before + c->target + 1,
             c->path->query_before + c->query + 1);
    return false;
}

static const char *column_of(const char *line, int number)
{
    while (number-- > 0)
        line += strcspn(line, "\t\n") + 1;
    return line;
}

/* Whether both begin with the same text, up to what ends it. */
static bool have_same_text(const char *a, const char *b)
{
    const size_t length = strcspn(a, ",\t");
    return length == strcspn(b, ",\t") && memcmp(a, b, length) == 0;
}

bool cli_vcf_check_phased(const char *line, const char *const own[2])
{
    static const int SAME[] = {CHROM, POS, REF};
    for (int h = 0; h < 2; h++) {
        const char genotype = column_of(line, SAMPLE)[2 * h];
        const char *allele = column_of(line, ALT);
        const bool has_none = genotype == '0' || genotype == '.';
        if (has_none != (own[h] == NULL))
            return false;
        if (has_none)
            continue;
        for (char n = '1'; n < genotype; n++)
            allele += strcspn(allele, ",\t") + 1;
        if (!have_same_text(allele, column_of(own[h], ALT)) ||
            (column_of(line, FILTER)[0] == 'P' && column_of(own[h], FILTER)[0] != 'P'))
            return false;
        for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++)
            if (!have_same_text(column_of(line, SAME[i]), column_of(own[h], SAME[i])))
                return false;
    }
    return true;
}
