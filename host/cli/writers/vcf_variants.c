/* SPDX-License-Identifier: MIT */
/* Variants of a path, see vcf_rows.h. */
#include "host/cli/writers/vcf_rows.h"

#include "host/cli/base/sink.h"

bool cli_variant_range_lacks_allele(const cli_variant_range *s)
{
    return s->target == s->target_end || s->query == s->query_end;
}

static bool is_nothing(const cli_variant_range *s)
{
    return s->target == s->target_end && s->query == s->query_end;
}

/* Whether no base precedes it. */
bool cli_variant_range_is_first(const cli_variant_range *s)
{
    return s->target == 0 || s->query == 0;
}

static bool is_same(char a, char b)
{
    return cli_upper_base((unsigned char)a) == cli_upper_base((unsigned char)b);
}

/* The same without the bases that both alleles end with, and then those that both begin with. */
static cli_variant_range trimmed(const cli_path *path, cli_variant_range s)
{
    while (!cli_variant_range_lacks_allele(&s) &&
           is_same(path->target[s.target_end - 1], path->query[s.query_end - 1])) {
        s.target_end--;
        s.query_end--;
    }
    while (!cli_variant_range_lacks_allele(&s) &&
           is_same(path->target[s.target], path->query[s.query])) {
        s.target++;
        s.query++;
    }
    return s;
}

static bool is_gap(const cli_path_segment *segment)
{
    return segment->code == RHOMB_CIGAR_I || segment->code == RHOMB_CIGAR_D;
}

/* Adds columns of an operation to a range. */
static void extend(cli_variant_range *s, unsigned code, int64_t length)
{
    s->target_end += code != RHOMB_CIGAR_I ? length : 0;
    s->query_end += code != RHOMB_CIGAR_D ? length : 0;
}

/* An operation as a range. */
static cli_variant_range begun(const cli_variants *w, const cli_path_segment *segment)
{
    cli_variant_range s = {segment->target, segment->target, segment->query, segment->query,
                           w->cursor.index - 1};
    extend(&s, segment->code, segment->length);
    return s;
}

/*
 * The next run of operations other than =, and how many matches there are between it and the next
 * one. False if there is none.
 */
static bool next_run(const cli_path *path, cli_variants *w, cli_variant_range *run,
                     int64_t *matches)
{
    const cli_path_cursor end = cli_path_end(path);
    cli_path_segment segment;
    bool found = false;
    *matches = 0;
    while (cli_path_next(path, &w->cursor, &end, &segment)) {
        if (segment.code == RHOMB_CIGAR_EQ && found) {
            *matches = segment.length;
            return true;
        }
        if (segment.code == RHOMB_CIGAR_EQ)
            continue;
        if (found)
            extend(run, segment.code, segment.length);
        else
            *run = begun(w, &segment);
        found = true;
    }
    return found;
}

/* The next range that differs, not anchored yet. False if there is none. */
static bool next_variant(const cli_path *path, cli_variants *w, cli_variant_range *variant)
{
    cli_variant_range run, next;
    int64_t matches;
    do {
        if (!next_run(path, w, &run, &matches))
            return false;
        *variant = trimmed(path, run);
        /* The base after is an anchor for both: they become one. */
        while (cli_variant_range_is_first(variant) && cli_variant_range_lacks_allele(variant) &&
               matches == 1 && variant->target_end == run.target_end &&
               next_run(path, w, &next, &matches)) {
            run.target_end = next.target_end;
            run.query_end = next.query_end;
            *variant = trimmed(path, run);
        }
    } while (is_nothing(variant));
    return true;
}

/* Takes the next mismatch of an operation, if there is one left. */
static bool next_mismatch(const cli_path *path, cli_variants *w, cli_variant_range *variant)
{
    cli_variant_range *all = &w->mismatches;
    while (all->target < all->target_end) {
        *variant =
            (cli_variant_range){all->target, all->target + 1, all->query, all->query + 1, all->op};
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
static cli_variant_range closed(const cli_path *path, cli_variants *w, cli_variant_range run)
{
    const cli_path_cursor end = cli_path_end(path);
    cli_path_cursor cursor = w->cursor;
    cli_path_segment segment;
    int64_t matches = 0;
    while (cli_path_next(path, &cursor, &end, &segment)) {
        const bool needs_anchor = cli_variant_range_is_first(&run) &&
                                  cli_variant_range_lacks_allele(&run) && matches == 0;
        if (is_gap(&segment)) {
            extend(&run, RHOMB_CIGAR_EQ, matches);
            extend(&run, segment.code, segment.length);
            matches = 0;
        } else if (needs_anchor && segment.code == RHOMB_CIGAR_X) {
            extend(&run, segment.code, 1);
            w->mismatches = begun(&(cli_variants){.cursor = cursor}, &segment);
            w->mismatches.target++;
            w->mismatches.query++;
        } else if (needs_anchor && segment.length == 1) {
            matches = 1;
            continue;
        } else {
            break;
        }
        w->cursor = cursor;
        if (w->mismatches.target < w->mismatches.target_end)
            break;
    }
    return trimmed(path, run);
}

/* The next difference alone: a mismatch, an insertion or a deletion. False if there is none. */
static bool next_difference(const cli_path *path, cli_variants *w, cli_variant_range *variant)
{
    const cli_path_cursor end = cli_path_end(path);
    cli_path_segment segment;
    while (!next_mismatch(path, w, variant)) {
        if (!cli_path_next(path, &w->cursor, &end, &segment))
            return false;
        if (segment.code == RHOMB_CIGAR_X)
            w->mismatches = begun(w, &segment);
        if (!is_gap(&segment))
            continue;
        *variant = closed(path, w, begun(w, &segment));
        if (!is_nothing(variant))
            return true;
    }
    return true;
}

bool cli_variants_next(const cli_path *path, cli_variants *variants, cli_variant_range *variant)
{
    return path->atomize ? next_difference(path, variants, variant)
                         : next_variant(path, variants, variant);
}
