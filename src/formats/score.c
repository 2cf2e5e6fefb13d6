/* SPDX-License-Identifier: MIT */
/*
 * Re-scoring paths, see score.h. A record is within its sequences (checked by the reader), so an
 * operation within the record's ranges reads only existing bases, and no sum here exceeds the sum
 * of both lengths.
 */
#include "src/formats/score.h"

#include "rhomb/identity.h"
#include "src/base/alphabet.h"
#include "src/base/int64.h"
#include "src/scoring/costs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bases that are compared at once where all of them should match. */
enum { BLOCK_BASES = 256 };

/* The coarse code of all bases but A, C, G and T. */
enum { AMBIGUOUS = 'N' };

/* The position of an error. */
typedef struct position {
    int64_t target, query; /* 0-based, on the forward strands; -1: none */
    int64_t operation;
} position;

static const position NOWHERE = {.target = -1, .query = -1, .operation = 0};

static void tell(rhomb__score *s, rhomb_verify_error_kind kind, position at, const char *format,
                 va_list args) RHOMB__PRINTF(4, 0);

static void tell(rhomb__score *s, rhomb_verify_error_kind kind, position at, const char *format,
                 va_list args)
{
    char text[512];
    int used = 0;
    if (s->second != NULL)
        used = snprintf(text, sizeof text, "tag %s: ", s->second);
    vsnprintf(text + used, sizeof text - (size_t)used, format, args);
    const rhomb_verify_error error = {.kind = kind,
                                      .row = s->row,
                                      .operation = at.operation,
                                      .target_position = at.target,
                                      .query_position = at.query,
                                      .text = text};
    if (s->stopped)
        return;
    s->errors++;
    if (s->error != NULL)
        s->stopped = s->error(&error, s->user) != 0;
}

static void report_error(rhomb__score *s, rhomb_verify_error_kind kind, position at,
                         const char *format, ...) RHOMB__PRINTF(4, 5);

static void report_error(rhomb__score *s, rhomb_verify_error_kind kind, position at,
                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell(s, kind, at, format, args);
    va_end(args);
}

void rhomb__score_error(rhomb__score *s, rhomb_verify_error_kind kind, const rhomb_paf_record *row,
                        int64_t target, int64_t query, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    s->row = row;
    s->second = NULL;
    tell(s, kind, (position){.target = target, .query = query}, format, args);
    va_end(args);
}

static unsigned char fold(rhomb_alphabet alphabet, int byte)
{
    return (unsigned char)rhomb__alphabet_fold(alphabet, byte);
}

/* The complement of a folded base; any other byte is its own. */
static unsigned char complement(unsigned char base)
{
    static const char BASES[] = "ACGTRYKMBVDHWSN";
    static const char PARTNERS[] = "TGCAYRMKVBHDWSN";
    const char *found = base != 0 ? strchr(BASES, base) : NULL;
    return found != NULL ? (unsigned char)PARTNERS[found - BASES] : base;
}

static unsigned char coarse(unsigned char base)
{
    switch (base) {
    case 'A':
    case 'C':
    case 'G':
    case 'T':
        return base;
    default:
        return AMBIGUOUS;
    }
}

void rhomb__score_create(rhomb__score *s, const rhomb_verify_options *options)
{
    const rhomb_alphabet alphabet = options->alphabet;
    *s = (rhomb__score){
        .error = options->error, .user = options->error_user, .given = options->scoring};
    for (int i = 0; i < 256; i++) {
        const unsigned char base = fold(alphabet, i);
        const unsigned char partner =
            rhomb__alphabet_has_strands(alphabet) ? complement(base) : base;
        s->exact.target[i] = s->exact.forward[i] = base;
        s->exact.reverse[i] = partner;
        s->coarse.target[i] = s->coarse.forward[i] = coarse(base);
        s->coarse.reverse[i] = coarse(partner);
    }
    s->is_iupac = alphabet == RHOMB_ALPHABET_IUPAC;
    s->is_letters = !rhomb__alphabet_has_strands(alphabet);
    s->iupac = s->exact;
    for (int i = 0; i < 256; i++)
        s->iupac.mask[i] = rhomb__alphabet_mask(i);
    s->relation = s->is_iupac ? &s->iupac : &s->exact;
}

