/* SPDX-License-Identifier: MIT */
/*
 * make_pair: writes two related, chromosome-like sequences as FASTA, for the demo and for tests.
 *
 * The target is built from unique sequence, interspersed repeats (diverged, often truncated copies
 * of a few families, on either strand) and tandem repeats; repeats are soft-masked (lower case),
 * and one run of N stands for an assembly gap. The query is a mutated copy: substitutions, short
 * indels of geometric length, a few long indels, an inversion on request, and one gap of its own.
 *
 * The output depends on the options alone, byte for byte, on every machine: all choices compare
 * integers from xoshiro256** (Blackman and Vigna), which splitmix64 seeds, and a rate becomes such
 * an integer by an exact product with a power of two.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BASES     60
#define FAMILY_COUNT   12
#define MAX_LENGTH     INT64_C(4000000000)
#define MIN_LENGTH     INT64_C(1000)
#define LONG_INDEL_MIN 1000
#define LONG_INDEL_MAX 20000

typedef struct options {
    int64_t length;
    uint64_t seed;
    double gc;
    double substitutions;
    double indels;
    int64_t long_indels;
    int64_t inversion;
} options;

/* What happened to the query, for its header. */
typedef struct events {
    int64_t substitutions;
    int64_t indels;
    int64_t long_indels;
} events;

typedef struct rng {
    uint64_t s[4];
} rng;

static uint64_t rotate_left(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void rng_seed(rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        r->s[i] = z ^ z >> 31;
    }
}

