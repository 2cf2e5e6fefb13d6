/* SPDX-License-Identifier: MIT */
/* Couples of records, see match.h. */
#include "host/cli/many/match.h"

#include <errno.h>

enum { LOST_MOST = 8 /* that are named, of records without a partner */ };

static int match_order(const cli_assembly *target, const cli_assembly *query, cli_couples *couples)
{
    bool good = true;
    for (size_t i = 0; good && i < target->count && i < query->count; i++)
        good = cli_couples_add(couples, (cli_couple){.target = i, .query = i});
    return good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

static int match_names(const cli_assembly *target, const cli_assembly *query, cli_couples *couples)
{
    cli_named *names = cli_assembly_names(query);
    bool good = names != NULL;
    for (size_t i = 0; good && i < target->count; i++) {
        const cli_named *found = cli_named_find(names, query->count, target->records[i].name);
        if (found != NULL)
            good = cli_couples_add(couples, (cli_couple){.target = i, .query = found->index});
    }
    free(names);
    return good ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

/* The names of both assemblies, sorted. */
typedef struct directory {
    const cli_assembly *assemblies[2];
    cli_named *names[2];
    bool is_dna;
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
    if (fields[2] != NULL && fields[2][0] == '-' && !d->is_dna)
        return cli_fail_with(CLI_INPUT, "%s: line %" PRId64 ": only DNA has a reverse strand", path,
                             number);
    const cli_couple couple = {.target = found[0]->index,
                               .query = found[1]->index,
                               .strand = fields[2] != NULL ? fields[2][0] : '+'};
    return cli_couples_add(couples, couple) ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

const cli_word cli_match_modes[4] = {{"names", 0}, {"order", 1}, {"best", 2}, {"best-target", 3}};

static int match_file(const char *path, const cli_assembly *target, const cli_assembly *query,
                      bool is_dna, cli_couples *couples)
{
    directory d = {
        {target, query}, {cli_assembly_names(target), cli_assembly_names(query)}, is_dna};
    int status =
        d.names[0] != NULL && d.names[1] != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
    FILE *file = status == CLI_OK ? fopen(path, "r") : NULL;
    if (status == CLI_OK && file == NULL) {
        status = cli_fail_with(CLI_INPUT, "--match: %s: %s", path, strerror(errno));
        cli_say("--match takes names, order, best, best-target or a file%s",
                cli_nearest(path, "", cli_match_modes, CLI_COUNT(cli_match_modes),
                            sizeof cli_match_modes[0])
                    .text);
    }
    char *line = NULL;
    size_t room = 0;
    couples->is_listed = true;
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

int cli_need_minimizers(const cli_command *command, const char *option)
{
    return cli_has_minimizers
               ? CLI_OK
               : cli_bad_usage(command,
                               "%s needs sketches, and this build was configured with "
                               "-DRHOMB_SKETCH=OFF",
                               option);
}

const char *cli_match_sketched(const char *mode)
{
    return mode == NULL                       ? NULL
           : cli_match_needs_lists(mode)      ? "--match best"
           : strcmp(mode, "best-target") == 0 ? "--match best-target"
                                              : NULL;
}

bool cli_match_needs_lists(const char *mode)
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

/* Sorts the couples, and links those of each query. The exit status. */
static int link_queries(cli_couples *couples, size_t queries)
{
    size_t *last = calloc(queries + 1, sizeof *last); /* of each query, from 1 on; 0: none yet */
    if (last == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    qsort(couples->list, couples->count, sizeof *couples->list, compare_targets);
    for (size_t i = 0; i < couples->count; i++) {
        cli_couple *couple = &couples->list[i];
        size_t *of_query = &last[couple->query];
        couple->before = *of_query > 0 ? *of_query - 1 : i;
        couple->after = i;
        couples->list[couple->before].after = i;
        *of_query = i + 1;
    }
    free(last);
    return CLI_OK;
}

/* Whether no couple is there twice, which only a file can say; they are sorted. The exit status. */
static int refuse_repeats(const char *mode, const cli_assembly *const assemblies[2],
                          const cli_couples *couples)
{
    for (size_t i = 1; i < couples->count; i++) {
        const cli_couple *a = &couples->list[i - 1], *b = &couples->list[i];
        if (a->target == b->target && a->query == b->query)
            return cli_fail_with(CLI_INPUT, "%s: %s and %s are there twice", mode,
                                 assemblies[0]->records[a->target].name,
                                 assemblies[1]->records[a->query].name);
    }
    return CLI_OK;
}

/* Says which queries `best` has given several targets, by some of their names. */
static void note_several(const cli_assembly *query, const cli_couples *couples)
{
    cli_some_names names = {.count = 0};
    for (size_t i = 0; i < couples->count && couples->segments[1] != NULL; i++)
        if (couples->list[i].before == i && couples->list[i].after != i)
            cli_add_name(&names, query->records[couples->list[i].query].name);
    if (names.count > 0)
        cli_note(0, "with several targets: %zu query record%s: %s", names.count,
                 cli_s((int64_t)names.count), names.text);
}

/* Two records of an assembly that have the same bases. False if there are none, or no memory. */
static bool find_same(const cli_assembly *assembly, const cli_record *same[2])
{
    cli_key_value *places = malloc((assembly->count + 1) * sizeof *places);
    bool found = false;
    for (size_t i = 0; i < assembly->count && places != NULL; i++)
        places[i] = (cli_key_value){assembly->records[i].digest, i};
    if (places != NULL)
        cli_key_values_sort(places, assembly->count);
    for (size_t i = 1; i < assembly->count && places != NULL && !found; i++) {
        same[0] = &assembly->records[places[i - 1].value];
        same[1] = &assembly->records[places[i].value];
        found = places[i - 1].key == places[i].key && same[0]->length == same[1]->length;
    }
    free(places);
    return found;
}

/* Says that there are no couples, and why, if it is because records are the same, or alike. */
static int fail_without_couples(const char *mode, const cli_assembly *const assemblies[2],
                                bool several)
{
    const cli_record *same[2];
    bool is_known = several || strcmp(mode, "best") != 0;
    if (cli_match_sketched(mode) == NULL)
        return cli_fail_with(
            CLI_INPUT, "no record has a partner by --match %s; --match best goes by bases", mode);
    cli_error("no record has a partner by --match %s", mode);
    for (int side = 0; side < 2 && cli_match_needs_lists(mode); side++) {
        if (!find_same(assemblies[side], same))
            continue;
        is_known = true;
        cli_say("%s: %.80s and %.80s are the same, so that their bases do not say which of the "
                "two is meant; --match names, order or a list does",
                cli_input_name(assemblies[side]->path), same[0]->name, same[1]->name);
    }
    if (!is_known)
        cli_say("--match best-target pairs each query with the target that it shares most with, as "
                "reads with their amplicons");
    return CLI_INPUT;
}

int cli_match_find(const char *mode, const cli_assembly *const assemblies[2],
                   cli_assembly_reader *const readers[2], bool several, bool is_dna,
                   cli_couples *couples)
{
    const cli_assembly *target = assemblies[0], *query = assemblies[1];
    *couples = (cli_couples){.list = NULL};
    const int status =
        strcmp(mode, "order") == 0         ? match_order(target, query, couples)
        : strcmp(mode, "names") == 0       ? match_names(target, query, couples)
        : strcmp(mode, "best-target") == 0 ? cli_best_target(readers, assemblies, couples)
        : strcmp(mode, "best") == 0 ? (several ? cli_best_several(readers, assemblies, couples)
                                               : cli_best_single(assemblies, couples))
                                    : match_file(mode, target, query, is_dna, couples);
    if (status != CLI_OK || couples->count == 0)
        return status;
    couples->end = couples->count;
    couples->is_last = true;
    return link_queries(couples, query->count);
}

int cli_match(const char *mode, const cli_assembly *const assemblies[2],
              cli_assembly_reader *const readers[2], bool several, bool is_dna,
              cli_couples *couples)
{
    const cli_assembly *target = assemblies[0], *query = assemblies[1];
    const int status = cli_match_find(mode, assemblies, readers, several, is_dna, couples);
    if (status != CLI_OK)
        return status;
    cli_note(0, "%zu pair%s of %zu target%s and %zu quer%s", couples->count,
             cli_s((int64_t)couples->count), target->count, cli_s((int64_t)target->count),
             query->count, query->count == 1 ? "y" : "ies");
    if (couples->count == 0)
        return fail_without_couples(mode, assemblies, several);
    note_several(query, couples);
    return refuse_repeats(mode, assemblies, couples);
}

/*
 * The couples of a target, from `from` on, and of others up to the last one of each query that has
 * segments: where they end, and what there is to do.
 */
static size_t end_of_unit(const cli_assembly *const assemblies[2], const cli_couples *couples,
                          size_t from, double *work)
{
    const cli_couple *list = couples->list;
    size_t end = from, last = from;
    *work = 0;
    for (; end < couples->count && (end <= last || list[end].target == list[end - 1].target);
         end++) {
        *work += ((double)assemblies[0]->records[list[end].target].length + 1) *
                 ((double)assemblies[1]->records[list[end].query].length + 1);
        if (list[end].after > last && couples->segments[1] != NULL)
            last = list[end].after;
    }
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
        next = end_of_unit(assemblies, couples, at, &work);
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
        at = end_of_unit(assemblies, couples, at, &work);
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
             couples->end - couples->begin, cli_s((int64_t)(couples->end - couples->begin)));
}

/* Says to which record the best partner of a record without one belongs. */
static void note_lost(const cli_assembly *const assemblies[2], int side, size_t record,
                      const cli_lost *lost)
{
    const cli_assembly *own = assemblies[side], *other = assemblies[1 - side];
    if (lost->has_best)
        cli_note(0,
                 "%.80s: its best %s %.80s belongs to %.80s: rhomb align --blocks aligns each "
                 "with several",
                 own->records[record].name, side == 0 ? "query" : "target",
                 other->records[lost->best].name, own->records[lost->holder].name);
}

/* Says which records are left, by some of their names. */
static void note_left(const cli_assembly *const assemblies[2], int side, const bool *has,
                      const cli_couples *couples)
{
    const cli_assembly *assembly = assemblies[side];
    const char *what = side == 0 ? "target" : "query record";
    cli_some_names names = {.count = 0};
    size_t lost = 0;
    for (size_t i = 0; i < assembly->count; i++)
        if (!has[i])
            cli_add_name(&names, assembly->records[i].name);
    if (names.count > 0)
        cli_note(0, "without a partner: %zu %s%s: %s", names.count, what,
                 cli_s((int64_t)names.count), names.text);
    for (size_t i = 0; i < assembly->count && couples->lost[side] != NULL && lost < LOST_MOST; i++)
        if (!has[i] && couples->lost[side][i].has_best && ++lost > 0)
            note_lost(assemblies, side, i, &couples->lost[side][i]);
}

int cli_match_leave(const cli_assembly *const assemblies[2], const cli_couples *couples,
                    cli_leave_fn leave, void *user)
{
    int status = CLI_OK;
    for (int side = 0; side < 2 && status == CLI_OK && !couples->is_listed; side++) {
        const cli_assembly *assembly = assemblies[side];
        bool *has = cli_couples_have(couples, side, assembly->count);
        if (has == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        note_left(assemblies, side, has, couples);
        for (size_t i = 0; i < assembly->count && status == CLI_OK; i++)
            status = has[i] || leave == NULL ? CLI_OK : leave(side, &assembly->records[i], user);
        free(has);
    }
    return status;
}