/*
 * The 0-based position, on the forward strand, of the query base that has `before` bases before it
 * in the path.
 */
static int64_t forward_position(const rhomb_paf_record *row, int64_t before)
{
    return row->reverse ? row->query_end - 1 - before : row->query_begin + before;
}

/* The position of the path's next query base. */
static int64_t query_position(const rhomb__score *s, int64_t ahead)
{
    return forward_position(s->row, s->query_at + ahead);
}

static unsigned char target_code(const rhomb__score *s, int64_t ahead)
{
    return s->codes->target[(unsigned char)s->target[s->target_at + ahead]];
}

static unsigned char query_code(const rhomb__score *s, int64_t ahead)
{
    const unsigned char base = (unsigned char)s->query[query_position(s, ahead)];
    return s->row->reverse ? s->codes->reverse[base] : s->codes->forward[base];
}

/* Consecutive pairs of bases. */
typedef struct pairs {
    int64_t equal;
    int64_t first_equal, first_unequal; /* -1: none */
} pairs;

/* Compares one pair after the other, from `from` on. */
static void compare_each(rhomb__score *s, int64_t from, int64_t to, pairs *out)
{
    for (int64_t i = from; i < to; i++) {
        const unsigned char a = target_code(s, i);
        const unsigned char b = query_code(s, i);
        const bool equal = rhomb__score_matches(s->codes, a, b);
        if (s->is_coarse && (a == AMBIGUOUS || b == AMBIGUOUS)) {
            s->counts.ambiguous++;
            s->counts.ambiguous_pairs++;
            s->counts.ambiguous_equal += equal;
        }
        int64_t *first = equal ? &out->first_equal : &out->first_unequal;
        if (*first < 0)
            *first = i;
        out->equal += equal;
    }
}

/* The next `length` pairs, which are within the record. */
static pairs compare(rhomb__score *s, int64_t length)
{
    pairs out = {.first_equal = -1, .first_unequal = -1};
    /* Equal bytes match; only the coarse kind must count some of them. */
    const bool direct = !s->row->reverse && !s->is_coarse;
    for (int64_t at = 0; at < length;) {
        const int64_t end = at + rhomb__min(length - at, BLOCK_BASES);
        if (direct && memcmp(s->target + s->target_at + at, s->query + query_position(s, at),
                             (size_t)(end - at)) == 0) {
            if (out.first_equal < 0)
                out.first_equal = at;
            out.equal += end - at;
        } else {
            compare_each(s, at, end, &out);
        }
        at = end;
    }
    return out;
}

static position place_of(const rhomb__score *s, int64_t ahead)
{
    return (position){.target = s->target_at + ahead,
                      .query = query_position(s, ahead),
                      .operation = s->operations};
}

/* Reports mismatches under a `=`, or matches under an X. */
static void report_bases(rhomb__score *s, rhomb_verify_error_kind kind, int64_t length,
                         int64_t first, int64_t wrong)
{
    const position at = place_of(s, first);
    char others[64] = "";
    if (wrong > 1)
        snprintf(others, sizeof others, ", and %lld more of the %lld", (long long)wrong - 1,
                 (long long)length);
    report_error(
        s, kind, at,
        "operation %lld (%lld%c): bases %s at target position %lld (%c), query position %lld "
        "(%c%s)%s",
        (long long)at.operation, (long long)length, kind == RHOMB_VERIFY_EQUAL ? '=' : 'X',
        kind == RHOMB_VERIFY_EQUAL ? "differ" : "match", (long long)at.target + 1,
        s->target[at.target], (long long)at.query + 1, s->query[at.query],
        s->row->reverse ? ", reverse strand" : "", others);
}

