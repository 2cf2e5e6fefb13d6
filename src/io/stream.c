/* SPDX-License-Identifier: MIT */
/*
 * The window over a file's bytes and the growing buffer, see stream.h.
 *
 * Files are opened here and not by htslib, because its hopen() would not take a path such as
 * "data:,ACGT" or "https:..." for a file, and because open() and fstat() tell what is wrong, while
 * the BGZF layer only tells that something is.
 */
#include "src/io/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Bytes of the window: one BGZF block. 256 KiB and 1 MiB are as fast on plain files and 6 to 14 %
 * slower on bgzip.
 */
#define WINDOW_BYTES ((size_t)64 * 1024)

/*
 * One thread decompresses about 300 MB/s, so below this size the work ends when the threads have
 * hardly started. With four threads, two cores take 0.55 s for 250 Mbp instead of 0.98.
 */
#define THREADS_MIN_BYTES (INT64_C(4) * 1024 * 1024)

rhomb_status rhomb__fail_text(rhomb__error *error, size_t most)
{
    return rhomb__fail(error, RHOMB_ERR_MEMORY,
                       "the text of a sequence file needs more than %zu bytes, which is all that "
                       "the limit on address space leaves for it",
                       most);
}

/*
 * Makes room for `bytes` more and the NUL. Faulting in the pages of a chromosome takes most of the
 * time of reading it. Large pages (MADV_HUGEPAGE) take 250 Mbp from 0.16 to 0.11 s if the system
 * has them ready, and to 0.5 to 0.8 s if it must find them first.
 */
static rhomb_status reserve(rhomb__error *error, rhomb__bytes *buffer, size_t bytes)
{
    if (bytes < buffer->capacity - buffer->length)
        return RHOMB_OK;
    const size_t needed = buffer->length + bytes + 1;
    size_t capacity = buffer->capacity < 64 ? 64 : buffer->capacity;
    while (capacity < needed)
        capacity = capacity > PTRDIFF_MAX / 2 ? PTRDIFF_MAX : capacity * 2;
    if (buffer->most > 0 && needed > buffer->most)
        return rhomb__fail_text(error, buffer->most);
    if (buffer->most > 0 && capacity > buffer->most)
        capacity = buffer->most;
    char *grown = realloc(buffer->data, capacity);
    if (grown == NULL)
        return rhomb__fail_memory(error, capacity, "the text of a sequence file");
    buffer->data = grown;
    buffer->capacity = capacity;
    return RHOMB_OK;
}

rhomb_status rhomb__bytes_append(rhomb__error *error, rhomb__bytes *buffer, const void *data,
                                 size_t bytes)
{
    const rhomb_status status = reserve(error, buffer, bytes);
    if (status != RHOMB_OK)
        return status;
    memcpy(buffer->data + buffer->length, data, bytes);
    buffer->length += bytes;
    buffer->data[buffer->length] = '\0';
    return RHOMB_OK;
}

void rhomb__bytes_release(rhomb__bytes *buffer)
{
    free(buffer->data);
    *buffer = (rhomb__bytes){0};
}

static rhomb_status fail_open(const rhomb__stream *stream, int code)
{
    return rhomb__fail(stream->error, code == ENOMEM ? RHOMB_ERR_MEMORY : RHOMB_ERR_INPUT,
                       "%s: cannot be opened: %s", stream->name,
                       code == EBADF ? "it is closed" : strerror(code));
}

