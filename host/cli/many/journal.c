/* SPDX-License-Identifier: MIT */
/* Journals, see journal.h. */
#include "host/cli/many/journal.h"

#include "host/cli/base/mix.h"
#include "src/checkpoint/saver.h"

struct cli_journal {
    char *path;
    rhomb__saved *saved; /* NULL: the file is new */
    rhomb__saver *saver;
    int64_t pairs, counted[CLI_JOURNAL_COUNTS]; /* of the last mark of pairs */
    size_t marked, marked_held; /* of the lists of what is left out, at the last mark */
};

static const char *const OUTPUTS[] = {"out 0", "out 1"};
static const char LEFT[] = "left"; /* side, begin, end, and the record's name */

/* In place of a side, in a section of what a pair has left out: see cli_unaligned_hold(). */
enum { HELD = 2 };

/* Prints what the error says, and releases it. The exit status. */
static int fail(rhomb__error *error, rhomb_status status)
{
    const int code = cli_fail_with(rhomb_status_class(status), "%s: %s", rhomb_status_text(status),
                                   rhomb__error_text(error));
    rhomb__error_clear(error);
    return code;
}

int cli_journal_open(cli_journal **out, const char *file, const char *identity, const char *mark)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    rhomb__section section = {.end = 0};
    cli_journal *journal = calloc(1, sizeof *journal);
    *out = journal;
    if (journal != NULL)
        journal->path = cli_output_place(file);
    if (journal == NULL || journal->path == NULL)
        return cli_fail_with(CLI_FAILED, "cannot write %s", file);
    const rhomb_status status =
        rhomb__saver_grow(&error, journal->path, identity, mark, &journal->saved, &journal->saver);
    if (status != RHOMB_OK)
        return fail(&error, status);
    while (cli_journal_next(journal, &section)) {
        int64_t numbers[1 + CLI_JOURNAL_COUNTS];
        if (strcmp(section.name, CLI_JOURNAL_PAIRS) != 0 || section.bytes != sizeof numbers)
            continue;
        memcpy(numbers, section.content, sizeof numbers);
        journal->pairs = numbers[0];
        memcpy(journal->counted, numbers + 1, sizeof journal->counted);
    }
    return CLI_OK;
}

bool cli_journal_next(const cli_journal *journal, rhomb__section *section)
{
    return journal->saved != NULL && rhomb__saved_next(journal->saved, section);
}

void cli_journal_add(cli_journal *journal, const char *name, const int64_t *numbers, int count,
                     const void *content, size_t bytes)
{
    const size_t before = (size_t)count * sizeof *numbers;
    rhomb__saver_begin(journal->saver, name, (int64_t)(before + bytes));
    rhomb__saver_add(journal->saver, numbers, before);
    rhomb__saver_add(journal->saver, content, bytes);
}

int cli_journal_settle(cli_journal *journal)
{
    const char *why = NULL;
    return rhomb__saver_settle(journal->saver, &why)
               ? CLI_OK
               : cli_fail_with(CLI_FAILED, "the resume file %s %s", journal->path, why);
}

void cli_journal_drop(const cli_journal *journal)
{
    if (journal != NULL)
        cli_drop_finished(journal->path);
}

void cli_journal_release(cli_journal *journal)
{
    if (journal == NULL)
        return;
    rhomb__saver_close(journal->saver);
    rhomb__saved_close(journal->saved);
    free(journal->path);
    free(journal);
}

void cli_journal_line(cli_buffer *identity, const char *name, const char *value)
{
    cli_append_format(identity, "%s: %s\n", name, value != NULL ? value : "");
}