/* Whether the record's ranges have that many more bases. */
static bool stays_within(rhomb__score *s, rhomb_path_op op, int64_t target_step, int64_t query_step)
{
    const rhomb_paf_record *row = s->row;
    const int64_t target_left = row->target_end - s->target_at;
    const int64_t query_left = row->query_end - row->query_begin - s->query_at;
    const bool leaves_target = target_step > target_left;
    if (!leaves_target && query_step <= query_left)
        return true;
    position at = place_of(s, 0);
    report_error(
        s, RHOMB_VERIFY_BEYOND, at,
        "operation %lld (%lld%c), at target position %lld, query position %lld, runs past the "
        "record's range of the %s, which has %lld bases left",
        (long long)at.operation, (long long)RHOMB_CIGAR_LENGTH(op), RHOMB_CIGAR_LETTER(op),
        (long long)at.target + 1, (long long)at.query + 1, leaves_target ? "target" : "query",
        (long long)(leaves_target ? target_left : query_left));
    s->lost = true;
    return false;
}

/* What the next `length` pairs score by a matrix. */
static int64_t matrix_score(const rhomb__score *s, int64_t length)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < length; i++) {
        const unsigned char base = (unsigned char)s->query[query_position(s, i)];
        const unsigned char a = (unsigned char)s->target[s->target_at + i];
        const unsigned char b = s->row->reverse ? s->exact.reverse[base] : base;
        sum += rhomb__symbol_table_score(&s->table, a, b);
    }
    return sum;
}

static void score_pairs(rhomb__score *s, unsigned code, int64_t length)
{
    const pairs found = compare(s, length);
    if (code == RHOMB_CIGAR_EQ && found.equal < length)
        report_bases(s, RHOMB_VERIFY_EQUAL, length, found.first_unequal, length - found.equal);
    if (code == RHOMB_CIGAR_X && found.equal > 0)
        report_bases(s, RHOMB_VERIFY_UNEQUAL, length, found.first_equal, found.equal);
    /* Counts go by = and X, so that one wrong base is one error and not four. */
    const int64_t equal = code == RHOMB_CIGAR_M ? found.equal : code == RHOMB_CIGAR_EQ ? length : 0;
    s->counts.equal += equal;
    s->counts.unequal += length - equal;
    if (s->scoring != NULL && s->scoring->matrix != NULL)
        s->counts.pair_score += matrix_score(s, length);
}

/* Bases of a gap that minimap2 does not count. */
static void count_ambiguous(rhomb__score *s, int64_t target_step, int64_t query_step)
{
    for (int64_t i = 0; i < target_step; i++)
        s->counts.ambiguous += target_code(s, i) == AMBIGUOUS;
    for (int64_t i = 0; i < query_step; i++)
        s->counts.ambiguous += query_code(s, i) == AMBIGUOUS;
}