rhomb_status rhomb__stream_find(rhomb__stream *stream, rhomb__error *error, const char *path,
                                hFILE **file)
{
    struct stat info;
    *stream = (rhomb__stream){.error = error,
                              .name = strcmp(path, "-") == 0 ? "standard input" : path,
                              .file_bytes = -1,
                              .fd = -1};
    *file = NULL;
    /* Standard input is the caller's: only a copy of its descriptor is closed later. */
    const int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                          : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_open(stream, errno);
    int code = fstat(fd, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
    if (code == 0) {
        stream->file_bytes = S_ISREG(info.st_mode) ? (int64_t)info.st_size : -1;
        stream->fd = stream->file_bytes > 0 && strcmp(path, "-") != 0 ? fd : -1;
        *file = hdopen(fd, "r");
        code = *file == NULL ? errno : 0;
    }
    if (code == 0)
        return RHOMB_OK;
    close(fd);
    return fail_open(stream, code);
}

rhomb_status rhomb__stream_begin(rhomb__stream *stream, hFILE *file)
{
    rhomb_status status = RHOMB_OK;
    stream->window = malloc(WINDOW_BYTES);
    stream->at = stream->end = stream->window;
    stream->bgzf = stream->window != NULL ? bgzf_hopen(file, "r") : NULL;
    if (stream->window == NULL)
        status = rhomb__fail_memory(stream->error, WINDOW_BYTES, "reading a sequence file");
    else if (stream->bgzf == NULL)
        status = fail_open(stream, errno);
    if (stream->bgzf == NULL)
        hclose_abruptly(file);
    if (status != RHOMB_OK)
        rhomb__stream_close(stream);
    return status;
}

rhomb_status rhomb__stream_open(rhomb__stream *stream, rhomb__error *error, const char *path)
{
    hFILE *file = NULL;
    const rhomb_status status = rhomb__stream_find(stream, error, path, &file);
    return status == RHOMB_OK ? rhomb__stream_begin(stream, file) : status;
}

void rhomb__stream_close(rhomb__stream *stream)
{
    if (stream->bgzf != NULL) {
        hclearerr(stream->bgzf->fp); /* bgzf_close() frees nothing when closing the file fails */
        bgzf_close(stream->bgzf);
    }
    free(stream->window);
    *stream = (rhomb__stream){0};
}

void rhomb__stream_use_threads(rhomb__stream *stream, int64_t bytes, int32_t threads)
{
    if (bytes >= THREADS_MIN_BYTES && threads > 1 && !stream->bgzf->is_gzip)
        (void)bgzf_mt(stream->bgzf, threads, 0);
}

/* Records why reading or bgzf_seek() failed. */
static rhomb_status fail_read(rhomb__stream *stream)
{
    BGZF *bgzf = stream->bgzf;
    const int code = herrno(bgzf->fp);
    const unsigned found = (unsigned)bgzf->errcode;
    if (code != 0)
        return rhomb__fail(stream->error, RHOMB_ERR_INPUT, "%s: cannot be read: %s", stream->name,
                           strerror(code));
    const char *reason = "is damaged: its data cannot be decompressed";
    if (found & BGZF_ERR_IO)
        reason = "is truncated: the compressed data ends in the middle";
    else if (found & BGZF_ERR_HEADER)
        reason = "is truncated or damaged: a compressed block has no valid header";
    else if (found & BGZF_ERR_CRC)
        reason = "is damaged: a checksum differs";
    return rhomb__fail(stream->error, RHOMB_ERR_INPUT, "%s: %s", stream->name, reason);
}

/*
 * Like bgzf_read(), which drops the data before a failure: here that data is returned, and the
 * failure with the next call.
 */
static ssize_t read_blocks(BGZF *bgzf, char *out, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        if (bgzf->block_offset >= bgzf->block_length) {
            /* After a failure the beginning of the next block is unknown. */
            if (bgzf->errcode != 0 || bgzf_read_block(bgzf) != 0)
                return done > 0 ? (ssize_t)done : -1;
            if (bgzf->block_length == 0)
                break;
        }
        const int have = bgzf->block_length - bgzf->block_offset;
        const size_t rest = bytes - done;
        const size_t step = rest < (size_t)have ? rest : (size_t)have;
        if (step > 0 && bgzf_read(bgzf, out + done, step) != (ssize_t)step)
            return -1;
        done += step;
    }
    return (ssize_t)done;
}

