/* SPDX-License-Identifier: MIT */
/*
 * BAM and CRAM by htslib, see bam_file.h. htslib says that a write has failed, but not why: its
 * stream, which is opened here, knows that.
 */
#include "host/cli/align/bam_file.h"

#include <errno.h>
#include <htslib/hfile.h>
#include <htslib/sam.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is open; all zeros is nothing. */
typedef struct bam_file {
    hFILE *stream; /* of `file`, once that is open */
    htsFile *file;
    sam_hdr_t *head;
    bam1_t *record;
} bam_file;

/* Why htslib has failed. */
static int failure(const bam_file *f)
{
    const int code = f->stream != NULL ? herrno(f->stream) : 0;
    if (code != 0)
        return code;
    return errno != 0 ? errno : EIO;
}

/* Opens the descriptor once more, for htslib to close. */
static int open_file(bam_file *f, FILE *stream, const char *reference, int threads)
{
    errno = 0;
    const int copy = dup(fileno(stream));
    f->stream = copy >= 0 ? hdopen(copy, "w") : NULL;
    if (f->stream == NULL) {
        const int code = failure(f);
        if (copy >= 0)
            close(copy);
        return code;
    }
    f->file = hts_hopen(f->stream, "-", reference != NULL ? "wc" : "wb");
    if (f->file == NULL) {
        const int code = failure(f);
        hclose_abruptly(f->stream);
        f->stream = NULL;
        return code;
    }
    if (reference != NULL && hts_set_opt(f->file, CRAM_OPT_REFERENCE, reference) != 0)
        return failure(f);
    return threads <= 1 || hts_set_threads(f->file, threads) == 0 ? 0 : failure(f);
}

/* Where the line that begins at `text` ends: at its line end, of which the last line has one too.
 */
static char *line_end(char *text, const char *end)
{
    return memchr(text, '\n', (size_t)(end - text));
}

/* Writes the header. Returns where the records begin, NULL on failure. */
static char *write_head(bam_file *f, char *text, const char *end)
{
    char *records = text;
    while (records < end && records[0] == '@')
        records = line_end(records, end) + 1;
    f->head = sam_hdr_parse((size_t)(records - text), text);
    f->record = bam_init1();
    if (f->head == NULL || f->record == NULL || sam_hdr_write(f->file, f->head) != 0)
        return NULL;
    return records;
}

static bool write_record(bam_file *f, char *line, char *end)
{
    kstring_t text = {(size_t)(end - line), (size_t)(end - line) + 1, line};
    *end = '\0';
    return sam_parse1(&text, f->head, f->record) >= 0 &&
           sam_write1(f->file, f->head, f->record) >= 0;
}

static int write_all(bam_file *f, char *text, const char *end)
{
    errno = 0;
    char *line = write_head(f, text, end);
    while (line != NULL && line < end) {
        char *next = line_end(line, end);
        line = write_record(f, line, next) ? next + 1 : NULL;
    }
    /* CRAM of htslib 1.16 does not survive a flush before it is closed. */
    const bool is_cram = hts_get_format(f->file)->format == cram;
    return line == NULL || (!is_cram && hts_flush(f->file) != 0) ? failure(f) : 0;
}

int cli_write_bam(FILE *stream, const char *reference, int threads, char *text, size_t length)
{
    bam_file f = {0};
    int code = open_file(&f, stream, reference, threads);
    if (code == 0)
        code = write_all(&f, text, text + length);
    bam_destroy1(f.record);
    if (f.file != NULL) {
        errno = 0;
        if (hts_close(f.file) != 0 && code == 0)
            code = errno != 0 ? errno : EIO;
    }
    sam_hdr_destroy(f.head);
    return code;
}

bool cli_cram_lacks_reference(const char *reference, char *why, size_t size)
{
    static const char ENDING[] = ".fai";
    const size_t bytes = strlen(reference) + sizeof ENDING;
    char *name = malloc(bytes);
    if (name != NULL)
        snprintf(name, bytes, "%s%s", reference, ENDING);
    const bool is_there = name != NULL && access(name, R_OK) == 0;
    free(name);
    if (!is_there)
        snprintf(why, size, "the target needs an index: 'samtools faidx %s' makes it", reference);
    return !is_there;
}
