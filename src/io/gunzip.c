/* SPDX-License-Identifier: MIT */
/*
 * Plain gzip by zlib's inflate(), see gunzip.h: straight into the caller's memory, so that
 * decompressed text is kept whatever follows it.
 */
#include "src/io/gunzip.h"

#include <htslib/bgzf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define INPUT_BYTES ((size_t)64 * 1024)

typedef enum section {
    IN_MEMBER,
    BETWEEN_MEMBERS,
    IN_PADDING, /* zeros up to the end of the file */
    AT_END,
    AT_FAILURE
} section;

struct rhomb__gunzip {
    hFILE *file;
    z_stream z;
    gz_header header; /* of the member: `done` once it is read */
    section section;
    int code;        /* of the failure */
    bool file_ended; /* or cannot be read further */
    unsigned char input[INPUT_BYTES];
};

/* The largest window of inflate(), plus the flag for gzip data. */
enum { WINDOW_BITS = 15 + 16 };

rhomb__gunzip *rhomb__gunzip_create(hFILE *file)
{
    rhomb__gunzip *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->file = file;
    if (inflateInit2(&g->z, WINDOW_BITS) != Z_OK) {
        free(g);
        return NULL;
    }
    inflateGetHeader(&g->z, &g->header);
    return g;
}

void rhomb__gunzip_destroy(rhomb__gunzip *g)
{
    if (g == NULL)
        return;
    inflateEnd(&g->z);
    free(g);
}

/* Reads more of the file once the input is used up. */
static void fill(rhomb__gunzip *g)
{
    if (g->z.avail_in > 0 || g->file_ended)
        return;
    const ssize_t bytes = hread(g->file, g->input, INPUT_BYTES);
    g->file_ended = bytes <= 0;
    g->z.next_in = g->input;
    g->z.avail_in = bytes > 0 ? (uInt)bytes : 0;
}

static void fail(rhomb__gunzip *g, int code)
{
    g->section = AT_FAILURE;
    g->code = code;
}

/* Continues after a member: to the next one, or through zeros to the end. */
static void pass_member(rhomb__gunzip *g)
{
    z_stream *z = &g->z;
    if (z->avail_in == 0) {
        g->section = AT_END;
        if (herrno(g->file) != 0)
            fail(g, 0);
        return;
    }
    if (g->section == BETWEEN_MEMBERS && *z->next_in != 0) {
        inflateReset(z);
        inflateGetHeader(z, &g->header);
        g->section = IN_MEMBER;
        return;
    }
    g->section = IN_PADDING;
    while (z->avail_in > 0 && *z->next_in == 0) {
        z->next_in++;
        z->avail_in--;
    }
    if (z->avail_in > 0)
        fail(g, BGZF_ERR_HEADER);
}

/* The error code for a failed inflate(). */
static int code_of(const rhomb__gunzip *g, int result)
{
    if (result == Z_MEM_ERROR || herrno(g->file) != 0)
        return 0;
    if (result == Z_BUF_ERROR)
        return BGZF_ERR_IO; /* there is room for output, so the data has ended */
    if (g->header.done != 1)
        return BGZF_ERR_HEADER;
    /* "incorrect data check" or "incorrect length check" */
    return g->z.msg != NULL && strstr(g->z.msg, "check") != NULL ? BGZF_ERR_CRC : BGZF_ERR_ZLIB;
}

static size_t inflate_some(rhomb__gunzip *g, unsigned char *out, size_t bytes)
{
    z_stream *z = &g->z;
    const uInt room = bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
    z->next_out = out;
    z->avail_out = room;
    const int result = inflate(z, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
        g->section = BETWEEN_MEMBERS;
    else if (result != Z_OK)
        fail(g, code_of(g, result));
    return room - z->avail_out;
}

ssize_t rhomb__gunzip_read(rhomb__gunzip *g, void *out, size_t bytes)
{
    unsigned char *const at = out;
    size_t done = 0;
    while (done < bytes && g->section != AT_END && g->section != AT_FAILURE) {
        fill(g);
        if (g->section == IN_MEMBER)
            done += inflate_some(g, at + done, bytes - done);
        else
            pass_member(g);
    }
    return g->section == AT_FAILURE && done == 0 ? -1 : (ssize_t)done;
}

int rhomb__gunzip_code(const rhomb__gunzip *g)
{
    return g->code;
}
