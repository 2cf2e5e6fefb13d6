/* SPDX-License-Identifier: MIT */
/*
 * Couples of records, see match.h.
 */
#include "host/cli/many/match.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/sketch/blocks.h"

enum { SHARED_LEAST = 4 /* minimizers of a couple; by chance there are one or two */ };

static bool add(cli_couples *couples, cli_couple couple)
{
    /* Room for a power of two. */
    if ((couples->count & (couples->count - 1)) == 0) {
        const size_t room = couples->count == 0 ? 1 : 2 * couples->count;
        cli_couple *grown = realloc(couples->list, room * sizeof *grown);
        if (grown == NULL)
            return false;
        couples->list = grown;
    }
    couples->list[couples->count++] = couple;
    return true;
}

static int match_order(const cli_assembly *target, const cli_assembly *query, cli_couples *couples)
{
    bool good = true;
    for (size_t i = 0; good && i < target->count && i < query->count; i++)
        good = add(couples, (cli_couple){i, i, '\0'});
    return good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

static int match_names(const cli_assembly *target, const cli_assembly *query, cli_couples *couples)
{
    cli_named *names = cli_assembly_names(query);
    bool good = names != NULL;
    for (size_t i = 0; good && i < target->count; i++) {
        const cli_named *found = cli_named_find(names, query->count, target->records[i].name);
        if (found != NULL)
            good = add(couples, (cli_couple){i, found->index, '\0'});
    }
    free(names);
    return good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

/* How many minimizers two records share. */
typedef struct candidate {
    size_t target, query;
    int64_t shared, reverse;
} candidate;

/* By records, so that those of a couple are together. */
static int compare_couples(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->query > y->query) - (x->query < y->query);
}

/* The most shared first. */
static int compare_shared(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->shared != y->shared)
        return x->shared > y->shared ? -1 : 1;
    return compare_couples(a, b);
}

/* Sums up what is known of each couple, and leaves their number. */
static size_t sum_up(candidate *list, size_t count)
{
    size_t kept = 0;
    qsort(list, count, sizeof *list, compare_couples);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_couples(&list[kept - 1], &list[i]) == 0) {
            list[kept - 1].shared += list[i].shared;
            list[kept - 1].reverse += list[i].reverse;
        } else {
            list[kept++] = list[i];
        }
    }
    qsort(list, kept, sizeof *list, compare_shared);
    return kept;
}

/*
 * Takes the couples that share most, each query once, and unless there may be `many` for it, each
 * target. False if there is no memory.
 */
static bool take_best(const candidate *list, size_t count, const cli_assembly *const assemblies[2],
                      bool many, cli_couples *couples)
{
    const cli_assembly *target = assemblies[0], *query = assemblies[1];
    bool *taken = calloc(target->count + query->count + 1, sizeof *taken);
    bool good = taken != NULL;
    for (size_t i = 0; good && i < count && list[i].shared >= SHARED_LEAST; i++) {
        bool *of_target = &taken[list[i].target], *of_query = &taken[target->count + list[i].query];
        if ((*of_target && !many) || *of_query)
            continue;
        *of_target = *of_query = true;
        good = add(couples, (cli_couple){list[i].target, list[i].query,
                                         2 * list[i].reverse > list[i].shared ? '-' : '+'});
    }
    free(taken);
    return good;
}

