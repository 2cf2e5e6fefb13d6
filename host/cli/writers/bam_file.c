/* SPDX-License-Identifier: MIT */
/*
 * BAM and CRAM by htslib, see align_formats.h. htslib says that a write has failed, but not why:
 * its stream, which is opened here, knows that.
 */
#include "host/cli/writers/align_formats.h"

#include <errno.h>
#include <htslib/hfile.h>
#include <htslib/sam.h>
#include <unistd.h>

#include "host/cli/base/cli.h"

struct cli_bam {
    hFILE *stream; /* of `file`, once that is open */
    htsFile *file;
    sam_hdr_t *head;
    bam1_t *record;
};

/* Why htslib has failed. */
static int failure(const cli_bam *bam)
{
    const int code = bam->stream != NULL ? herrno(bam->stream) : 0;
    if (code != 0)
        return code;
    return errno != 0 ? errno : EIO;
}

/* Opens the descriptor once more, for htslib to close. */
static int open_file(cli_bam *bam, FILE *stream, bool is_cram)
{
    errno = 0;
    const int copy = dup(fileno(stream));
    bam->stream = copy >= 0 ? hdopen(copy, "w") : NULL;
    if (bam->stream == NULL) {
        const int code = failure(bam);
        if (copy >= 0)
            close(copy);
        return code;
    }
    bam->file = hts_hopen(bam->stream, "-", is_cram ? "wc" : "wb");
    if (bam->file != NULL)
        return 0;
    const int code = failure(bam);
    hclose_abruptly(bam->stream);
    return code;
}

cli_bam *cli_bam_open(FILE *stream, const char *reference, int threads, int *code)
{
    cli_bam *bam = calloc(1, sizeof *bam);
    *code = bam != NULL ? open_file(bam, stream, reference != NULL) : ENOMEM;
    if (*code != 0) {
        free(bam);
        return NULL;
    }
    bam->record = bam_init1();
    if (bam->record != NULL &&
        (reference == NULL || hts_set_opt(bam->file, CRAM_OPT_REFERENCE, reference) == 0) &&
        (threads <= 1 || hts_set_threads(bam->file, threads) == 0))
        return bam;
    *code = failure(bam);
    (void)cli_bam_close(bam);
    return NULL;
}

/* Where the line that begins at `text` ends: each has a line end. */
static char *line_end(char *text, const char *end)
{
    return memchr(text, '\n', (size_t)(end - text));
}

/* Reads and writes the header. Returns where the records begin, NULL on failure. */
static char *add_head(cli_bam *bam, char *text, const char *end)
{
    char *records = text;
    while (records < end && records[0] == '@')
        records = line_end(records, end) + 1;
    bam->head = sam_hdr_parse((size_t)(records - text), text);
    return bam->head != NULL && sam_hdr_write(bam->file, bam->head) == 0 ? records : NULL;
}

static bool add_record(cli_bam *bam, char *line, char *end)
{
    kstring_t text = {(size_t)(end - line), (size_t)(end - line) + 1, line};
    *end = '\0';
    return sam_parse1(&text, bam->head, bam->record) >= 0 &&
           sam_write1(bam->file, bam->head, bam->record) >= 0;
}

int cli_bam_add(cli_bam *bam, char *text, size_t length)
{
    const char *end = text + length;
    errno = 0;
    char *line = bam->head == NULL ? add_head(bam, text, end) : text;
    while (line != NULL && line < end) {
        char *next = line_end(line, end);
        line = add_record(bam, line, next) ? next + 1 : NULL;
    }
    return line == NULL ? failure(bam) : 0;
}

int cli_bam_close(cli_bam *bam)
{
    if (bam == NULL)
        return 0;
    /* CRAM of htslib 1.16 does not survive a flush before it is closed. */
    const bool is_cram = hts_get_format(bam->file)->format == cram;
    errno = 0;
    int code = !is_cram && hts_flush(bam->file) != 0 ? failure(bam) : 0;
    errno = 0;
    if (hts_close(bam->file) != 0 && code == 0)
        code = errno != 0 ? errno : EIO;
    bam_destroy1(bam->record);
    sam_hdr_destroy(bam->head);
    free(bam);
    return code;
}

bool cli_cram_lacks_reference(const char *reference, char *why, size_t size)
{
    char *name = cli_with_ending(reference, ".fai");
    const bool is_there = name != NULL && access(name, R_OK) == 0;
    free(name);
    if (!is_there)
        snprintf(why, size, "the target needs an index: 'samtools faidx %s' makes it", reference);
    return !is_there;
}