static ssize_t read_some(rhomb__stream *stream, void *out, size_t bytes)
{
    BGZF *bgzf = stream->bgzf;
    if (bgzf->is_compressed)
        return read_blocks(bgzf, out, bytes);
    return herrno(bgzf->fp) != 0 ? -1 : hread(bgzf->fp, out, bytes);
}

/*
 * Reads up to `bytes` bytes. *got is 0 only at the end of the data, which sets `ended`, and on
 * failure.
 */
static rhomb_status read_on(rhomb__stream *stream, void *out, size_t bytes, size_t *got)
{
    const ssize_t read = read_some(stream, out, bytes);
    *got = read > 0 ? (size_t)read : 0;
    if (read < 0)
        return fail_read(stream);
    if (read == 0 && stream->bgzf->no_eof_block)
        return rhomb__fail(stream->error, RHOMB_ERR_INPUT,
                           "%s: is truncated: the block that ends a bgzip file is missing",
                           stream->name);
    stream->ended = read == 0;
    return RHOMB_OK;
}

double rhomb__stream_fraction(const rhomb__stream *stream)
{
    if (stream->file_bytes <= 0)
        return -1;
    const double read = (double)htell(stream->bgzf->fp);
    return read < (double)stream->file_bytes ? read / (double)stream->file_bytes : 1;
}

bool rhomb__stream_is_plain(const rhomb__stream *stream)
{
    return stream->fd >= 0 && !stream->bgzf->is_compressed;
}

rhomb_status rhomb__stream_read(rhomb__stream *stream, void *out, size_t bytes, size_t *got)
{
    rhomb_status status = RHOMB_OK;
    char *at = out;
    *got = 0;
    while (status == RHOMB_OK && !stream->ended && *got < bytes) {
        size_t more = 0;
        status = read_on(stream, at + *got, bytes - *got, &more);
        *got += more;
    }
    return status;
}

rhomb_status rhomb__stream_fill(rhomb__stream *stream)
{
    if (stream->at < stream->end || stream->ended)
        return RHOMB_OK;
    size_t bytes = 0;
    const rhomb_status status = read_on(stream, stream->window, WINDOW_BYTES, &bytes);
    stream->at = stream->window;
    stream->end = stream->window + bytes;
    stream->has_odd_line = false;
    return status;
}

rhomb_status rhomb__stream_seek(rhomb__stream *stream, int64_t address, int64_t skip)
{
    stream->at = stream->end = stream->window;
    stream->ended = false;
    BGZF *bgzf = stream->bgzf;
    /* A virtual offset has 48 bits of address above the 16 of the place in the block. */
    if (address < 0 || address >> 47 != 0 ||
        (bgzf->is_compressed ? bgzf_seek(bgzf, address << 16, SEEK_SET) != 0
                             : hseek(bgzf->fp, (off_t)address, SEEK_SET) < 0))
        return fail_read(stream);
    while (skip > 0 && !stream->ended) {
        const rhomb_status status = rhomb__stream_fill(stream);
        if (status != RHOMB_OK)
            return status;
        const int64_t have = stream->end - stream->at;
        const int64_t step = skip < have ? skip : have;
        stream->at += step;
        skip -= step;
    }
    return RHOMB_OK;
}

enum { DEL = 127 };

#define ONES UINT64_C(0x0101010101010101)

/*
 * The top bits of the bytes of `text` that are below '!', and of those of `by_del` that are 0: the
 * text with DEL taken away by XOR. Borrows reach only bytes above one that is marked correctly.
 */
static uint64_t odd_bytes(uint64_t text, uint64_t by_del)
{
    return (((text - ONES * '!') & ~text) | ((by_del - ONES) & ~by_del)) & (ONES << 7);
}

size_t rhomb__base_run(const char *text, size_t length)
{
    const unsigned char *const at = (const unsigned char *)text;
    const unsigned char *const end = at + length;
    const unsigned char *p = at;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        if (odd_bytes(word, word ^ ONES * DEL))
            break;
    }
    while (p < end && *p >= '!' && *p != DEL)
        p++;
    return (size_t)(p - at);
}