void cli_journal_identify(cli_buffer *identity, const char *call, const char *device,
                          const cli_assembly *const assemblies[2], const cli_couples *couples,
                          const cli_part_asked *part)
{
    static const char *const SIDES[] = {"target", "query"};
    uint64_t digest = CLI_MIX_NONE;
    cli_journal_line(identity, "version", rhomb_version());
    cli_journal_line(identity, "call", call);
    cli_journal_line(identity, "device", device);
    for (int i = 0; i < 2; i++)
        cli_append_format(identity, "%s: %016" PRIx64 "\n", SIDES[i], assemblies[i]->digest);
    for (size_t i = 0; i < couples->count; i++) {
        const cli_couple *couple = &couples->list[i];
        char text[64];
        snprintf(text, sizeof text, "%zu %zu %d", couple->target, couple->query, couple->strand);
        digest = cli_mix(digest, text, strlen(text) + 1);
    }
    cli_append_format(identity, "pairing: %016" PRIx64 ", part %" PRId64 "/%" PRId64 "\n", digest,
                      part->number, part->of);
}

int cli_journal_open_pairs(cli_journal **journal, const char *file, cli_buffer *identity)
{
    cli_append_bytes(identity, "", 1);
    const int status = identity->failed
                           ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                           : cli_journal_open(journal, file, identity->data, CLI_JOURNAL_PAIRS);
    cli_buffer_release(identity);
    return status;
}

int64_t cli_journal_pairs(const cli_journal *journal)
{
    return journal != NULL ? journal->pairs : 0;
}

const int64_t *cli_journal_counted(const cli_journal *journal)
{
    return journal->counted;
}

void cli_journal_first(void *journal, const char *text, size_t length)
{
    cli_journal_add(journal, OUTPUTS[0], NULL, 0, text, length);
}

void cli_journal_second(void *journal, const char *text, size_t length)
{
    cli_journal_add(journal, OUTPUTS[1], NULL, 0, text, length);
}

/* Lists what a section says was left out. */
static void take_left(const rhomb__section *section, cli_unaligned *unaligned)
{
    int64_t left[3];
    const char *name = (const char *)section->content + sizeof left;
    const int64_t length = section->bytes - (int64_t)sizeof left;
    if (length < 1 || name[length - 1] != '\0')
        return;
    memcpy(left, section->content, sizeof left);
    if (left[0] == HELD)
        cli_unaligned_hold(unaligned, name, left[1], left[2]);
    else
        cli_unaligned_add(unaligned, left[0] == 1, name, left[1], left[2]);
}

int cli_journal_repeat(cli_journal *journal, cli_unaligned *unaligned, cli_journal_take take,
                       void *user)
{
    rhomb__section section = {.end = 0};
    int status = CLI_OK;
    if (journal->pairs > 0)
        cli_note(0, "%" PRId64 " pair%s complete already", journal->pairs,
                 journal->pairs == 1 ? " is" : "s are");
    while (status == CLI_OK && cli_journal_next(journal, &section)) {
        for (int i = 0; i < 2; i++)
            if (strcmp(section.name, OUTPUTS[i]) == 0)
                status = take(i, section.content, (size_t)section.bytes, user);
        if (strcmp(section.name, LEFT) == 0)
            take_left(&section, unaligned);
    }
    journal->marked = cli_unaligned_count(unaligned);
    journal->marked_held = cli_unaligned_held_count(unaligned);
    return status;
}

static void add_left(cli_journal *journal, int64_t side, const cli_rest *rest,
                     const cli_unaligned *unaligned)
{
    const int64_t numbers[] = {side, rest->begin, rest->end};
    const char *name = unaligned->names.data + rest->name;
    cli_journal_add(journal, LEFT, numbers, 3, name, strlen(name) + 1);
}

int cli_journal_mark(cli_journal *journal, int64_t pairs, const cli_unaligned *unaligned,
                     const int64_t counted[CLI_JOURNAL_COUNTS])
{
    for (; journal->marked < cli_unaligned_count(unaligned); journal->marked++) {
        const cli_rest *rest = cli_unaligned_rest(unaligned, journal->marked);
        add_left(journal, rest->side, rest, unaligned);
    }
    for (; journal->marked_held < cli_unaligned_held_count(unaligned); journal->marked_held++)
        add_left(journal, HELD, cli_unaligned_held(unaligned, journal->marked_held), unaligned);
    cli_journal_add(journal, CLI_JOURNAL_PAIRS, &pairs, 1, counted,
                    CLI_JOURNAL_COUNTS * sizeof *counted);
    return cli_journal_settle(journal);
}
