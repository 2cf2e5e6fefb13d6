/* SPDX-License-Identifier: MIT */
/*
 * Journals, see journal.h. Lines of text: the key, then for each pair what it left out, and a line
 * that ends it, a mark:
 *
 *     rhomb-resume 4 0123456789abcdef
 *     rest 0 100 200 chrI
 *     held 300 400 chrII                aligned, of a query in several pairs
 *     held -1 -1 chrIII                 a query without an alignment
 *     pairs 1 7 0 12345 0123456789abcdef 678 0123456789abcdef 0123456789abcdef
 *                                       how many, the user's counts, of either output the length
 *                                       and the digest, and the digest of this file up to here
 *
 * A mark counts if it and all before it are as they were written; what follows the last one that
 * counts is of a pair that is not complete, and is dropped.
 */
#include "host/cli/many/journal.h"

#include "host/cli/base/mix.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An output, at the last mark. */
typedef struct grown {
    cli_output *output; /* NULL without one */
    int64_t bytes;
    uint64_t digest;  /* of these, as the mark says */
    int64_t mixed;    /* a multiple of 8, so that digests do not depend on where marks are; */
    uint64_t running; /* the digest of so many bytes */
} grown;

struct cli_journal {
    char *path;
    FILE *stream;
    grown outputs[2];
    int64_t pairs;
    int64_t counted[2];
    uint64_t digest; /* of the file up to the last mark */
    cli_unaligned rests;
    size_t marked, marked_held; /* of the lists, at the last mark */
};

enum { DIGITS = 16 /* of a digest */ };

static const char BEGIN[] = "rhomb-resume ";

static int fail_file(const char *what, const char *path)
{
    return cli_fail_with(CLI_FAILED, "cannot %s %s: %s", what, path, strerror(errno));
}

/* Reads so many bytes of a file at a position. False, with errno, if it does not have them. */
static bool read_at(int file, char *bytes, size_t count, int64_t at)
{
    while (count > 0) {
        const ssize_t read = pread(file, bytes, count, at);
        if (read < 0 && errno == EINTR)
            continue;
        if (read <= 0) {
            errno = read < 0 ? errno : EIO;
            return false;
        }
        bytes += read;
        count -= (size_t)read;
        at += read;
    }
    return true;
}

/*
 * Takes the digest of an output's first `bytes`, of which those after the last mark are read again:
 * whatever wrote them, and soon enough for the system to have them in memory. The exit status.
 */
static int mix_output(grown *g, int64_t bytes)
{
    char piece[1 << 14];
    if (g->output == NULL)
        return CLI_OK;
    g->bytes = bytes;
    g->digest = g->running;
    while (g->mixed < bytes) {
        const int64_t left = bytes - g->mixed;
        const size_t count = left < (int64_t)sizeof piece ? (size_t)left : sizeof piece;
        const size_t words = count - count % 8;
        if (!read_at(fileno(g->output->stream), piece, count, g->mixed))
            return fail_file("read", g->output->temporary);
        g->running = cli_mix(g->running, piece, words);
        g->digest = cli_mix(g->running, piece + words, count - words);
        if (words == 0)
            break;
        g->mixed += (int64_t)words;
    }
    return CLI_OK;
}

/* Opens an output and checks that it has what the last mark says. The exit status. */
static int open_output(cli_journal *journal, grown *g, const char *file, cli_output *output)
{
    const uint64_t digest = g->digest;
    if (!cli_output_open_partial(output, file, g->bytes, journal->path))
        return CLI_FAILED;
    g->output = output;
    g->running = CLI_MIX_NONE;
    const int status = mix_output(g, g->bytes);
    if (status != CLI_OK || g->digest == digest)
        return status;
    return cli_fail_with(CLI_FAILED, "%s is damaged: remove %s to begin anew", output->temporary,
                         journal->path);
}

/* Adds a line, without its end. */
static void add_line(cli_journal *journal, cli_buffer *text, const char *numbers, const char *name)
{
    const size_t begin = text->length;
    cli_append_text(text, numbers);
    cli_append_text(text, name);
    cli_append_text(text, "\n");
    if (!text->failed)
        journal->digest = cli_mix(journal->digest, text->data + begin, text->length - begin);
}

