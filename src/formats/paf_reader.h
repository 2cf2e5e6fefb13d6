/* SPDX-License-Identifier: MIT */
/*
 * Reading PAF, see rhomb/paf.h: paf.c has records and tags, paf_columns.c columns and values,
 * paf_path.c the operations; SAM, BAM and CRAM come as lines of PAF (sam_lines.h). Bytes
 * pass through the window of a stream; only names and short values of a line are held.
 */
#ifndef RHOMB_SRC_PAF_READER_H
#define RHOMB_SRC_PAF_READER_H

#include "rhomb/paf.h"
#include "src/formats/score.h"
#include "src/io/sam_lines.h"
#include "src/io/stream.h"

/* Lengths and positions are below this, so that sums of a few of them never overflow. */
#define RHOMB__PAF_LIMIT (INT64_C(1) << 60)

/* The columns of a record. */
enum { RHOMB__PAF_COLUMN_COUNT = 12 };

/* The most bytes of a number. */
#define RHOMB__PAF_VALUE_BYTES 64

/* Where the next byte of the current line belongs. */
typedef enum rhomb__paf_section {
    RHOMB__PAF_OUTSIDE, /* the beginning of a line */
    RHOMB__PAF_COLUMNS,
    RHOMB__PAF_PATH,   /* after "cg:Z:" or "cs:Z:", or further on in the path */
    RHOMB__PAF_SECOND, /* after the name of the other one, if the record has both */
    RHOMB__PAF_TAGS    /* at the end of a column or tag: a tab or the line's end comes next */
} rhomb__paf_section;

/* Bases of an operation that differ from the sequences. */
typedef struct rhomb__paf_wrong {
    int64_t count;
    rhomb__score_base first;
} rhomb__paf_wrong;

/* An operation that is being read, which the window's end may have cut anywhere. */
typedef struct rhomb__paf_cursor {
    int64_t operations; /* before it */
    int64_t number;     /* its digits so far, of cg and of ':' */
    bool has_digits;
    char sign;             /* of cs: ':' '*' '+' '-' '=', 0 before the first */
    int64_t bases;         /* bases after the sign */
    int64_t target, query; /* bases of the path before it */
    rhomb__paf_wrong wrong;
    /* The operation read before, which may grow. 0 bases: none. */
    uint64_t pending;
    unsigned pending_code;
    rhomb__paf_wrong pending_wrong;
} rhomb__paf_cursor;

struct rhomb_paf {
    rhomb__error *reported; /* the caller's */
    rhomb__error error;     /* the reader's own: a failure is reported in every later call */
    rhomb_status status;
    char *path;
    rhomb__stream stream;
    rhomb__sam *sam; /* of SAM, BAM and CRAM, whose lines are in the stream's window; else NULL */
    rhomb_paf_progress_fn progress; /* NULL: nobody is told */
    void *progress_user;
    bool begun;   /* a byte has been read */
    int64_t line; /* 1-based, in the stream */
    rhomb__paf_section section;
    rhomb__paf_cursor cursor;
    rhomb_paf_path notation; /* of the current path */
    rhomb_paf_record row;
    bool has_row;
    bool has_strand; /* of the record: not * */
    rhomb_paf_tags tags;
    rhomb__bytes query_name;
    rhomb__bytes target_name;
    rhomb__bytes value;   /* of a column or tag */
    rhomb__bytes scoring; /* of tag sc */
    rhomb__bytes others;  /* tags without a meaning here, if they are kept */
    bool reads_both;      /* both paths of a record */
    bool keeps_tags;
    bool takes_tables;
    bool is_table; /* of ranges: seven columns, and comments */
    /* Set for verification: checks the bases of cs. */
    const rhomb__score *score;
    rhomb__paf_wrong wrong; /* of the operation that rhomb_paf_ops() delivered last */
};

/* `error` is borrowed until the reader is destroyed. On failure *out is NULL. */
rhomb_status rhomb__paf_open(rhomb__error *error, const char *path, rhomb_paf **out);

/* "cg:Z" or "cs:Z". */
const char *rhomb__paf_path_tag(rhomb_paf_path path);

/* Records an error in the current line. */
rhomb_status rhomb__paf_fail(rhomb_paf *paf, const char *format, ...) RHOMB__PRINTF(2, 3);

/* The next byte, which stays in the window; -1 at the end of the data. */
rhomb_status rhomb__paf_peek(rhomb_paf *paf, int *byte);

/*
 * Collects the bytes up to a tab or the line's end, at most `most`, in `out`. `what` names the
 * field in messages.
 */
rhomb_status rhomb__paf_read_field(rhomb_paf *paf, const char *what, size_t most,
                                   rhomb__bytes *out);

/* At the end of a field: goes to the next one (*more), or past the end of the line. */
rhomb_status rhomb__paf_end_field(rhomb_paf *paf, bool *more);

/* Reads the columns of a record, or of a table's row, and checks them against each other. */
rhomb_status rhomb__paf_read_columns(rhomb_paf *paf);

/* Digits only, below the limit. */
bool rhomb__paf_parse_number(const char *text, int64_t *out);

/* Whether a tag, "NM:i", is in rhomb_paf_tags; reads the value of one that has. */
bool rhomb__paf_tag_matters(const char *tag);
rhomb_status rhomb__paf_read_value(rhomb_paf *paf, const char *tag);

/*
 * Reads up to `room` operations of the current path, and none after one with wrong bases. *over is
 * set at the end of the path; the section is RHOMB__PAF_TAGS then.
 */
rhomb_status rhomb__paf_read_path(rhomb_paf *paf, rhomb_path_op *ops, size_t room, size_t *count,
                                  bool *over);

#endif
