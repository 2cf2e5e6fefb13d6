/* SPDX-License-Identifier: MIT */
/*
 * The part of abi.h that is for batches of short pairs: their records, and what the sizes of their
 * memory depend on.
 */
#ifndef RHOMB_ABI_BATCH_H
#define RHOMB_ABI_BATCH_H

/*
 * A pair of a batch of short pairs (cl/batch/batch.cl): its place, in symbols of the packed
 * sequences.
 */
typedef struct rhomb_batch_pair {
    rhomb_i64 query_at;
    rhomb_i64 target_at;
    rhomb_i32 query_length;  /* m, below 2^28 */
    rhomb_i32 target_length; /* n, below 2^28 */
} rhomb_batch_pair;

/* A pair without a distance: the distance is above ... */
#define RHOMB_BATCH_BEYOND  (-1) /* the last kernel's limit */
#define RHOMB_BATCH_EXCEEDS (-2) /* the caller's limit */
#define RHOMB_BATCH_BASES   (-3) /* not known: a symbol has no code here */

/* The kernels' answer for a pair. */
typedef struct rhomb_batch_answer {
    rhomb_i32 distance; /* or one of the above */
    rhomb_u32 cigar_at; /* first operation */
    rhomb_u32 cigar_count;
    rhomb_u32 padding;
} rhomb_batch_answer;

/* Such a pair with a scoring: its answer is there, or the device has contradicted itself. */
#define RHOMB_BATCH_FOUND 0
#define RHOMB_BATCH_WRONG (-4)

/* The kernels' answer for a pair with a scoring: what is aligned, from begin to end. */
typedef struct rhomb_batch_scored {
    rhomb_i32 kind;  /* RHOMB_BATCH_FOUND, or another of the above */
    rhomb_i32 score; /* end to end: the cost */
    rhomb_i32 target_begin;
    rhomb_i32 target_end;
    rhomb_i32 query_begin;
    rhomb_i32 query_end;
    rhomb_u32 cigar_at; /* first operation */
    rhomb_u32 cigar_count;
} rhomb_batch_scored;

/*
 * The most kernels with growing limits that a job passes through, and lists of pairs; then the
 * counts of their pairs.
 */
#define RHOMB_BATCH_MOST_LEVELS 12
#define RHOMB_BATCH_LISTS       21

typedef struct rhomb_batch_counts {
    rhomb_u32 cigar_used;                /* operations, and what is before them */
    rhomb_u32 others;                    /* not 0: some symbols have no code */
    rhomb_u32 listed[RHOMB_BATCH_LISTS]; /* pairs that came to a level */
    rhomb_u32 taken[RHOMB_BATCH_LISTS];  /* of them, by groups so far */
    rhomb_u32 pairs_at;                  /* records before the first pair in their buffer, ... */
    rhomb_u32 answers_at;                /* ... and before the first answer in theirs */
    rhomb_u32 padding[2];
} rhomb_batch_counts;

/* A scoring as scores have it; `open` is what the first base of a gap takes, extension included. */
typedef struct rhomb_batch_scoring {
    rhomb_i32 match;
    rhomb_i32 mismatch;
    rhomb_i32 open;
    rhomb_i32 extend;
    rhomb_i32 open_2; /* of the second piece */
    rhomb_i32 extend_2;
} rhomb_batch_scoring;

/*
 * The scores of a matrix: of symbol a with symbol b, byte b & 3 of word b / 4 of a, codes as they
 * are packed. It is symmetric.
 */
#define RHOMB_MATRIX_CODES 24
#define RHOMB_MATRIX_WORDS (RHOMB_MATRIX_CODES / 4)
typedef struct rhomb_matrix_scores {
    rhomb_u32 words[RHOMB_MATRIX_CODES * RHOMB_MATRIX_WORDS];
} rhomb_matrix_scores;

/*
 * The highest score of a pair whose scores have 16 bits, and the most that a base may take or a
 * match may add then.
 */
#define RHOMB_BATCH_SHORT_SCORE 16000
#define RHOMB_BATCH_SHORT_STEP  2000

/* The most that a match may add or a mismatch take where two such pairs share a work-item. */
#define RHOMB_BATCH_BYTE_STEP 127

/* A launch of cl/batch/batch_local.cl. */
typedef struct rhomb_batch_local_job {
    rhomb_batch_scoring scoring;
    rhomb_i32 list;
    rhomb_i32 pair_items; /* that share a pair, or two: a power of two; 1 with 16 lanes */
    rhomb_i32 passes;     /* 2: where alignments begin, too */
    rhomb_i32 free_query_begin;
    rhomb_i32 free_query_end;
    rhomb_i32 free_target_begin;
    rhomb_i32 free_target_end;
    rhomb_i32 lines;      /* on a GPU: 1: borders go to memory in whole lines */
    rhomb_i64 slot_cells; /* of memory for those items, 4 bytes each; a multiple of 4 */
} rhomb_batch_local_job;