/* Reads a line of what a pair has left out. False if it is none. */
static bool read_rest(cli_journal *journal, const char *line)
{
    int64_t begin, end;
    int side, at = 0;
    if (sscanf(line, "held %" SCNd64 " %" SCNd64 " %n", &begin, &end, &at) == 2 && at > 0)
        cli_unaligned_hold(&journal->rests, line + at, begin, end);
    else if (sscanf(line, "rest %d %" SCNd64 " %" SCNd64 " %n", &side, &begin, &end, &at) == 3 &&
             at > 0 && (side == 0 || side == 1))
        cli_unaligned_add(&journal->rests, side, line + at, begin, end);
    else
        return false;
    return true;
}

/* Reads a mark, before which the file has this digest. False if it does not count. */
static bool read_mark(cli_journal *journal, const char *line, size_t length, uint64_t before)
{
    int64_t pairs, counted[2];
    grown o[2] = {{0}};
    char digits[DIGITS + 1];
    if (sscanf(line,
               "pairs %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNx64 " %" SCNd64
               " %" SCNx64 " ",
               &pairs, &counted[0], &counted[1], &o[0].bytes, &o[0].digest, &o[1].bytes,
               &o[1].digest) != 7)
        return false;
    const uint64_t digest = cli_mix(before, line, length - DIGITS);
    snprintf(digits, sizeof digits, "%016" PRIx64, digest);
    if (strcmp(line + length - DIGITS, digits) != 0)
        return false;
    journal->pairs = pairs;
    journal->digest = digest;
    memcpy(journal->counted, counted, sizeof counted);
    memcpy(journal->outputs, o, sizeof o);
    journal->marked = cli_unaligned_count(&journal->rests);
    journal->marked_held = cli_unaligned_held_count(&journal->rests);
    return true;
}

/* Reads the lines after the first, up to the last mark that counts, and says where that ends. */
static void read_lines(cli_journal *journal, off_t *end)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t digest = journal->digest;
    while ((length = getline(&line, &room, journal->stream)) > 0 && line[length - 1] == '\n') {
        line[length - 1] = '\0';
        if (read_rest(journal, line)) {
            line[length - 1] = '\n';
            digest = cli_mix(digest, line, (size_t)length);
            continue;
        }
        if (!read_mark(journal, line, (size_t)length - 1, digest))
            break;
        digest = journal->digest;
        *end = ftello(journal->stream);
    }
    free(line);
}