static int match_best(const cli_assembly *const assemblies[2], bool many, cli_couples *couples)
{
    const cli_assembly *target = assemblies[0], *query = assemblies[1];
    size_t count = 0;
    cli_anchor *anchors = cli_anchors_find(&target->minimizers, &query->minimizers, &count);
    candidate *list = count > 0 ? malloc(count * sizeof *list) : NULL;
    bool good = count == 0 || (anchors != NULL && list != NULL);
    for (size_t i = 0; good && i < count; i++)
        list[i] =
            (candidate){cli_assembly_record_at(target, anchors[i].target),
                        cli_assembly_record_at(query, anchors[i].query), 1, anchors[i].reverse};
    if (good && count > 0)
        good = take_best(list, sum_up(list, count), assemblies, many, couples);
    free(anchors);
    free(list);
    return good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

/* The names of both assemblies, sorted. */
typedef struct directory {
    const cli_assembly *assemblies[2];
    cli_named *names[2];
} directory;

/* Adds the couple of a line. The exit status. */
static int add_line(const directory *d, const char *path, int64_t number, char *line,
                    cli_couples *couples)
{
    static const char BLANKS[] = " \t\r\n";
    char *rest = NULL, *fields[3] = {strtok_r(line, BLANKS, &rest), NULL, NULL};
    const cli_named *found[2];
    for (int i = 1; i < 3 && fields[0] != NULL; i++)
        fields[i] = strtok_r(NULL, BLANKS, &rest);
    if (fields[0] == NULL || fields[0][0] == '#')
        return CLI_OK;
    if (fields[1] == NULL || strtok_r(NULL, BLANKS, &rest) != NULL)
        return cli_fail_with(CLI_INPUT,
                             "%s: line %" PRId64 ": must be a target, a query and, if it is not +, "
                             "a strand",
                             path, number);
    for (int i = 0; i < 2; i++) {
        found[i] = cli_named_find(d->names[i], d->assemblies[i]->count, fields[i]);
        if (found[i] == NULL)
            return cli_fail_with(CLI_INPUT, "%s: line %" PRId64 ": %s has no record '%s'", path,
                                 number, cli_input_name(d->assemblies[i]->path), fields[i]);
    }
    if (fields[2] != NULL && strcmp(fields[2], "+") != 0 && strcmp(fields[2], "-") != 0)
        return cli_fail_with(CLI_INPUT, "%s: line %" PRId64 ": '%s' is not + or -", path, number,
                             fields[2]);
    return add(couples, (cli_couple){found[0]->index, found[1]->index,
                                     fields[2] != NULL ? fields[2][0] : '+'})
               ? CLI_OK
               : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

static int match_file(const char *path, const cli_assembly *target, const cli_assembly *query,
                      cli_couples *couples)
{
    directory d = {{target, query}, {cli_assembly_names(target), cli_assembly_names(query)}};
    int status =
        d.names[0] != NULL && d.names[1] != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
    FILE *file = status == CLI_OK ? fopen(path, "r") : NULL;
    if (status == CLI_OK && file == NULL) {
        status = cli_fail_with(CLI_INPUT, "--match: %s: %s", path, strerror(errno));
        cli_say("--match takes names, order, best or a file");
    }
    char *line = NULL;
    size_t room = 0;
    for (int64_t number = 1; status == CLI_OK && getline(&line, &room, file) >= 0; number++)
        status = add_line(&d, path, number, line, couples);
    if (status == CLI_OK && ferror(file))
        status = cli_fail_with(CLI_INPUT, "--match: %s: cannot be read", path);
    free(line);
    if (file != NULL)
        fclose(file);
    free(d.names[0]);
    free(d.names[1]);
    return status;
}

int cli_match_check(const cli_command *command, const char *mode, rhomb_alphabet alphabet)
{
    if (!cli_match_needs_minimizers(mode))
        return CLI_OK;
    if (alphabet != RHOMB_ALPHABET_DNA)
        return cli_bad_usage(command, "--match best requires --alphabet dna");
    if (!cli_has_minimizers)
        return cli_bad_usage(command,
                             "--match best needs sketches, and this build was configured with "
                             "-DRHOMB_SKETCH=OFF");
    return CLI_OK;
}

bool cli_match_needs_minimizers(const char *mode)
{
    return strcmp(mode, "best") == 0;
}

static int compare_targets(const void *a, const void *b)
{
    const cli_couple *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->query > y->query) - (x->query < y->query);
}

int cli_match(const char *mode, const cli_assembly *const assemblies[2], bool many,
              cli_couples *couples)
{
    const cli_assembly *target = assemblies[0], *query = assemblies[1];
    *couples = (cli_couples){.list = NULL};
    const int status = strcmp(mode, "order") == 0   ? match_order(target, query, couples)
                       : strcmp(mode, "names") == 0 ? match_names(target, query, couples)
                       : strcmp(mode, "best") == 0  ? match_best(assemblies, many, couples)
                                                    : match_file(mode, target, query, couples);
    if (status != CLI_OK)
        return status;
    cli_note(0, "%zu pair%s of %zu targets and %zu queries", couples->count,
             couples->count == 1 ? "" : "s", target->count, query->count);
    if (couples->count == 0)
        return cli_fail_with(CLI_INPUT, "no record has a partner by --match %s%s", mode,
                             strcmp(mode, "best") != 0 ? "; --match best goes by bases" : "");
    qsort(couples->list, couples->count, sizeof *couples->list, compare_targets);
    couples->end = couples->count;
    couples->is_last = true;
    return CLI_OK;
}

/* The couples of a target, from `from` on: where they end, and what there is to do. */
static size_t end_of_target(const cli_assembly *const assemblies[2], const cli_couples *couples,
                            size_t from, double *work)
{
    const cli_couple *list = couples->list;
    size_t end = from;
    *work = 0;
    for (; end < couples->count && list[end].target == list[from].target; end++)
        *work += ((double)assemblies[0]->records[list[end].target].length + 1) *
                 ((double)assemblies[1]->records[list[end].query].length + 1);
    return end;
}

/*
 * Fills parts one after the other up to `most`, and says where the one of that number, from 0, is.
 * The number of parts that there are.
 */
static int64_t fill_parts(const cli_assembly *const assemblies[2], const cli_couples *couples,
                          double most, int64_t number, size_t *begin, size_t *end)
{
    int64_t part = 0;
    double filled = 0, work = 0;
    *begin = number == 0 ? 0 : couples->count;
    *end = couples->count;
    for (size_t at = 0, next; at < couples->count; at = next) {
        next = end_of_target(assemblies, couples, at, &work);
        if (filled > 0 && filled + work > most) {
            filled = 0;
            part++;
            if (part == number)
                *begin = at;
            if (part == number + 1)
                *end = at;
        }
        filled += work;
    }
    return part + 1;
}

void cli_match_part(const cli_assembly *const assemblies[2], const cli_part_asked *part,
                    cli_couples *couples)
{
    double low = 0, high = 0, work = 0;
    size_t begin, end;
    if (part->of == 0)
        return;
    for (size_t at = 0; at < couples->count; high += work)
        at = end_of_target(assemblies, couples, at, &work);
    /* The least that a part may have so that there are no more than asked for. */
    for (int i = 0; i < 100; i++) {
        const double middle = low + (high - low) / 2;
        if (fill_parts(assemblies, couples, middle, 0, &begin, &end) <= part->of)
            high = middle;
        else
            low = middle;
    }
    fill_parts(assemblies, couples, high, part->number - 1, &couples->begin, &couples->end);
    couples->is_last = part->number == part->of;
    cli_note(0, "part %" PRId64 " of %" PRId64 ": %zu pair%s", part->number, part->of,
             couples->end - couples->begin, couples->end - couples->begin == 1 ? "" : "s");
}

/* Says which records are left, by some of their names. */
static void note_left(const cli_assembly *assembly, const bool *has, const char *what)
{
    char names[240] = "";
    size_t count = 0;
    for (size_t i = 0; i < assembly->count; i++) {
        const size_t used = strlen(names);
        if (has[i])
            continue;
        if (count++ < 8)
            snprintf(names + used, sizeof names - used, "%s%.25s", used > 0 ? ", " : "",
                     assembly->records[i].name);
    }
    if (count > 0)
        cli_note(0, "without a partner: %zu %s%s: %s%s", count, what, count == 1 ? "" : "s", names,
                 count > 8 ? ", ..." : "");
}

int cli_match_leave(const cli_assembly *const assemblies[2], const cli_couples *couples,
                    cli_leave_fn leave, void *user)
{
    int status = CLI_OK;
    for (int side = 0; side < 2 && status == CLI_OK; side++) {
        const cli_assembly *assembly = assemblies[side];
        bool *has = calloc(assembly->count + 1, sizeof *has);
        if (has == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        for (size_t i = 0; i < couples->count; i++)
            has[side == 0 ? couples->list[i].target : couples->list[i].query] = true;
        note_left(assembly, has, side == 0 ? "target" : "query record");
        for (size_t i = 0; i < assembly->count && status == CLI_OK; i++)
            status = has[i] ? CLI_OK : leave(side, &assembly->records[i], user);
        free(has);
    }
    return status;
}
