/* SPDX-License-Identifier: MIT */
/*
 * SAM, BAM and CRAM as lines of PAF, see sam_lines.h.
 */
#include "src/io/sam_lines.h"

#include "src/base/error.h"

#include <htslib/hfile.h>
#include <htslib/sam.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rhomb__sam {
    rhomb__error *error; /* borrowed */
    const char *name;
    hFILE *bytes; /* of `file`, which closes it */
    htsFile *file;
    sam_hdr_t *head;
    bam1_t *record;
    int64_t records; /* so far */
    rhomb__bytes line;
};

/* What the operations of a record add up to. */
typedef struct extent {
    int64_t clipped[2]; /* before and after */
    int64_t target, query;
    int64_t aligned, equal, gaps; /* bases under M, = and X; under =; inserted and deleted */
    bool has_m;
} extent;

bool rhomb__sam_is(hFILE *file)
{
    htsFormat format;
    return hts_detect_format(file, &format) == 0 &&
           (format.format == sam || format.format == bam || format.format == cram);
}

static bool is_text(const rhomb__sam *s)
{
    return hts_get_format(s->file)->format == sam;
}

static rhomb_status fail_memory(rhomb__sam *s)
{
    return rhomb__fail_memory(s->error, sizeof *s, "reading SAM");
}

rhomb_status rhomb__sam_open(rhomb__error *error, hFILE *file, const char *name, rhomb__sam **out)
{
    /* All but bases, qualities and mates: CRAM needs no reference for these. */
    static const int FIELDS =
        SAM_QNAME | SAM_FLAG | SAM_RNAME | SAM_POS | SAM_MAPQ | SAM_CIGAR | SAM_AUX;
    rhomb_status status = RHOMB_OK;
    rhomb__sam *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) {
        hclose_abruptly(file);
        return rhomb__fail_memory(error, sizeof *s, "reading SAM");
    }
    *s = (rhomb__sam){.error = error, .name = name, .bytes = file};
    s->file = hts_hopen(file, name, "r");
    if (s->file == NULL)
        hclose_abruptly(file);
    s->record = bam_init1();
    if (s->file == NULL || s->record == NULL)
        RHOMB_TRY(fail_memory(s));
    if (hts_get_format(s->file)->format == cram &&
        (hts_set_opt(s->file, CRAM_OPT_REQUIRED_FIELDS, FIELDS) != 0 ||
         hts_set_opt(s->file, CRAM_OPT_DECODE_MD, 0) != 0))
        RHOMB_TRY(fail_memory(s));
    s->head = sam_hdr_read(s->file);
    if (s->head == NULL)
        status = rhomb__fail(error, RHOMB_ERR_INPUT, "%s: its SAM header cannot be read", name);
    else if (!is_text(s) && hts_check_EOF(s->file) == 0)
        status = rhomb__fail(error, RHOMB_ERR_INPUT,
                             "%s: is truncated: the block that ends the file is missing", name);

out:
    if (status != RHOMB_OK) {
        rhomb__sam_close(s);
        s = NULL;
    }
    *out = s;
    return status;
}

