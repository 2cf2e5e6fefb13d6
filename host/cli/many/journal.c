/* SPDX-License-Identifier: MIT */
/*
 * Journals, see journal.h. Lines of text: the key, then for each pair what it left out, and a line
 * that ends it:
 *
 *     rhomb-resume 3 0123456789abcdef
 *     rest 0 100 200 chrI
 *     held 300 400 chrII                aligned, of a query in several pairs
 *     held -1 -1 chrIII                 a query without an alignment
 *     pairs 1 12345 7 0 678             how many, the length of the output, the user's counts, the
 *                                       length of the second output
 *
 * A line without an end, and lines after the last pair, are of a pair that is not complete.
 */
#include "host/cli/many/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli_journal {
    char *path;
    FILE *stream;
    cli_output *output;
    cli_output *second; /* NULL without one */
    int64_t pairs;
    int64_t bytes; /* of the output with these */
    int64_t second_bytes;
    int64_t counted[2];
    cli_unaligned rests;
    size_t marked, marked_held; /* of the lists, at the last mark */
};

static int fail_file(const char *what, const char *path)
{
    return cli_fail_with(CLI_FAILED, "cannot %s %s: %s", what, path, strerror(errno));
}

/* The name of the file with an ending; NULL without memory. */
static char *with_ending(const char *file, const char *ending)
{
    char *name = malloc(strlen(file) + strlen(ending) + 1);
    return name != NULL ? strcat(strcpy(name, file), ending) : NULL;
}

/* Reads a line of the journal after the first. */
static void read_line(cli_journal *journal, char *line)
{
    int64_t first, second, counted[2], more;
    int side, at = 0;
    if (sscanf(line, "held %" SCNd64 " %" SCNd64 " %n", &first, &second, &at) == 2 && at > 0)
        cli_unaligned_hold(&journal->rests, line + at, first, second);
    else if (sscanf(line, "rest %d %" SCNd64 " %" SCNd64 " %n", &side, &first, &second, &at) == 3 &&
             at > 0 && (side == 0 || side == 1))
        cli_unaligned_add(&journal->rests, side, line + at, first, second);
    else if (sscanf(line, "pairs %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, &first,
                    &second, &counted[0], &counted[1], &more) == 5 &&
             first > journal->pairs) {
        journal->pairs = first;
        journal->bytes = second;
        journal->second_bytes = more;
        memcpy(journal->counted, counted, sizeof counted);
        journal->marked = cli_unaligned_count(&journal->rests);
        journal->marked_held = cli_unaligned_held_count(&journal->rests);
    }
}

/* Reads an earlier run's journal. The exit status. */
static int read_all(cli_journal *journal, uint64_t key)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t found = 0;
    int version = 0;
    int status = CLI_OK;
    bool is_first = true;
    long end = 0;
    rewind(journal->stream);
    while (status == CLI_OK && (length = getline(&line, &room, journal->stream)) > 0) {
        if (line[length - 1] != '\n')
            break;
        line[length - 1] = '\0';
        if (is_first && (sscanf(line, "rhomb-resume %d %" SCNx64, &version, &found) != 2 ||
                         version != 3 || found != key))
            status = cli_fail_with(
                CLI_FAILED,
                "%s is of a run with other inputs, options, device or version: remove "
                "it to begin anew",
                journal->path);
        const int64_t pairs = journal->pairs;
        if (!is_first)
            read_line(journal, line);
        if (is_first || journal->pairs > pairs)
            end = ftell(journal->stream);
        is_first = false;
    }
    free(line);
    /* What is not complete goes. */
    if (status == CLI_OK &&
        (fflush(journal->stream) != 0 || ftruncate(fileno(journal->stream), end) != 0 ||
         fseek(journal->stream, 0, SEEK_END) != 0))
        status = fail_file("write", journal->path);
    if (status == CLI_OK && is_first)
        fprintf(journal->stream, "rhomb-resume 3 %016" PRIx64 "\n", key);
    return status;
}

/* Drops what the list has of a pair that is not complete. */
static void drop_rests(cli_journal *journal)
{
    cli_unaligned *u = &journal->rests;
    while (cli_unaligned_count(u) > journal->marked) {
        const cli_rest *last = cli_unaligned_rest(u, cli_unaligned_count(u) - 1);
        u->bases[last->side] -= last->end - last->begin;
        u->pieces[last->side]--;
        u->rests.length -= sizeof *last;
    }
    u->held.length = journal->marked_held * sizeof(cli_rest);
}

/*
 * Without the partial output there is nothing to go on with: it has got its name, and the run was
 * killed before its journal was removed; or somebody has removed it.
 */