static void mix(uint64_t *digest, uint64_t value)
{
    *digest = (*digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *digest ^= *digest >> 29;
}

static void score_op(rhomb__score *s, rhomb_path_op op)
{
    const unsigned code = (unsigned)RHOMB_CIGAR_CODE(op);
    const int64_t length = (int64_t)RHOMB_CIGAR_LENGTH(op);
    const int64_t target_step = code == RHOMB_CIGAR_I ? 0 : length;
    const int64_t query_step = code == RHOMB_CIGAR_D ? 0 : length;
    s->operations++;
    if (!stays_within(s, op, target_step, query_step))
        return;
    if (target_step > 0 && query_step > 0) {
        score_pairs(s, code, length);
    } else {
        s->counts.deleted += target_step;
        s->counts.inserted += query_step;
        s->counts.gaps++;
        s->counts.gap_score += s->scoring != NULL ? rhomb_scoring_op_score(s->scoring, op) : 0;
        mix(&s->counts.gap_digest, (uint64_t)s->target_at);
        mix(&s->counts.gap_digest, (uint64_t)s->query_at);
        mix(&s->counts.gap_digest, op);
        if (s->is_coarse)
            count_ambiguous(s, target_step, query_step);
    }
    s->target_at += target_step;
    s->query_at += query_step;
}

void rhomb__score_ops(rhomb__score *s, const rhomb_path_op *ops, size_t count)
{
    for (size_t i = 0; i < count && !s->lost && !s->stopped; i++)
        score_op(s, ops[i]);
}

bool rhomb__score_has_base(const rhomb__score *s, const rhomb__score_base *base)
{
    const rhomb_paf_record *row = s->row;
    const unsigned char said = fold(RHOMB_ALPHABET_DNA, (unsigned char)base->base);
    unsigned char found;
    if (s->lost || s->stopped)
        return true;
    if (base->target >= 0) {
        if (base->target >= row->target_end - row->target_begin)
            return true;
        found = (unsigned char)s->target[row->target_begin + base->target];
    } else {
        if (base->query >= row->query_end - row->query_begin)
            return true;
        found = (unsigned char)s->query[forward_position(row, base->query)];
        found = row->reverse ? s->exact.reverse[found] : found;
    }
    found = fold(RHOMB_ALPHABET_DNA, found);
    return said == found || said == coarse(found);
}

void rhomb__score_bases(rhomb__score *s, rhomb_path_op op, const rhomb__score_base *first,
                        int64_t count)
{
    if (count == 0 || s->lost)
        return;
    const bool of_target = first->target >= 0;
    const position at = {
        .target = of_target ? s->row->target_begin + first->target : -1,
        .query = of_target ? -1 : forward_position(s->row, first->query),
        .operation = s->operations,
    };
    char others[64] = "";
    if (count > 1)
        snprintf(others, sizeof others, ", and %lld more of the operation's bases",
                 (long long)count - 1);
    report_error(s, RHOMB_VERIFY_BASES, at,
                 "operation %lld (%lld%c): cs has %c for %s position %lld (%c%s)%s",
                 (long long)at.operation, (long long)RHOMB_CIGAR_LENGTH(op), RHOMB_CIGAR_LETTER(op),
                 first->base, of_target ? "target" : "query",
                 (long long)(of_target ? at.target : at.query) + 1,
                 of_target ? s->target[at.target] : s->query[at.query],
                 !of_target && s->row->reverse ? ", reverse strand" : "", others);
}

static void check_length(rhomb__score *s, int column, const char *what, int64_t said,
                         int64_t length)
{
    if (said == length)
        return;
    report_error(s, RHOMB_VERIFY_LENGTH, NOWHERE,
                 "column %d (%s length) is %lld, but the sequence has %lld bases", column, what,
                 (long long)said, (long long)length);
    s->lost = true;
}

/*
 * Whether a record's own scoring is the given one but for N and IUPAC codes, which are as in
 * minimap2: those of an audit are.
 */
static bool is_given_apart(const rhomb_scoring *own, const rhomb_scoring *given)
{
    return own->matrix != NULL && rhomb__matrix_is_minimap2(own->matrix) && given->matrix == NULL &&
           own->match == given->match && own->mismatch == given->mismatch &&
           own->gap_open == given->gap_open && own->gap_extend == given->gap_extend &&
           own->gap_open_2 == given->gap_open_2 && own->gap_extend_2 == given->gap_extend_2;
}

/* Reads the scoring that a record names, if it does and that is one; else NULL. */
static const rhomb_scoring *own_scoring(rhomb__score *s, const rhomb_paf_tags *tags)
{
    rhomb__error error = {RHOMB_OK, NULL, ""};
    const bool is_one =
        tags->scoring != NULL && rhomb__scoring_parse(&error, tags->scoring, &s->own) == RHOMB_OK;
    /* Tags in lower case are anybody's: other texts are another program's. */
    if (s->given == NULL && tags->scoring != NULL && !is_one &&
        (strncmp(tags->scoring, "affine", 6) == 0 || strncmp(tags->scoring, "match", 5) == 0))
        report_error(s, RHOMB_VERIFY_SCORE, NOWHERE, "tag sc:Z: %s", rhomb__error_text(&error));
    rhomb__error_clear(&error);
    return is_one ? &s->own : NULL;
}

/* Chooses what AS is checked by. */
static void choose_scoring(rhomb__score *s, const rhomb_paf_tags *tags)
{
    const rhomb_paf_record *row = s->row;
    const int64_t bases = row->target_end - row->target_begin + row->query_end - row->query_begin;
    const rhomb_scoring *own = own_scoring(s, tags);
    s->scoring =
        s->given == NULL || (own != NULL && is_given_apart(own, s->given)) ? own : s->given;
    if (s->scoring != NULL && !rhomb__scoring_fits(s->scoring, bases)) {
        report_error(s, RHOMB_VERIFY_SCORE, NOWHERE,
                     "the scores of %lld bases may exceed 2^60 by this scoring", (long long)bases);
        s->scoring = NULL;
    }
    if (s->scoring != NULL && s->scoring->matrix != NULL && s->scoring->matrix != s->table.matrix)
        rhomb__symbol_table_make(s->scoring->matrix, &s->table);
}

void rhomb__score_begin(rhomb__score *s, const rhomb_paf_record *row, const rhomb_paf_tags *tags,
                        const char *target, int64_t target_length, const char *query,
                        int64_t query_length)
{
    s->row = row;
    s->target = target;
    s->query = query;
    s->relation = s->is_iupac || (tags->is_iupac && !s->is_letters) ? &s->iupac : &s->exact;
    s->is_coarse = tags->has_ambiguous && tags->ambiguous > 0 && s->relation == &s->exact;
    s->codes = s->is_coarse ? &s->coarse : s->relation;
    s->lost = false;
    s->target_at = row->target_begin;
    s->query_at = 0;
    s->operations = 0;
    s->counts = (rhomb__score_counts){0};
    s->second = NULL;
    choose_scoring(s, tags);
    check_length(s, 7, "target", row->target_length, target_length);
    check_length(s, 2, "query", row->query_length, query_length);
    /* If both ranges are empty there is no operation, and some programs write no tag then. */
    if (row->path == RHOMB_PAF_PATH_NONE &&
        (row->target_begin < row->target_end || row->query_begin < row->query_end)) {
        report_error(s, RHOMB_VERIFY_NO_PATH, NOWHERE,
                     "has neither tag cg:Z nor cs:Z: there is no alignment to verify "
                     "(minimap2 -c --eqx writes cg)");
        s->lost = true;
    }
}

void rhomb__score_ends(rhomb__score *s)
{
    const rhomb_paf_record *row = s->row;
    const int64_t targets = row->target_end - row->target_begin;
    const int64_t queries = row->query_end - row->query_begin;
    const int64_t target_bases = s->target_at - row->target_begin;
    if (target_bases == targets && s->query_at == queries)
        return;
    report_error(s, RHOMB_VERIFY_ENDS, NOWHERE,
                 "the path covers %lld bases of the target and %lld of the query, but the record's "
                 "ranges have %lld and %lld",
                 (long long)target_bases, (long long)s->query_at, (long long)targets,
                 (long long)queries);
}

void rhomb__score_second(rhomb__score *s, const char *tag)
{
    if (s->lost)
        return;
    rhomb__score_ends(s);
    s->first = s->counts;
    s->counts = (rhomb__score_counts){0};
    s->target_at = s->row->target_begin;
    s->query_at = 0;
    s->operations = 0;
    s->second = tag;
}

/* At the end of a second path. Equal gaps make equal paths: the bases decide the rest. */
static void end_second(rhomb__score *s)
{
    rhomb__score_ends(s);
    s->second = NULL;
    if (s->counts.gap_digest != s->first.gap_digest)
        report_error(s, RHOMB_VERIFY_PATHS, NOWHERE, "tags cg:Z and cs:Z describe different paths");
    s->counts = s->first;
}

/* Checks a number of the record or its tags against that of the path. */
static void check_number(rhomb__score *s, rhomb_verify_error_kind kind, const char *what,
                         int64_t said, int64_t counted)
{
    if (said != counted)
        report_error(s, kind, NOWHERE, "%s is %lld, but the path has %lld", what, (long long)said,
                     (long long)counted);
}

static void check_divergence(rhomb__score *s, const rhomb_paf_tags *tags, int64_t matches,
                             int64_t columns)
{
    const int64_t mismatches = columns - matches - s->counts.inserted - s->counts.deleted;
    const double by_base = 1 - rhomb_identity(matches, columns);
    const double by_event = rhomb_gap_compressed_divergence(matches, mismatches, s->counts.gaps);
    const double said = tags->divergence;
    /* The printed value may have been computed in single precision. */
    const double slack = tags->divergence_by * 1.0001 + 1e-7;
    if ((said >= by_base - slack && said <= by_base + slack) ||
        (said >= by_event - slack && said <= by_event + slack))
        return;
    report_error(s, RHOMB_VERIFY_DIVERGENCE, NOWHERE,
                 "tag de:f is %.9g, but the path has %.9g by base and %.9g counting each gap once",
                 said, by_base, by_event);
}

static int64_t op_score(const rhomb__score *s, int64_t length, unsigned code)
{
    return rhomb_scoring_op_score(s->scoring, (rhomb_path_op)length << 4 | code);
}

/*
 * minimap2's score of a pair with N or an IUPAC code is -1. The AS of its inversions is not that of
 * their paths.
 */
static void check_score(rhomb__score *s, const rhomb_paf_tags *tags)
{
    const bool is_inversion = tags->type == 'I' || tags->type == 'i';
    const rhomb__score_counts *c = &s->counts;
    const int64_t of_pairs =
        s->scoring->matrix != NULL
            ? c->pair_score
            : op_score(s, c->equal - c->ambiguous_equal, RHOMB_CIGAR_EQ) +
                  op_score(s, c->unequal - (c->ambiguous_pairs - c->ambiguous_equal),
                           RHOMB_CIGAR_X) -
                  c->ambiguous_pairs;
    const int64_t score = of_pairs + c->gap_score;
    if (tags->score != score && !is_inversion)
        report_error(s, RHOMB_VERIFY_SCORE, NOWHERE, "tag AS:i is %lld, but the path scores %lld",
                     (long long)tags->score, (long long)score);
}

void rhomb__score_end(rhomb__score *s, const rhomb_paf_tags *tags)
{
    const rhomb_paf_record *row = s->row;
    if (s->lost)
        return;
    if (s->second != NULL)
        end_second(s);
    else
        rhomb__score_ends(s);
    const int64_t columns =
        s->counts.equal + s->counts.unequal + s->counts.inserted + s->counts.deleted;
    const int64_t matches = s->counts.equal - s->counts.ambiguous_equal;
    const int64_t longer =
        rhomb__max(row->target_end - row->target_begin, row->query_end - row->query_begin);
    if (row->matches >= 0)
        check_number(s, RHOMB_VERIFY_MATCHES, "column 10 (matches)", row->matches, matches);
    if (row->block_length != longer)
        check_number(s, RHOMB_VERIFY_BLOCK, "column 11 (block length)", row->block_length,
                     columns - s->counts.ambiguous);
    if (tags->has_edits)
        check_number(s, RHOMB_VERIFY_EDITS, "tag NM:i", tags->edits, columns - matches);
    if (tags->has_score && s->scoring != NULL)
        check_score(s, tags);
    else if (tags->has_score && tags->score != matches - columns)
        s->unscored++;
    if (tags->has_divergence)
        check_divergence(s, tags, matches, columns);
    if (s->is_coarse)
        check_number(s, RHOMB_VERIFY_AMBIGUOUS, "tag nn:i", tags->ambiguous, s->counts.ambiguous);
}