static uint64_t rng_next(rng *r)
{
    uint64_t *s = r->s;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* Uniform in [low, high]; draws again where the modulus would favour small values. */
static int64_t rng_range(rng *r, int64_t low, int64_t high)
{
    const uint64_t count = (uint64_t)(high - low) + 1;
    const uint64_t limit = UINT64_MAX - UINT64_MAX % count;
    uint64_t x;
    do
        x = rng_next(r);
    while (x >= limit);
    return low + (int64_t)(x % count);
}

/* True with the given probability, in steps of 2^-53. */
static bool rng_chance(rng *r, double probability)
{
    return rng_next(r) >> 11 < (uint64_t)(probability * 9007199254740992.0);
}

/* 1, 2, 3, ... with P(length > x) = continue_probability^x, cut at `most`. */
static int64_t rng_geometric(rng *r, double continue_probability, int64_t most)
{
    int64_t length = 1;
    while (length < most && rng_chance(r, continue_probability))
        length++;
    return length;
}

typedef struct text {
    char *data;
    int64_t length;
    int64_t capacity;
} text;

/* Appends unless the text is full: a target is cut at its length that way. */
static void text_append(text *t, char letter)
{
    if (t->length < t->capacity)
        t->data[t->length++] = letter;
}

static bool text_allocate(text *t, int64_t capacity)
{
    t->data = malloc((size_t)capacity);
    t->capacity = t->data != NULL ? capacity : 0;
    return t->data != NULL;
}

static char random_base(rng *r, double gc)
{
    if (rng_chance(r, gc))
        return "GC"[rng_range(r, 0, 1)];
    return "AT"[rng_range(r, 0, 1)];
}

static bool is_lower(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

static char to_lower(char letter)
{
    return (char)(letter | 0x20);
}

/* Another letter of ACGT in the same case; each of the three is as likely. */
static char substitute(rng *r, char letter)
{
    static const char bases[] = "ACGT";
    const char *at = strchr(bases, letter & ~0x20);
    const int64_t step = rng_range(r, 1, 3);
    if (at == NULL)
        return letter;
    const char other = bases[(at - bases + step) % 4];
    return is_lower(letter) ? to_lower(other) : other;
}

static char complement(char letter)
{
    static const char from[] = "ACGTNacgtn", to[] = "TGCANtgcan";
    const char *at = strchr(from, letter);
    return at != NULL ? to[at - from] : letter;
}

static void reverse_complement(char *letters, int64_t length)
{
    for (int64_t i = 0, j = length - 1; i <= j; i++, j--) {
        const char left = complement(letters[i]);
        letters[i] = complement(letters[j]);
        letters[j] = left;
    }
}

static void append_unique(text *t, rng *r, double gc)
{
    const int64_t length = rng_range(r, 500, 6000);
    for (int64_t i = 0; i < length; i++)
        text_append(t, random_base(r, gc));
}

/* A copy of a family: its 3' part, up to 20 % diverged, on either strand, in lower case. */
static void append_repeat(text *t, rng *r, const text *family)
{
    const int64_t length = rng_range(r, family->length / 4, family->length);
    const double divergence = (double)rng_range(r, 1, 20) / 100;
    const bool reverse = rng_range(r, 0, 1) == 1;
    for (int64_t i = 0; i < length; i++) {
        const int64_t at = family->length - 1 - i;
        char letter =
            reverse ? complement(family->data[at]) : family->data[family->length - length + i];
        if (rng_chance(r, divergence))
            letter = substitute(r, letter);
        text_append(t, to_lower(letter));
    }
}

/* Mostly microsatellites (units of 1 to 6 bases), now and then a longer unit; slightly diverged. */
static void append_tandem(text *t, rng *r, double gc)
{
    char unit[60];
    const int64_t unit_length = rng_chance(r, 0.8) ? rng_range(r, 1, 6) : rng_range(r, 7, 60);
    const int64_t length = unit_length * rng_range(r, 8, 40);
    for (int64_t i = 0; i < unit_length; i++)
        unit[i] = random_base(r, gc);
    for (int64_t i = 0; i < length; i++) {
        char letter = unit[i % unit_length];
        if (rng_chance(r, 0.02))
            letter = substitute(r, letter);
        text_append(t, to_lower(letter));
    }
}

static void write_gap(text *t, int64_t at, int64_t length)
{
    if (at + length <= t->length)
        memset(t->data + at, 'N', (size_t)length);
}

/* About 60 % unique sequence, a third interspersed and 3 % tandem repeats. */
static bool make_target(text *target, rng *r, const options *o)
{
    text families[FAMILY_COUNT] = {{NULL, 0, 0}};
    bool done = false;
    for (int f = 0; f < FAMILY_COUNT; f++) {
        const int64_t length = f % 3 == 2 ? rng_range(r, 2000, 6500) : rng_range(r, 120, 600);
        if (!text_allocate(&families[f], length))
            goto out;
        for (int64_t i = 0; i < length; i++)
            text_append(&families[f], random_base(r, o->gc));
    }
    while (target->length < o->length) {
        const int64_t kind = rng_range(r, 0, 99);
        if (kind < 30)
            append_unique(target, r, o->gc);
        else if (kind < 80)
            append_repeat(target, r, &families[rng_range(r, 0, FAMILY_COUNT - 1)]);
        else
            append_tandem(target, r, o->gc);
    }
    write_gap(target, o->length * 2 / 5, o->length < 200000 ? o->length / 20 : 10000);
    done = true;
out:
    for (int f = 0; f < FAMILY_COUNT; f++)
        free(families[f].data);
    return done;
}

/* Copies target[from, to) with substitutions and short indels; gaps stay as they are. */
static void append_mutated(text *query, rng *r, const text *target, int64_t from, int64_t to,
                           const options *o, events *e)
{
    for (int64_t j = from; j < to; j++) {
        const char letter = target->data[j];
        if (letter == 'N') {
            text_append(query, letter);
        } else if (rng_chance(r, o->indels)) {
            const int64_t length = rng_geometric(r, 0.6, 50);
            e->indels++;
            if (rng_range(r, 0, 1) == 0) {
                j += length - 1;
                continue;
            }
            text_append(query, letter);
            for (int64_t i = 0; i < length; i++)
                text_append(query, random_base(r, o->gc));
        } else if (rng_chance(r, o->substitutions)) {
            e->substitutions++;
            text_append(query, substitute(r, letter));
        } else {
            text_append(query, letter);
        }
    }
}

/* 1 to 20 kb, the shorter the likelier; at most 2 % of a short sequence. */
static int64_t long_indel_length(rng *r, int64_t sequence_length)
{
    static const int64_t most[] = {2000, 4000, 8000, LONG_INDEL_MAX};
    const int64_t length = rng_range(r, LONG_INDEL_MIN, most[rng_range(r, 0, 3)]);
    return length < sequence_length / 50 ? length : sequence_length / 50;
}

/*
 * One long indel in each of `long_indels` equal stretches of the target: a deletion, or an
 * insertion that duplicates another place of the target.
 */
static void make_query(text *query, rng *r, const text *target, const options *o, events *e)
{
    const int64_t n = target->length;
    int64_t from = 0;
    for (int64_t i = 0; i < o->long_indels; i++) {
        const int64_t length = long_indel_length(r, n);
        const int64_t begin = n / o->long_indels * i, end = n / o->long_indels * (i + 1);
        const int64_t at = rng_range(r, begin, end - length > begin ? end - length : begin);
        if (at < from)
            continue;
        append_mutated(query, r, target, from, at, o, e);
        from = at;
        e->long_indels++;
        if (rng_range(r, 0, 1) == 0) {
            from += length;
        } else {
            const int64_t source = rng_range(r, 0, n - length);
            append_mutated(query, r, target, source, source + length, o, e);
        }
    }
    append_mutated(query, r, target, from, n, o, e);
    if (o->inversion > 0 && o->inversion <= query->length / 2)
        reverse_complement(query->data + query->length / 4, o->inversion);
    write_gap(query, query->length * 7 / 10, n < 200000 ? n / 100 : 2000);
}

static bool write_fasta(const char *path, const char *header, const text *t)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "make_pair: %s: %s\n", path, strerror(errno));
        return false;
    }
    bool good = fprintf(file, ">%s\n", header) > 0;
    for (int64_t i = 0; i < t->length && good; i += LINE_BASES) {
        const int64_t left = t->length - i;
        const size_t bases = left < LINE_BASES ? (size_t)left : LINE_BASES;
        good = fwrite(t->data + i, 1, bases, file) == bases && fputc('\n', file) != EOF;
    }
    good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "make_pair: cannot write %s: %s\n", path, strerror(errno));
    return good;
}

