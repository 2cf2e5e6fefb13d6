/* SPDX-License-Identifier: MIT */
/*
 * On which strand the records of a matrix are, see matrix_run.h: a heuristic. One by one, each is
 * turned if most of the minimizers that it shares with those before it are on the other strand, as
 * these are by then. So relatives are on one strand, whatever that of the first one is; of records
 * that share nothing none is turned.
 */
#include "host/cli/matrix/matrix_run.h"

#include "host/cli/base/cli.h"
#include "host/cli/base/text_buffer.h"

enum {
    K = 15,
    W = 8,
    SHARED_LEAST = 4,     /* minimizers, on the other strand: by chance there are one or two */
    ALL_BASES = 200000,   /* of a longer record one minimizer in several is taken, and of others */
    LEAST_NOTED = 400,    /* bases of a record that notes are about, as of pairs */
    MOST_NOTED = 16 << 20 /* bases of all that are looked at for notes: a tenth of a second */
};

/* Minimizers so far, each in the first slot from its hash on: twice the hash, and its strand. */
typedef struct seen {
    uint64_t *slots; /* 0: free */
    size_t room;     /* a power of two */
    size_t count;
} seen;

static uint64_t *slot_of(const seen *s, uint64_t hash)
{
    size_t at = (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (s->room - 1);
    while (s->slots[at] != 0 && s->slots[at] >> 1 != hash)
        at = (at + 1) & (s->room - 1);
    return &s->slots[at];
}

/* Room for `more`, at most half full. False without memory. */
static bool make_room(seen *s, size_t more)
{
    seen grown = {.room = s->room > 0 ? s->room : 1024, .count = s->count};
    while (grown.room < 2 * (s->count + more))
        grown.room *= 2;
    if (grown.room == s->room)
        return true;
    grown.slots = calloc(grown.room, sizeof *grown.slots);
    if (grown.slots == NULL)
        return false;
    for (size_t i = 0; i < s->room; i++)
        if (s->slots[i] != 0)
            *slot_of(&grown, s->slots[i] >> 1) = s->slots[i];
    free(s->slots);
    *s = grown;
    return true;
}

/* Whether a record's minimizers are on the other strand than those before; adds them. */
static bool is_turned(seen *s, const cli_minimizers *list)
{
    int64_t same = 0, other = 0;
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t known = *slot_of(s, list->entries[i].key + 1);
        if (known != 0)
            *((known & 1) == (list->entries[i].value & 1) ? &same : &other) += 1;
    }
    const bool turned = other > same && other >= SHARED_LEAST;
    for (size_t i = 0; i < list->count; i++) {
        uint64_t *slot = slot_of(s, list->entries[i].key + 1);
        if (*slot == 0) {
            *slot = (list->entries[i].key + 1) << 1 | ((list->entries[i].value & 1) ^ turned);
            s->count++;
        }
    }
    return turned;
}

/* One minimizer in so many of a record: a power of two, so that a short one has those of a long
 * one. */
static int one_in(int64_t length)
{
    int share = 1;
    while (length / share > ALL_BASES)
        share *= 2;
    return share > 1 ? share : 0;
}

/* Looks at all records, or for notes at some. False without memory. */
static bool look(const cli_matrix_arguments *args, const cli_matrix_sequences *sequences,
                 bool *turned)
{
    cli_minimizer_shape shape = {.k = K, .w = W, .share = 1};
    const int threads = cli_space_limit() > 0 ? 1 : cli_threads_meant(args->threads);
    seen s = {.room = 0};
    int64_t bases = 0;
    bool good = true;
    for (int64_t i = 0; good && i < sequences->count; i++) {
        const rhomb_matrix_sequence *r = &sequences->list[i];
        shape.one_in = one_in(r->length);
        cli_minimizers list = {.shape = shape};
        bases += r->length;
        if (!args->strand_auto && (r->length < LEAST_NOTED || bases > MOST_NOTED))
            continue;
        good =
            cli_minimizers_list(&list, r->bases, r->length, threads) && make_room(&s, list.count);
        turned[i] = good && is_turned(&s, &list);
        cli_minimizers_release(&list);
    }
    free(s.slots);
    return good;
}

/* Says which records are turned, or look so. */
static void note_turned(const cli_matrix_arguments *args, const cli_matrix_sequences *s,
                        const bool *turned)
{
    cli_some_names names = {.count = 0};
    for (int64_t i = 0; i < s->count; i++)
        if (turned[i])
            cli_add_name(&names, s->list[i].name);
    if (args->strand_auto)
        cli_note(0, "on the other strand: %zu of %" PRId64 " record%s%s%s", names.count, s->count,
                 cli_s(s->count), names.count > 0 ? ": " : "", names.text);
    else if (names.count > 0)
        cli_note(0, "%zu record%s reverse-complemented: %s: --strand auto turns %s", names.count,
                 names.count == 1 ? " looks" : "s look", names.text,
                 names.count == 1 ? "it" : "them");
}

/* Has the other strands in the list. The exit status. */
static int turn(cli_matrix_sequences *s)
{
    s->strands = calloc((size_t)s->count + 1, sizeof *s->strands);
    if (s->strands == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    for (int64_t i = 0; i < s->count; i++) {
        if (!s->turned[i])
            continue;
        s->strands[i] = cli_orient(s->list[i].bases, s->list[i].length, true, 0);
        if (s->strands[i] == NULL)
            return cli_fail(NULL, RHOMB_ERR_MEMORY);
        s->list[i].bases = s->strands[i];
    }
    return CLI_OK;
}

/* Writes a row for each record: its name, and its strand in the matrix. The exit status. */
static int write_strands(const char *path, const cli_matrix_sequences *s)
{
    cli_output output = {.path = NULL};
    cli_sink sink;
    if (!cli_output_open(&output, path)) {
        cli_output_close(&output);
        return CLI_FAILED;
    }
    cli_sink_open(&sink, output.stream, 0);
    cli_append_text(&sink.text, "#record\tstrand\n");
    for (int64_t i = 0; i < s->count && cli_sink_spill(&sink); i++) {
        cli_append_field(&sink.text, s->list[i].name);
        cli_append_text(&sink.text, s->turned[i] ? "\t-\n" : "\t+\n");
    }
    int status = cli_output_status(&output, cli_sink_close(&sink));
    if (status == CLI_OK && !cli_output_commit(&output))
        status = CLI_FAILED;
    cli_output_close(&output);
    return status;
}

int cli_matrix_orient(const cli_matrix_arguments *args, cli_matrix_sequences *s)
{
    if (args->by_file || !cli_has_minimizers ||
        (!args->strand_auto && (!cli_matrix_looks(args) || cli_verbosity() < 0)))
        return CLI_OK;
    bool *turned = calloc((size_t)s->count + 1, sizeof *turned);
    if (turned == NULL || !look(args, s, turned)) {
        free(turned);
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    }
    note_turned(args, s, turned);
    if (!args->strand_auto) {
        free(turned);
        return CLI_OK;
    }
    s->turned = turned;
    const int status = turn(s);
    return status == CLI_OK && args->strands != NULL ? write_strands(args->strands, s) : status;
}