/* Reads an earlier run's journal, or begins one. The exit status. */
static int read_all(cli_journal *journal, uint64_t key)
{
    char first[64], found[sizeof first] = "";
    snprintf(first, sizeof first, "%s4 %016" PRIx64 "\n", BEGIN, key);
    journal->digest = cli_mix(CLI_MIX_NONE, first, strlen(first));
    rewind(journal->stream);
    const bool is_there = fgets(found, sizeof found, journal->stream) != NULL;
    off_t end = is_there ? ftello(journal->stream) : 0;
    /* A run may have been killed within the first line. */
    if (is_there && strncmp(first, found, strlen(found)) != 0)
        return cli_fail_with(CLI_FAILED,
                             "%s is of a run with other inputs, options, device or version: remove "
                             "it to begin anew",
                             journal->path);
    const bool is_whole = strcmp(first, found) == 0;
    if (is_whole)
        read_lines(journal, &end);
    /* What is not complete goes. */
    if (fflush(journal->stream) != 0 ||
        ftruncate(fileno(journal->stream), is_whole ? end : 0) != 0 ||
        fseeko(journal->stream, 0, SEEK_END) != 0 ||
        (!is_whole && fputs(first, journal->stream) == EOF))
        return fail_file("write", journal->path);
    return CLI_OK;
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
    char begin[sizeof BEGIN] = "";
    if (partial == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    if (access(partial, F_OK) == 0 || !read_at(descriptor, begin, strlen(BEGIN), 0) ||
        strcmp(begin, BEGIN) != 0)
        return CLI_OK;
    cli_note(0, "there is no %s to go on with: all pairs are done anew", partial);
    return ftruncate(descriptor, 0) == 0 ? CLI_OK : fail_file("write", path);
}

/* Opens and locks the journal of an output that is at a place, and reads it. The exit status. */
static int open_journal(cli_journal *journal, const char *place, uint64_t key)
{
    const struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    journal->path = cli_with_ending(place, ".resume");
    if (journal->path == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const int descriptor = cli_open_kept(journal->path);
    journal->stream = descriptor >= 0 ? fdopen(descriptor, "r+") : NULL;
    if (journal->stream == NULL)
        return fail_file("write", journal->path);
    if (fcntl(descriptor, F_SETLK, &lock) != 0)
        return cli_fail_with(CLI_FAILED, "%s: another process is writing it", journal->path);
    char *partial = cli_with_ending(place, ".partial");
    const int status = begin_anew_without(partial, descriptor, journal->path);
    free(partial);
    return status == CLI_OK ? read_all(journal, key) : status;
}

int cli_journal_open(cli_journal **out, const char *file, uint64_t key, cli_output *output)
{
    cli_journal *journal = calloc(1, sizeof *journal);
    char *place = cli_output_place(file);
    *out = journal;
    int status = journal == NULL ? cli_fail(NULL, RHOMB_ERR_MEMORY)
                 : place == NULL ? fail_file("write", file)
                                 : CLI_OK;
    if (status == CLI_OK) {
        journal->outputs[0].digest = journal->outputs[1].digest = CLI_MIX_NONE;
        status = open_journal(journal, place, key);
    }
    free(place);
    if (status != CLI_OK)
        return status;
    drop_rests(journal);
    return open_output(journal, &journal->outputs[0], file, output);
}

int cli_journal_open_second(cli_journal *journal, const char *file, cli_output *output)
{
    return open_output(journal, &journal->outputs[1], file, output);
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

/* Adds lines of what the pairs since the last mark have left out. */
static void add_rests(cli_journal *journal, const cli_unaligned *unaligned, cli_buffer *text)
{
    char numbers[80];
    for (; journal->marked < cli_unaligned_count(unaligned); journal->marked++) {
        const cli_rest *rest = cli_unaligned_rest(unaligned, journal->marked);
        snprintf(numbers, sizeof numbers, "rest %d %" PRId64 " %" PRId64 " ", rest->side,
                 rest->begin, rest->end);
        add_line(journal, text, numbers, unaligned->names.data + rest->name);
    }
    for (; journal->marked_held < cli_unaligned_held_count(unaligned); journal->marked_held++) {
        const cli_rest *held = cli_unaligned_held(unaligned, journal->marked_held);
        snprintf(numbers, sizeof numbers, "held %" PRId64 " %" PRId64 " ", held->begin, held->end);
        add_line(journal, text, numbers, unaligned->names.data + held->name);
    }
}

int cli_journal_mark(cli_journal *journal, int64_t pairs, const cli_unaligned *unaligned,
                     const int64_t counted[2])
{
    grown *o = journal->outputs;
    cli_buffer text = {0};
    char numbers[200], digits[DIGITS + 2];
    for (int i = 0; i < 2 && o[i].output != NULL; i++) {
        FILE *stream = o[i].output->stream;
        if (fflush(stream) != 0)
            return cli_output_fail(o[i].output, errno);
        const int status = mix_output(&o[i], ftello(stream));
        if (status != CLI_OK)
            return status;
    }
    add_rests(journal, unaligned, &text);
    snprintf(numbers, sizeof numbers,
             "pairs %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %016" PRIx64 " %" PRId64
             " %016" PRIx64 " ",
             pairs, counted[0], counted[1], o[0].bytes, o[0].digest, o[1].bytes, o[1].digest);
    journal->digest = cli_mix(journal->digest, numbers, strlen(numbers));
    snprintf(digits, sizeof digits, "%016" PRIx64 "\n", journal->digest);
    cli_append_text(&text, numbers);
    cli_append_text(&text, digits);
    const bool has_memory = !text.failed;
    if (has_memory)
        fwrite(text.data, 1, text.length, journal->stream);
    cli_buffer_release(&text);
    if (!has_memory)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    return fflush(journal->stream) == 0 && !ferror(journal->stream)
               ? CLI_OK
               : fail_file("write", journal->path);
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