static bool write_pair(const char *target_path, const char *query_path, const text *target,
                       const text *query, const options *o, const events *e)
{
    char header[400];
    snprintf(header, sizeof header,
             "target made by make_pair, seed %" PRIu64 ": %" PRId64 " bases, GC %g", o->seed,
             target->length, o->gc);
    if (!write_fasta(target_path, header, target))
        return false;
    snprintf(header, sizeof header,
             "query made by make_pair from target, seed %" PRIu64 ": %" PRId64 " bases, %" PRId64
             " substitutions, %" PRId64 " short and %" PRId64 " long indels, %" PRId64
             " bases inverted",
             o->seed, query->length, e->substitutions, e->indels, e->long_indels, o->inversion);
    return write_fasta(query_path, header, query);
}

static bool make_pair(const char *target_path, const char *query_path, const options *o)
{
    text target = {NULL, 0, 0}, query = {NULL, 0, 0};
    events e = {0, 0, 0};
    rng r;
    bool done = false;
    rng_seed(&r, o->seed);
    /* Short insertions add 1.25 bases an indel on average: more than twice that is set aside. */
    const int64_t growth = (int64_t)((double)o->length * o->indels * 3) + 10000;
    if (!text_allocate(&target, o->length) ||
        !text_allocate(&query, o->length + growth + o->long_indels * LONG_INDEL_MAX) ||
        !make_target(&target, &r, o)) {
        fprintf(stderr, "make_pair: out of memory\n");
        goto out;
    }
    make_query(&query, &r, &target, o, &e);
    done = write_pair(target_path, query_path, &target, &query, o, &e);
out:
    free(target.data);
    free(query.data);
    return done;
}