rhomb_status rhomb__stream_bases(rhomb__stream *stream, int64_t limit, rhomb__bytes *buffer,
                                 int64_t *count)
{
    const int64_t have = stream->end - stream->at;
    const size_t run =
        rhomb__base_run((const char *)stream->at, (size_t)(limit < have ? limit : have));
    *count = (int64_t)run;
    if (run > 0 && buffer != NULL) {
        const rhomb_status status = rhomb__bytes_append(stream->error, buffer, stream->at, run);
        if (status != RHOMB_OK)
            return status;
    }
    stream->at += run;
    return RHOMB_OK;
}

/* Bytes checked together, and the number that remain once the rest is folded onto them. */
enum { CHECK_BYTES = 64, FOLDED_BYTES = 16 };

static unsigned char lower(unsigned char a, unsigned char b)
{
    return a < b ? a : b;
}

/*
 * Whether all CHECK_BYTES are bases: the lowest of them, and the lowest where DEL is 0. The loop
 * has no branch and is as long as a vector, so compilers turn it into a dozen or two vector
 * instructions.
 */
static bool all_bases(const char *text)
{
    const unsigned char *block = (const unsigned char *)text;
    unsigned char least[FOLDED_BYTES], del[FOLDED_BYTES];
    uint64_t words[2], others[2];
    for (int i = 0; i < FOLDED_BYTES; i++) {
        const unsigned char a = block[i], b = block[i + FOLDED_BYTES];
        const unsigned char c = block[i + 2 * FOLDED_BYTES], d = block[i + 3 * FOLDED_BYTES];
        least[i] = lower(lower(a, b), lower(c, d));
        del[i] = lower(lower(a ^ DEL, b ^ DEL), lower(c ^ DEL, d ^ DEL));
    }
    memcpy(words, least, sizeof words);
    memcpy(others, del, sizeof others);
    return (odd_bytes(words[0], others[0]) | odd_bytes(words[1], others[1])) == 0;
}

bool rhomb__is_bases(const char *text, size_t length)
{
    const char *const end = text + length;
    if (length < CHECK_BYTES)
        return rhomb__base_run(text, length) == length;
    for (; end - text >= CHECK_BYTES; text += CHECK_BYTES)
        if (!all_bases(text))
            return false;
    return all_bases(end - CHECK_BYTES); /* some twice: faster than the last ones alone */
}

rhomb_status rhomb__stream_lines(rhomb__stream *stream, int marker, rhomb__bytes *buffer,
                                 int64_t *lines)
{
    *lines = 0;
    if (stream->has_odd_line)
        return RHOMB_OK;
    const unsigned char *at = stream->at;
    const unsigned char *end = stream->end;
    const rhomb_status status = reserve(stream->error, buffer, (size_t)(end - at));
    if (status != RHOMB_OK)
        return status;
    char *begin = buffer->data + buffer->length;
    char *out = begin;
    int64_t taken = 0;
    ptrdiff_t width = 0; /* of the line before: the next one is likely to be as long */
    while (at < end && *at != marker) {
        const unsigned char *eol = at + width;
        if (width >= end - at || *eol != '\n')
            eol = memchr(at, '\n', (size_t)(end - at));
        if (eol == NULL)
            break;
        width = eol - at;
        const ptrdiff_t bases = width - (width > 0 && eol[-1] == '\r');
        memcpy(out, at, (size_t)bases);
        out += bases;
        at = eol + 1;
        taken++;
    }
    /* A line end that the guess has jumped over is not a base, either. */
    stream->has_odd_line = !rhomb__is_bases(begin, (size_t)(out - begin));
    if (stream->has_odd_line) {
        *begin = '\0';
        return RHOMB_OK;
    }
    *out = '\0';
    buffer->length += (size_t)(out - begin);
    stream->at = at;
    *lines = taken;
    return RHOMB_OK;
}
