/* SPDX-License-Identifier: MIT */
/*
 * Variants of a path, see vcf_variants.h.
 */
#include "host/cli/writers/vcf_variants.h"

#include "host/cli/base/sink.h"

bool cli_stretch_lacks_allele(const cli_stretch *s)
{
    return s->target == s->target_end || s->query == s->query_end;
}

static bool is_nothing(const cli_stretch *s)
{
    return s->target == s->target_end && s->query == s->query_end;
}

/* Whether no base precedes it. */
bool cli_stretch_is_first(const cli_stretch *s)
{
    return s->target == 0 || s->query == 0;
}

static bool is_same(char a, char b)
{
    return cli_upper_base((unsigned char)a) == cli_upper_base((unsigned char)b);
}

/* The same without the bases that both alleles end with, and then those that both begin with. */
static cli_stretch trimmed(const cli_path *path, cli_stretch s)
{
    while (!cli_stretch_lacks_allele(&s) &&
           is_same(path->target[s.target_end - 1], path->query[s.query_end - 1])) {
        s.target_end--;
        s.query_end--;
    }
    while (!cli_stretch_lacks_allele(&s) && is_same(path->target[s.target], path->query[s.query])) {
        s.target++;
        s.query++;
    }
    return s;
}

static bool is_gap(const cli_path_piece *piece)
{
    return piece->code == RHOMB_CIGAR_I || piece->code == RHOMB_CIGAR_D;
}

/* Adds columns of an operation to a stretch. */
static void extend(cli_stretch *s, unsigned code, int64_t length)
{
    s->target_end += code != RHOMB_CIGAR_I ? length : 0;
    s->query_end += code != RHOMB_CIGAR_D ? length : 0;
}

/* An operation as a stretch. */
static cli_stretch begun(const cli_variants *w, const cli_path_piece *piece)
{
    cli_stretch s = {piece->target, piece->target, piece->query, piece->query, w->place.index - 1};
    extend(&s, piece->code, piece->length);
    return s;
}

/*
 * The next run of operations other than =, and how many matches there are between it and the next
 * one. False if there is none.
 */
static bool next_run(const cli_path *path, cli_variants *w, cli_stretch *run, int64_t *matches)
{
    const cli_path_place end = cli_path_end(path);
    cli_path_piece piece;
    bool found = false;
    *matches = 0;
    while (cli_path_next(path, &w->place, &end, &piece)) {
        if (piece.code == RHOMB_CIGAR_EQ && found) {
            *matches = piece.length;
            return true;
        }
        if (piece.code == RHOMB_CIGAR_EQ)
            continue;
        if (found)
            extend(run, piece.code, piece.length);
        else
            *run = begun(w, &piece);
        found = true;
    }
    return found;
}

/* The next stretch that differs, not anchored yet. False if there is none. */
static bool next_variant(const cli_path *path, cli_variants *w, cli_stretch *variant)
{
    cli_stretch run, next;
    int64_t matches;
    do {
        if (!next_run(path, w, &run, &matches))
            return false;
        *variant = trimmed(path, run);
        /* The base after is an anchor for both: they become one. */
        while (cli_stretch_is_first(variant) && cli_stretch_lacks_allele(variant) && matches == 1 &&
               variant->target_end == run.target_end && next_run(path, w, &next, &matches)) {
            run.target_end = next.target_end;
            run.query_end = next.query_end;
            *variant = trimmed(path, run);
        }
    } while (is_nothing(variant));
    return true;
}

/* Takes the next mismatch of an operation, if there is one left. */
static bool next_mismatch(const cli_path *path, cli_variants *w, cli_stretch *variant)
{
    cli_stretch *all = &w->mismatches;
    while (all->target < all->target_end) {
        *variant = (cli_stretch){all->target, all->target + 1, all->query, all->query + 1, all->op};
        all->target++;
        all->query++;
        if (!is_same(path->target[variant->target], path->query[variant->query]))
            return true;
    }
    return false;
}

/*
 * Adds what a run of insertions and deletions cannot be told from: those that touch it, and at the
 * beginning of the path, where the base after is the anchor, what needs that base as well.
 */
static cli_stretch closed(const cli_path *path, cli_variants *w, cli_stretch run)
{
    const cli_path_place end = cli_path_end(path);
    cli_path_place place = w->place;
    cli_path_piece piece;
    int64_t matches = 0;
    while (cli_path_next(path, &place, &end, &piece)) {
        const bool needs_anchor =
            cli_stretch_is_first(&run) && cli_stretch_lacks_allele(&run) && matches == 0;
        if (is_gap(&piece)) {
            extend(&run, RHOMB_CIGAR_EQ, matches);
            extend(&run, piece.code, piece.length);
            matches = 0;
        } else if (needs_anchor && piece.code == RHOMB_CIGAR_X) {
            extend(&run, piece.code, 1);
            w->mismatches = begun(&(cli_variants){.place = place}, &piece);
            w->mismatches.target++;
            w->mismatches.query++;
        } else if (needs_anchor && piece.length == 1) {
            matches = 1;
            continue;
        } else {
            break;
        }
        w->place = place;
        if (w->mismatches.target < w->mismatches.target_end)
            break;
    }
    return trimmed(path, run);
}

/* The next difference alone: a mismatch, an insertion or a deletion. False if there is none. */
static bool next_difference(const cli_path *path, cli_variants *w, cli_stretch *variant)
{
    const cli_path_place end = cli_path_end(path);
    cli_path_piece piece;
    while (!next_mismatch(path, w, variant)) {
        if (!cli_path_next(path, &w->place, &end, &piece))
            return false;
        if (piece.code == RHOMB_CIGAR_X)
            w->mismatches = begun(w, &piece);
        if (!is_gap(&piece))
            continue;
        *variant = closed(path, w, begun(w, &piece));
        if (!is_nothing(variant))
            return true;
    }
    return true;
}

bool cli_variants_next(const cli_path *path, cli_variants *variants, cli_stretch *variant)
{
    return path->atomize ? next_difference(path, variants, variant)
                         : next_variant(path, variants, variant);
}
