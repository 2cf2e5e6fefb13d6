/* SPDX-License-Identifier: MIT */
/*
 * range_peers PEER SCORING ROWS.paf TARGET QUERY COUNT: rows of an exact alignment, as `rhomb align
 * --ranges` writes them, by another program on one core: biwfa with paths, wfa2 and ksw2 the scores
 * alone. Of COUNT rows, evenly chosen and of A, C, G and T alone, each has to have the score of the
 * path of the row. Prints rows, bases of the target, wall and CPU seconds of the peer. For
 * ranges.sh.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rhomb/verify.h"
#include "tests/reference/peers.h"

/* Everything that a run has open. */
typedef struct run {
    rhomb_context *ctx;
    rhomb_sequence_set *sets[2];
    rhomb_paf *paf;
    rhomb_scoring scoring;
    oracle_penalties own, alone; /* of the scoring, and without match score */
    const char *peer;
    int64_t rows, bases;
    double wall, cpu;
} run;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A range on its strand, in upper case; NULL: it has other bases than A, C, G and T. */
static char *bases_of(const char *bases, int64_t length, bool reverse)
{
    static const char CODES[] = "ACGTacgt", FORWARD[] = "ACGTACGT", BACK[] = "TGCATGCA";
    char *out = malloc((size_t)length + 1);
    for (int64_t i = 0; out != NULL && i < length; i++) {
        const char base = bases[reverse ? length - 1 - i : i];
        const char *at = base != '\0' ? strchr(CODES, base) : NULL;
        if (at == NULL) {
            free(out);
            return NULL;
        }
        out[i] = reverse ? BACK[at - CODES] : FORWARD[at - CODES];
    }
    return out;
}

/* The penalty of the path of the record, without match score, of n and m bases. */
static rhomb_status read_penalty(run *r, int64_t n, int64_t m, int64_t *penalty)
{
    rhomb_path_op ops[1024];
    rhomb_status status = RHOMB_OK;
    int64_t score = 0;
    size_t count = 1;
    while (status == RHOMB_OK && count > 0) {
        status = rhomb_paf_ops(r->paf, ops, 1024, &count);
        for (size_t i = 0; i < count; i++)
            score += rhomb_scoring_op_score(&r->scoring, ops[i]);
    }
    *penalty = r->own.match > 0 ? oracle_penalty_of_score(&r->own, n, m, score) : -score;
    return status;
}

static int64_t solve(run *r, const char *target, int64_t n, const char *query, int64_t m)
{
    if (strcmp(r->peer, "biwfa") == 0)
        return oracle_biwfa_path(target, n, query, m, &r->alone);
    if (strcmp(r->peer, "wfa2") == 0)
        return oracle_peer_penalty(ORACLE_WFA2, target, n, query, m, &r->alone);
    const int64_t penalty = oracle_peer_penalty(ORACLE_KSW2, target, n, query, m, &r->own);
    return r->own.match > 0 && penalty != ORACLE_NOTHING
               ? oracle_penalty_of_score(&r->own, n, m, -penalty)
               : penalty;
}

/* Takes the current record; false, with a message, where the peer finds another score. */
static bool take(run *r, const rhomb_paf_record *row, const rhomb_paf_sequences *found)
{
    const int64_t n = row->target_end - row->target_begin, m = row->query_end - row->query_begin;
    int64_t given = 0, least = 0;
    if (read_penalty(r, n, m, &given) != RHOMB_OK)
        return false;
    char *target = bases_of(found->bases[0] + row->target_begin, n, false);
    char *query = bases_of(found->bases[1] + row->query_begin, m, row->reverse);
    const bool is_taken = target != NULL && query != NULL;
    if (is_taken) {
        const double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        least = solve(r, target, n, query, m);
        r->wall += now(CLOCK_MONOTONIC) - wall;
        r->cpu += now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        r->rows++;
        r->bases += n;
    }
    free(target);
    free(query);
    if (is_taken && least != given)
        fprintf(stderr, "range_peers: line %" PRId64 ": %" PRId64 ", and by %s %" PRId64 "\n",
                row->line, given, r->peer, least);
    return !is_taken || least == given;
}

/* Of `all` records, about `count`; false where there is an error, or another score. */
static bool take_rows(run *r, int64_t all, int64_t count)
{
    const rhomb_paf_record *row = NULL;
    rhomb_paf_sequences found;
    bool fine = true;
    while (fine && rhomb_paf_next(r->paf, &row) == RHOMB_OK && row != NULL) {
        if (row->index * count / all == (row->index + 1) * count / all)
            continue;
        fine = rhomb_paf_locate(r->paf, r->sets[0], r->sets[1], &found) == RHOMB_OK &&
               take(r, row, &found);
    }
    return fine && rhomb_context_error(r->ctx)[0] == '\0';
}

static int64_t count_lines(const char *path)
{
    FILE *file = fopen(path, "rb");
    int64_t lines = 0;
    for (int c; file != NULL && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file != NULL)
        fclose(file);
    return lines;
}

int main(int argc, char **argv)
{
    run r = {.peer = argc == 7 ? argv[1] : ""};
    const int64_t all = argc == 7 ? count_lines(argv[3]) : 0;
    const int64_t count = argc == 7 ? strtoll(argv[6], NULL, 10) : 0;
    if (all < 1 || count < 1) {
        fputs("Usage: range_peers biwfa|wfa2|ksw2 SCORING ROWS.paf TARGET QUERY COUNT\n", stderr);
        return 2;
    }
    const bool fine = rhomb_context_create(&r.ctx, NULL) == RHOMB_OK &&
                      rhomb_scoring_parse(r.ctx, argv[2], &r.scoring) == RHOMB_OK &&
                      rhomb_sequence_set_read(r.ctx, argv[4], &r.sets[0]) == RHOMB_OK &&
                      rhomb_sequence_set_read(r.ctx, argv[5], &r.sets[1]) == RHOMB_OK &&
                      rhomb_paf_open(r.ctx, argv[3], &r.paf) == RHOMB_OK;
    r.own = oracle_penalties_of(&r.scoring);
    r.alone = r.own.match > 0 ? oracle_without_match(&r.own) : r.own;
    const bool agree = fine && take_rows(&r, all, count < all ? count : all);
    if (!agree)
        fprintf(stderr, "range_peers: %s\n", r.ctx != NULL ? rhomb_context_error(r.ctx) : "");
    printf("%" PRId64 " %" PRId64 " %.3f %.3f\n", r.rows, r.bases, r.wall, r.cpu);
    rhomb_paf_destroy(r.paf);
    rhomb_sequence_set_destroy(r.sets[1]);
    rhomb_sequence_set_destroy(r.sets[0]);
    rhomb_context_destroy(r.ctx);
    return agree ? 0 : 1;
}
