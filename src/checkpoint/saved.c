/* SPDX-License-Identifier: MIT */
/* Reading a checkpoint, see saved.h. */
#include "src/checkpoint/saved.h"

#include "src/base/error.h"
#include "src/checkpoint/checkpoint_format.h"
#include "src/io/file_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct rhomb__saved {
    char *path;
    rhomb__file_map *map;
    const char *text;
    int64_t bytes;  /* that count */
    uint64_t chain; /* there, of a file that grows */
};

rhomb_status rhomb__saved_damaged(rhomb__error *error, const rhomb__saved *saved, const char *what)
{
    return rhomb__fail(error, RHOMB_ERR_INPUT, "the resume file %s is damaged: %s", saved->path,
                       what);
}

/* By errno. */
static rhomb_status fail_reading(rhomb__error *error, const char *path)
{
    if (errno == ENOMEM)
        return rhomb__fail_memory(error, 1, "a checkpoint");
    return rhomb__fail(error, RHOMB_ERR_INPUT, "the resume file %s cannot be read: %s", path,
                       strerror(errno));
}

/* Maps the open file, unless it is empty. */
static rhomb_status map_file(rhomb__error *error, int fd, rhomb__saved *s)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_reading(error, s->path);
    if (!S_ISREG(info.st_mode))
        return rhomb__fail(error, RHOMB_ERR_INPUT, "the resume file %s is not a file", s->path);
    s->bytes = info.st_size;
    if (s->bytes == 0)
        return RHOMB_OK;
    s->map = rhomb__file_map_create(fd, 0, s->bytes);
    if (s->map == NULL || !rhomb__file_map_bring(s->map, 0, s->bytes))
        return fail_reading(error, s->path);
    s->text = rhomb__file_map_text(s->map, 0);
    return RHOMB_OK;
}

static const rhomb__checkpoint_frame *frame_at(const rhomb__saved *s, int64_t at)
{
    return (const void *)(s->text + at);
}

/*
 * The bytes of the section at `at`, with frame and chain: 0 if it does not end within the file, or
 * if there are only zeros, as where the system ended before it had written.
 */
static int64_t section_bytes(const rhomb__saved *s, int64_t at)
{
    const int64_t other = (int64_t)(sizeof(rhomb__checkpoint_frame) + sizeof(uint64_t));
    const int64_t left = s->bytes - at - other;
    if (left < 0 || s->text[at] == '\0')
        return 0;
    const uint64_t content = frame_at(s, at)->bytes, padded = (content + 7) & ~UINT64_C(7);
    return content > (uint64_t)left || padded > (uint64_t)left ? 0 : (int64_t)padded + other;
}

static bool is_named(const rhomb__saved *s, int64_t at, const char *name)
{
    return strncmp(frame_at(s, at)->name, name, sizeof frame_at(s, at)->name) == 0;
}

/* Whether the chain of a section is right; it begins with a head. */
static bool is_chained(const rhomb__saved *s, int64_t at, int64_t bytes, uint64_t *chain)
{
    const size_t summed = (size_t)bytes - sizeof *chain;
    *chain = rhomb__checkpoint_chain(is_named(s, at, RHOMB__CHECKPOINT_HEAD) ? 0 : *chain,
                                     s->text + at, summed);
    return memcmp(s->text + at + summed, chain, sizeof *chain) == 0;
}

/* The first line in which two identities differ is the reason why a checkpoint is refused. */
static rhomb_status refuse(rhomb__error *error, const rhomb__saved *s, const char *there,
                           const char *end, const char *here)
{
    while (there < end && *here != '\0') {
        const char *newline = memchr(there, '\n', (size_t)(end - there));
        const size_t length = (size_t)((newline != NULL ? newline : end) - there);
        const size_t here_length = strcspn(here, "\n");
        const size_t name = strcspn(here, ":");
        if (length != here_length || memcmp(there, here, length) != 0) {
            const size_t skipped = name + 2;
            if (length < skipped || memcmp(there, here, name + 1) != 0)
                break;
            return rhomb__fail(error, RHOMB_ERR_INPUT,
                               "the resume file %s is of another call: its %.*s is \"%.*s\", and "
                               "this one's is \"%.*s\"; remove it to begin anew",
                               s->path, (int)name, here, (int)(length - skipped), there + skipped,
                               (int)(here_length - skipped), here + skipped);
        }
        there += length + (newline != NULL);
        here += here_length + (here[here_length] == '\n');
    }
    return rhomb__fail(error, RHOMB_ERR_INPUT,
                       "the resume file %s is of another command; remove it to begin anew",
                       s->path);
}