/* A launch of cl/batch/batch_extend.cl. */
typedef struct rhomb_batch_extend_job {
    rhomb_batch_scoring scoring;
    rhomb_i32 list;
    rhomb_i32 z_drop; /* below 0: none */
    rhomb_i32 end_bonus;
    rhomb_i32 drop_extend; /* what a base of a long gap takes, for the z-drop */
    rhomb_i32 pair_items;  /* that share a pair: a power of two */
    rhomb_i32 first_limit; /* of antidiagonals that are computed first, where there is a z-drop */
    rhomb_i64 slot_cells;  /* of memory for a pair, 4 bytes each */
} rhomb_batch_extend_job;

/* Columns beyond the last one that its kernel with 16 lanes touches. */
#define RHOMB_BATCH_LOCAL_BEYOND 16
/* Columns of a block without them. */
#define RHOMB_BATCH_LOCAL_BLOCK 4
/* Words that a pair takes there, besides its columns and rows. */
#define RHOMB_BATCH_LOCAL_PAIR 16

/*
 * A pair in bit planes (cl/batch/batch_sliced.cl), of which `items` work-items have `words` words
 * of 32 rows each: the rows of an item's strip, the blocks of 16 columns from one strip of it to
 * the next one, and the steps for so many blocks of columns and strips, each of which begins
 * `shift` blocks after the one above. The border takes whole records of marks. Longer sequences
 * are not for the kernel: pairs that are swept together take as many steps as the longest query and
 * the longest target of them.
 */
#define RHOMB_BATCH_SLICED_ROWS(words)       (32 * (words))
#define RHOMB_BATCH_SLICED_LAG(words, shift) (2 * (words) + 1 + (shift))
#define RHOMB_BATCH_SLICED_TURN(words, blocks, items, shift)               \
    ((blocks) + 2 * (words) > (items)*RHOMB_BATCH_SLICED_LAG(words, shift) \
         ? (blocks) + 2 * (words)                                          \
         : (items)*RHOMB_BATCH_SLICED_LAG(words, shift))
#define RHOMB_BATCH_SLICED_STEPS(words, blocks, strips, items, shift)                        \
    (((strips) + (items)-1) / (items)*RHOMB_BATCH_SLICED_TURN(words, blocks, items, shift) + \
     ((items)-1) * RHOMB_BATCH_SLICED_LAG(words, shift))
#define RHOMB_BATCH_SLICED_BORDER(cells) (((cells) + 15) / 16 * 16)
/* The fewest strips whose marks are kept at a time: fewer would keep more borders instead. */
#define RHOMB_BATCH_SLICED_CHUNK(items) ((items) > 4 ? (items) : 4)
#define RHOMB_BATCH_SLICED_BASES        32768
/* How far from its diagonal a path is looked for first, of sequences of so many bases, if that
 * takes at most this part of the matrix's steps. */
#define RHOMB_BATCH_SLICED_NARROW(bases) (64 + (bases) / 64)
#define RHOMB_BATCH_SLICED_NARROW_SHARE  4

/*
 * What finding a path of a batch with a scoring may take, wavefronts or rows and the trace. It
 * decides which paths are the kernels', so it is the same on all devices.
 */
#define RHOMB_BATCH_PATH_BYTES 0x4000000

/* What a level of cl/batch/batch_affine.cl or cl/batch/batch_sliced.cl may do. */
typedef struct rhomb_batch_affine_job {
    rhomb_i32 level;
    rhomb_i32 next; /* the level of pairs that this one leaves */
    rhomb_i32 levels;
    rhomb_i32 team_items; /* in bit planes: work-items that share a pair */
    rhomb_i32 wave_cells; /* cells of the matrix that take as long as one of a wavefront, see the
                             kernel */
    rhomb_i32 padding;
    rhomb_i32 limit;        /* on costs that are not known; in bit planes: of paths by wavefronts */
    rhomb_i32 limit_before; /* of the level before, where the pairs have been; else 0 */
    rhomb_i32 max_cost;     /* that the caller asked for; -1: any */
    rhomb_i32 known;        /* 1: answers have a score, a begin and an end */
    rhomb_i64 group_cells;  /* of memory, 4 bytes each */
    rhomb_i64 ring_cells;   /* of local memory */
    rhomb_i64 half_match;   /* for costs from scores, see the kernel */
    rhomb_i64 doubled;
    rhomb_i64 unit;
} rhomb_batch_affine_job;

/*
 * A column of a pair has two more cells on either side that hold no offset, and room for what its
 * last vector stores beyond it. Columns that are kept for the path follow one another. Each has 2 r
 * + 1 cells, and RHOMB_BATCH_MARGIN for all that.
 */
#define RHOMB_BATCH_VECTOR         8
#define RHOMB_BATCH_MARGIN         (4 + RHOMB_BATCH_VECTOR)
#define RHOMB_BATCH_CELLS(limit)   (2 * (limit) + 1 + RHOMB_BATCH_MARGIN)
#define RHOMB_BATCH_COLUMNS(limit) (((limit) + 1) * ((limit) + 1 + RHOMB_BATCH_MARGIN))

/* Operations of a CIGAR, as BAM has them: length << 4 | code. */
#define RHOMB_BATCH_I  1
#define RHOMB_BATCH_D  2
#define RHOMB_BATCH_EQ 7
#define RHOMB_BATCH_X  8

#endif