static void usage(FILE *to)
{
    fputs("Usage: make_pair [options] TARGET.fa QUERY.fa\n"
          "Writes a related pair of chromosome-like sequences; the same options give the same "
          "bytes.\n\n"
          "  -l, --length N          bases of the target, 1000 to 4000000000 (2000000)\n"
          "  -s, --seed N            of all random choices (8)\n"
          "  -g, --gc X              share of G and C, 0 to 1 (0.41)\n"
          "  -x, --substitutions X   substitutions a base, 0 to 1 (0.002)\n"
          "  -i, --indels X          short indels a base, 0 to 0.2, of 2.5 bases on average "
          "(0.0003)\n"
          "  -L, --long-indels N     indels of 1 to 20 kb, 0 to 1000 (3)\n"
          "  -v, --inversion N       invert N bases, up to half of the query (0)\n"
          "  -h, --help              this text\n",
          to);
}

static bool parse_int(const char *name, const char *arg, int64_t low, int64_t high, int64_t *out)
{
    char *end;
    errno = 0;
    const long long value = strtoll(arg, &end, 10);
    if (errno != 0 || end == arg || *end != '\0' || value < low || value > high) {
        fprintf(stderr, "make_pair: %s: %s is not a whole number from %" PRId64 " to %" PRId64 "\n",
                name, arg, low, high);
        return false;
    }
    *out = value;
    return true;
}

static bool parse_rate(const char *name, const char *arg, double high, double *out)
{
    char *end;
    const double value = strtod(arg, &end);
    if (end == arg || *end != '\0' || !(value >= 0 && value <= high)) {
        fprintf(stderr, "make_pair: %s: %s is not a number from 0 to %g\n", name, arg, high);
        return false;
    }
    *out = value;
    return true;
}

static bool parse_option(int letter, const char *arg, options *o)
{
    int64_t seed = 0;
    switch (letter) {
    case 'l':
        return parse_int("--length", arg, MIN_LENGTH, MAX_LENGTH, &o->length);
    case 's':
        if (!parse_int("--seed", arg, 0, INT64_MAX, &seed))
            return false;
        o->seed = (uint64_t)seed;
        return true;
    case 'g':
        return parse_rate("--gc", arg, 1, &o->gc);
    case 'x':
        return parse_rate("--substitutions", arg, 1, &o->substitutions);
    case 'i':
        return parse_rate("--indels", arg, 0.2, &o->indels);
    case 'L':
        return parse_int("--long-indels", arg, 0, 1000, &o->long_indels);
    case 'v':
        return parse_int("--inversion", arg, 0, MAX_LENGTH, &o->inversion);
    default:
        return false; /* getopt has said why */
    }
}

int main(int argc, char **argv)
{
    static const struct option names[] = {
        {"length", required_argument, NULL, 'l'},
        {"seed", required_argument, NULL, 's'},
        {"gc", required_argument, NULL, 'g'},
        {"substitutions", required_argument, NULL, 'x'},
        {"indels", required_argument, NULL, 'i'},
        {"long-indels", required_argument, NULL, 'L'},
        {"inversion", required_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    options o = {.length = 2000000,
                 .seed = 8,
                 .gc = 0.41,
                 .substitutions = 0.002,
                 .indels = 0.0003,
                 .long_indels = 3};
    int letter;
    while ((letter = getopt_long(argc, argv, "l:s:g:x:i:L:v:h", names, NULL)) != -1) {
        if (letter == 'h') {
            usage(stdout);
            return 0;
        }
        if (!parse_option(letter, optarg, &o))
            return 2;
    }
    if (argc - optind != 2) {
        usage(stderr);
        return 2;
    }
    return make_pair(argv[optind], argv[optind + 1], &o) ? 0 : 1;
}