static int begin_anew_without(const char *partial, int descriptor, const char *path)
{
    if (partial == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (access(partial, F_OK) == 0 || lseek(descriptor, 0, SEEK_END) == 0)
        return CLI_OK;
    cli_note(0, "there is no %s to go on with: all pairs are done anew", partial);
    return ftruncate(descriptor, 0) == 0 ? CLI_OK : fail_file("write", path);
}

static int open_journal(cli_journal *journal, const char *file, uint64_t key)
{
    const struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    journal->path = with_ending(file, ".resume");
    if (journal->path == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int descriptor = open(journal->path, O_RDWR | O_CREAT, 0666);
    journal->stream = descriptor >= 0 ? fdopen(descriptor, "r+") : NULL;
    if (journal->stream == NULL)
        return fail_file("write", journal->path);
    if (fcntl(descriptor, F_SETLK, &lock) != 0)
        return cli_fail_with(CLI_FAILED, "%s: another process is writing it", journal->path);
    char *partial = with_ending(file, ".partial");
    const int status = begin_anew_without(partial, descriptor, journal->path);
    free(partial);
    return status == CLI_OK ? read_all(journal, key) : status;
}

int cli_journal_open(cli_journal **out, const char *file, uint64_t key, cli_output *output)
{
    cli_journal *journal = calloc(1, sizeof *journal);
    *out = journal;
    if (journal == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    journal->output = output;
    const int status = open_journal(journal, file, key);
    if (status != CLI_OK)
        return status;
    drop_rests(journal);
    return cli_output_open_partial(output, file, journal->bytes, journal->path) ? CLI_OK
                                                                                : CLI_FAILED;
}

int cli_journal_open_second(cli_journal *journal, const char *file, cli_output *output)
{
    journal->second = output;
    return cli_output_open_partial(output, file, journal->second_bytes, journal->path) ? CLI_OK
                                                                                       : CLI_FAILED;
}

int64_t cli_journal_pairs(const cli_journal *journal)
{
    return journal->pairs;
}

void cli_journal_note(const cli_journal *journal)
{
    cli_note(0, "%" PRId64 " pair%s complete already", journal->pairs,
             journal->pairs == 1 ? " is" : "s are");
}

void cli_journal_rests(const cli_journal *journal, cli_unaligned *unaligned)
{
    for (size_t i = 0; i < cli_unaligned_count(&journal->rests); i++) {
        const cli_rest *rest = cli_unaligned_rest(&journal->rests, i);
        cli_unaligned_add(unaligned, rest->side, journal->rests.names.data + rest->name,
                          rest->begin, rest->end);
    }
    for (size_t i = 0; i < cli_unaligned_held_count(&journal->rests); i++) {
        const cli_rest *held = cli_unaligned_held(&journal->rests, i);
        cli_unaligned_hold(unaligned, journal->rests.names.data + held->name, held->begin,
                           held->end);
    }
}

const int64_t *cli_journal_counted(const cli_journal *journal)
{
    return journal->counted;
}

int cli_journal_mark(cli_journal *journal, int64_t pairs, const cli_unaligned *unaligned,
                     const int64_t counted[2])
{
    FILE *stream = journal->output->stream;
    if (fflush(stream) != 0)
        return cli_output_fail(journal->output, errno);
    if (journal->second != NULL && fflush(journal->second->stream) != 0)
        return cli_output_fail(journal->second, errno);
    for (; journal->marked < cli_unaligned_count(unaligned); journal->marked++) {
        const cli_rest *rest = cli_unaligned_rest(unaligned, journal->marked);
        fprintf(journal->stream, "rest %d %" PRId64 " %" PRId64 " %s\n", rest->side, rest->begin,
                rest->end, unaligned->names.data + rest->name);
    }
    for (; journal->marked_held < cli_unaligned_held_count(unaligned); journal->marked_held++) {
        const cli_rest *held = cli_unaligned_held(unaligned, journal->marked_held);
        fprintf(journal->stream, "held %" PRId64 " %" PRId64 " %s\n", held->begin, held->end,
                unaligned->names.data + held->name);
    }
    fprintf(journal->stream, "pairs %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
            pairs, (int64_t)ftello(stream), counted[0], counted[1],
            journal->second != NULL ? (int64_t)ftello(journal->second->stream) : 0);
    return fflush(journal->stream) == 0 ? CLI_OK : fail_file("write", journal->path);
}

void cli_journal_remove(cli_journal *journal)
{
    unlink(journal->path);
}

void cli_journal_release(cli_journal *journal)
{
    if (journal == NULL)
        return;
    if (journal->stream != NULL)
        fclose(journal->stream);
    cli_unaligned_release(&journal->rests);
    free(journal->path);
    free(journal);
}