int64_t rhomb__sam_head_lines(const rhomb__sam *s)
{
    int64_t lines = 0;
    if (!is_text(s))
        return 0;
    for (const char *at = sam_hdr_str(s->head); at != NULL && (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    return lines;
}

int64_t rhomb__sam_tell(const rhomb__sam *s)
{
    return (int64_t)htell(s->bytes);
}

static extent measure(const bam1_t *record)
{
    extent e = {{0, 0}, 0, 0, 0, 0, 0, false};
    const uint32_t *ops = bam_get_cigar(record);
    for (uint32_t i = 0; i < record->core.n_cigar; i++) {
        const int64_t length = bam_cigar_oplen(ops[i]);
        const int op = bam_cigar_op(ops[i]), type = bam_cigar_type(op);
        if (op == BAM_CSOFT_CLIP || op == BAM_CHARD_CLIP) {
            e.clipped[e.target + e.query > 0] += length;
            continue;
        }
        e.query += (type & 1) != 0 ? length : 0;
        e.target += (type & 2) != 0 ? length : 0;
        e.aligned += type == 3 ? length : 0;
        e.gaps += op == BAM_CINS || op == BAM_CDEL ? length : 0;
        e.equal += op == BAM_CEQUAL ? length : 0;
        e.has_m = e.has_m || op == BAM_CMATCH;
    }
    return e;
}

static rhomb_status append(rhomb__sam *s, const char *text)
{
    return rhomb__bytes_append(s->error, &s->line, text, strlen(text));
}

static rhomb_status append_number(rhomb__sam *s, const char *before, int64_t number)
{
    char text[80];
    snprintf(text, sizeof text, "%s%lld", before, (long long)number);
    return append(s, text);
}

/* Matches, if they are known; minimap2's NM does not tell where it has nn. */
static rhomb_status append_matches(rhomb__sam *s, const extent *e)
{
    const uint8_t *edits = bam_aux_get(s->record, "NM");
    if (!e->has_m)
        return append_number(s, "\t", e->equal);
    return edits != NULL && bam_aux_get(s->record, "nn") == NULL
               ? append_number(s, "\t", e->aligned + e->gaps - bam_aux2i(edits))
               : append(s, "\t*");
}

/* The tags that have a meaning here, see rhomb/paf.h. */
static rhomb_status append_tags(rhomb__sam *s)
{
    static const char INTEGERS[][3] = {"NM", "AS", "nn", "ro", "bl"}, TEXTS[][3] = {"sc", "al"};
    rhomb_status status = RHOMB_OK;
    char text[64];
    const bool is_secondary = (s->record->core.flag & BAM_FSECONDARY) != 0;
    for (size_t i = 0; i < sizeof INTEGERS / sizeof *INTEGERS; i++) {
        const uint8_t *value = bam_aux_get(s->record, INTEGERS[i]);
        snprintf(text, sizeof text, "\t%.2s:i:", INTEGERS[i]);
        if (value != NULL)
            RHOMB_TRY(append_number(s, text, bam_aux2i(value)));
    }
    const uint8_t *type = bam_aux_get(s->record, "tp");
    snprintf(text, sizeof text, "\ttp:A:%c",
             is_secondary || type == NULL || *type != 'A' ? is_secondary ? 'S' : 'P'
                                                          : bam_aux2A(type));
    RHOMB_TRY(append(s, text));
    const uint8_t *divergence = bam_aux_get(s->record, "de");
    snprintf(text, sizeof text, "\tde:f:%.6g", divergence != NULL ? bam_aux2f(divergence) : 0);
    if (divergence != NULL)
        RHOMB_TRY(append(s, text));
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        const uint8_t *value = bam_aux_get(s->record, TEXTS[i]);
        if (value == NULL || *value != 'Z')
            continue;
        snprintf(text, sizeof text, "\t%.2s:Z:", TEXTS[i]);
        RHOMB_TRY(append(s, text));
        RHOMB_TRY(append(s, bam_aux2Z(value)));
    }

out:
    return status;
}

static rhomb_status append_cigar(rhomb__sam *s)
{
    rhomb_status status = RHOMB_OK;
    const uint32_t *ops = bam_get_cigar(s->record);
    char text[32];
    RHOMB_TRY(append(s, "\tcg:Z:"));
    for (uint32_t i = 0; i < s->record->core.n_cigar; i++) {
        const int op = bam_cigar_op(ops[i]);
        if (op == BAM_CSOFT_CLIP || op == BAM_CHARD_CLIP)
            continue;
        snprintf(text, sizeof text, "%u%c", bam_cigar_oplen(ops[i]), bam_cigar_opchr(op));
        RHOMB_TRY(append(s, text));
    }

out:
    return status;
}

static rhomb_status append_mapped(rhomb__sam *s)
{
    rhomb_status status = RHOMB_OK;
    const bam1_t *record = s->record;
    const bool reverse = bam_is_rev(record);
    const extent e = measure(record);
    const int64_t begin = e.clipped[reverse], longer = e.target > e.query ? e.target : e.query;
    const int64_t target = (int64_t)record->core.pos;
    RHOMB_TRY(append_number(s, "\t", e.clipped[0] + e.query + e.clipped[1]));
    RHOMB_TRY(append_number(s, "\t", begin));
    RHOMB_TRY(append_number(s, "\t", begin + e.query));
    RHOMB_TRY(append(s, reverse ? "\t-\t" : "\t+\t"));
    RHOMB_TRY(append(s, sam_hdr_tid2name(s->head, record->core.tid)));
    RHOMB_TRY(append_number(s, "\t", (int64_t)sam_hdr_tid2len(s->head, record->core.tid)));
    RHOMB_TRY(append_number(s, "\t", target));
    RHOMB_TRY(append_number(s, "\t", target + e.target));
    RHOMB_TRY(append_matches(s, &e));
    RHOMB_TRY(append_number(s, "\t", longer));
    RHOMB_TRY(append_number(s, "\t", record->core.qual));
    RHOMB_TRY(append_tags(s));
    RHOMB_TRY(append_cigar(s));

out:
    return status;
}

rhomb_status rhomb__sam_next(rhomb__sam *s, const char **line, size_t *length)
{
    rhomb_status status = RHOMB_OK;
    *length = 0;
    const int read = sam_read1(s->file, s->head, s->record);
    if (read == -1)
        return RHOMB_OK;
    if (read < 0 && sam_hdr_nref(s->head) == 0)
        return rhomb__fail(s->error, RHOMB_ERR_INPUT,
                           "%s: has no SAM header with the targets: 'samtools view -h' writes it",
                           s->name);
    if (read < 0)
        return rhomb__fail(s->error, RHOMB_ERR_INPUT,
                           "%s: after %lld records: is truncated or damaged, or not SAM", s->name,
                           (long long)s->records);
    s->records++;
    s->line.length = 0;
    RHOMB_TRY(append(s, bam_get_qname(s->record)));
    if ((s->record->core.flag & BAM_FUNMAP) != 0 || s->record->core.tid < 0) {
        RHOMB_TRY(append_number(s, "\t", s->record->core.l_qseq));
        RHOMB_TRY(append(s, "\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0"));
    } else {
        RHOMB_TRY(append_mapped(s));
    }
    RHOMB_TRY(append(s, "\n"));
    *line = s->line.data;
    *length = s->line.length;

out:
    return status;
}

void rhomb__sam_close(rhomb__sam *s)
{
    if (s == NULL)
        return;
    bam_destroy1(s->record);
    sam_hdr_destroy(s->head);
    if (s->file != NULL)
        (void)hts_close(s->file);
    rhomb__bytes_release(&s->line);
    free(s);
}