/* RHOMB_ERR_INPUT, unless a head is of this format and of the call with this identity. */
static rhomb_status check_head(rhomb__error *error, const rhomb__saved *s, int64_t at,
                               const char *identity)
{
    const rhomb__checkpoint_frame *frame = frame_at(s, at);
    const uint64_t *format = (const void *)(frame + 1);
    const char *text = (const char *)(format + 1), *end = (const char *)format + frame->bytes;
    if (text > end)
        return rhomb__saved_damaged(error, s, "it does not say what it is of");
    if (*format != RHOMB__CHECKPOINT_FORMAT)
        return rhomb__fail(error, RHOMB_ERR_INPUT,
                           "the resume file %s has the format %llu, and this version has %d",
                           s->path, (unsigned long long)*format, RHOMB__CHECKPOINT_FORMAT);
    if (identity != NULL &&
        ((size_t)(end - text) != strlen(identity) || memcmp(text, identity, strlen(identity)) != 0))
        return refuse(error, s, text, end, identity);
    return RHOMB_OK;
}

/*
 * Checks all sections, each head before what follows it. A file that grows is cut off after the
 * last one that counts.
 */
static rhomb_status check(rhomb__error *error, rhomb__saved *s, const char *identity,
                          const char *mark)
{
    rhomb_status status = RHOMB_OK;
    int64_t whole = 0, bytes = 0;
    uint64_t chain = 0;
    bool ended = false;
    if (s->bytes < (int64_t)sizeof(rhomb__checkpoint_frame) ||
        !is_named(s, 0, RHOMB__CHECKPOINT_HEAD))
        return rhomb__saved_damaged(error, s, "it does not begin as one of this version");
    for (int64_t at = 0; at < s->bytes; at += bytes) {
        bytes = ended ? 0 : section_bytes(s, at);
        if (bytes == 0 && mark != NULL)
            break;
        if (bytes == 0)
            return rhomb__saved_damaged(error, s, ended ? "it is too long" : "it is cut off");
        const bool is_right = is_chained(s, at, bytes, &chain);
        if (!is_right && mark != NULL && at + bytes == s->bytes)
            break;
        if (!is_right)
            return rhomb__saved_damaged(error, s, "a checksum is wrong");
        if (is_named(s, at, RHOMB__CHECKPOINT_HEAD))
            status = check_head(error, s, at, identity);
        if (status != RHOMB_OK)
            return status;
        ended = is_named(s, at, RHOMB__CHECKPOINT_END);
        if (mark != NULL && (at == 0 || is_named(s, at, mark))) {
            whole = at + bytes;
            s->chain = chain;
        }
    }
    if (mark == NULL)
        return ended ? RHOMB_OK : rhomb__saved_damaged(error, s, "it is cut off");
    s->bytes = whole;
    return RHOMB_OK;
}

rhomb_status rhomb__saved_read(rhomb__error *error, int fd, const char *path, const char *identity,
                               const char *mark, rhomb__saved **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__saved *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s != NULL)
        s->path = rhomb__format("%s", path);
    if (s == NULL || s->path == NULL)
        RHOMB_TRY(rhomb__fail_memory(error, sizeof *s + strlen(path), "a checkpoint"));
    RHOMB_TRY(map_file(error, fd, s));
    if (s->bytes > 0)
        RHOMB_TRY(check(error, s, identity, mark));
    if (s->bytes > 0) {
        *out = s;
        s = NULL;
    }
out:
    rhomb__saved_close(s);
    return status;
}

bool rhomb__saved_next(const rhomb__saved *s, rhomb__section *section)
{
    const int64_t at = section->end;
    if (at >= s->bytes)
        return false;
    memcpy(section->name, frame_at(s, at)->name, sizeof section->name - 1);
    section->bytes = (int64_t)frame_at(s, at)->bytes;
    section->content = frame_at(s, at) + 1;
    section->end = at + section_bytes(s, at);
    return true;
}

int64_t rhomb__saved_end(const rhomb__saved *s, uint64_t *chain)
{
    *chain = s->chain;
    return s->bytes;
}

const void *rhomb__saved_section(const rhomb__saved *s, const char *name, int64_t *bytes)
{
    rhomb__section section = {.end = 0};
    while (rhomb__saved_next(s, &section)) {
        if (strcmp(section.name, name) != 0)
            continue;
        *bytes = section.bytes;
        return section.content;
    }
    *bytes = 0;
    return NULL;
}

rhomb_status rhomb__saved_need(rhomb__error *error, const rhomb__saved *s, const char *name,
                               int64_t bytes, const void **content)
{
    char what[64];
    int64_t found = 0;
    *content = rhomb__saved_section(s, name, &found);
    if (*content != NULL && found == bytes)
        return RHOMB_OK;
    snprintf(what, sizeof what, "its part \"%s\" has %lld bytes, not %lld", name, (long long)found,
             (long long)bytes);
    return rhomb__saved_damaged(error, s, what);
}

void rhomb__saved_close(rhomb__saved *s)
{
    if (s == NULL)
        return;
    rhomb__file_map_release(s->map);
    free(s->path);
    free(s);
}
