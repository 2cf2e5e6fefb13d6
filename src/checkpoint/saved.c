/* SPDX-License-Identifier: MIT */
/* Reading a checkpoint, see saved.h. */
#include "src/checkpoint/saved.h"

#include "src/base/text.h"
#include "src/checkpoint/checkpoint_format.h"
#include "src/io/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rhomb__saved {
    char *path;
    rhomb__file_map *map;
    const unsigned char *text;
    int64_t bytes;
};

/* Every file has a head and the last section. */
#define LEAST_BYTES (RHOMB__CHECKPOINT_HEAD + RHOMB__CHECKPOINT_FRAME + RHOMB__CHECKPOINT_TAIL)

rhomb_status rhomb__saved_damaged(rhomb__error *error, const rhomb__saved *saved, const char *what)
{
    return rhomb__fail(error, RHOMB_ERR_INPUT, "the checkpoint %s is damaged: %s", saved->path,
                       what);
}

/* By errno. */
static rhomb_status fail_reading(rhomb__error *error, const char *path)
{
    if (errno == ENOMEM)
        return rhomb__fail_memory(error, 1, "a checkpoint");
    return rhomb__fail(error, RHOMB_ERR_INPUT, "the checkpoint %s cannot be read: %s", path,
                       strerror(errno));
}

/* Maps the open file. */
static rhomb_status map_file(rhomb__error *error, int fd, rhomb__saved *s)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_reading(error, s->path);
    if (!S_ISREG(info.st_mode))
        return rhomb__fail(error, RHOMB_ERR_INPUT, "the checkpoint %s is not a file", s->path);
    s->bytes = info.st_size;
    if (s->bytes < LEAST_BYTES)
        return rhomb__saved_damaged(error, s, "it is too short");
    s->map = rhomb__file_map_create(fd, 0, s->bytes);
    if (s->map == NULL || !rhomb__file_map_bring(s->map, 0, s->bytes))
        return fail_reading(error, s->path);
    s->text = (const unsigned char *)rhomb__file_map_text(s->map, 0);
    return RHOMB_OK;
}

/*
 * The bytes of the section at `at`, with frame and tail: 0 if it does not end within the file.
 */
static int64_t section_bytes(const rhomb__saved *s, int64_t at)
{
    const int64_t left = s->bytes - at - RHOMB__CHECKPOINT_FRAME - RHOMB__CHECKPOINT_TAIL;
    if (left < 0)
        return 0;
    const uint64_t content = rhomb__get_u64(s->text + at + RHOMB__CHECKPOINT_NAME);
    if (content > (uint64_t)left || (int64_t)((content + 7) & ~UINT64_C(7)) > left)
        return 0;
    return RHOMB__CHECKPOINT_FRAME + (int64_t)((content + 7) & ~UINT64_C(7)) +
           RHOMB__CHECKPOINT_TAIL;
}

static bool is_named(const unsigned char *frame, const char *name)
{
    unsigned char padded[RHOMB__CHECKPOINT_NAME] = {0};
    rhomb__checkpoint_name(padded, name);
    return memcmp(frame, padded, sizeof padded) == 0;
}

/* Checks head and sections. */
static rhomb_status check(rhomb__error *error, const rhomb__saved *s)
{
    const unsigned char *text = s->text;
    uint32_t chain = rhomb__get_u32(text + 20);
    bool ended = false;
    if (memcmp(text, RHOMB__CHECKPOINT_MAGIC, 16) != 0 ||
        rhomb__checkpoint_sum(0, text, 20) != chain)
        return rhomb__saved_damaged(error, s, "it does not begin as one");
    if (rhomb__get_u32(text + 16) != RHOMB__CHECKPOINT_FORMAT)
        return rhomb__fail(error, RHOMB_ERR_INPUT,
                           "the checkpoint %s has the format %u, and this version has %d", s->path,
                           (unsigned)rhomb__get_u32(text + 16), RHOMB__CHECKPOINT_FORMAT);
    for (int64_t at = RHOMB__CHECKPOINT_HEAD; at < s->bytes;) {
        const int64_t bytes = ended ? 0 : section_bytes(s, at);
        if (bytes == 0)
            return rhomb__saved_damaged(error, s, ended ? "it is too long" : "it is cut off");
        const unsigned char *tail = text + at + bytes - RHOMB__CHECKPOINT_TAIL;
        const uint32_t sum =
            rhomb__checkpoint_sum(0, text + at, (size_t)(bytes - RHOMB__CHECKPOINT_TAIL));
        chain = rhomb__checkpoint_chain(chain, sum);
        if (rhomb__get_u32(tail) != sum || rhomb__get_u32(tail + 4) != chain)
            return rhomb__saved_damaged(error, s, "a checksum is wrong");
        ended = is_named(text + at, RHOMB__CHECKPOINT_END);
        at += bytes;
    }
    return ended ? RHOMB_OK : rhomb__saved_damaged(error, s, "it is cut off");
}

rhomb_status rhomb__saved_open(rhomb__error *error, const char *path, rhomb__saved **out)
{
    rhomb_status status = RHOMB_OK;
    rhomb__saved *s = NULL;
    *out = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return errno == ENOENT ? RHOMB_OK : fail_reading(error, path);
    s = calloc(1, sizeof *s);
    if (s != NULL)
        s->path = rhomb__format("%s", path);
    if (s == NULL || s->path == NULL) {
        status = rhomb__fail_memory(error, sizeof *s + strlen(path), "a checkpoint");
        goto out;
    }
    RHOMB_TRY(map_file(error, fd, s));
    RHOMB_TRY(check(error, s));
    *out = s;
    s = NULL;
out:
    rhomb__saved_close(s);
    close(fd);
    return status;
}

const void *rhomb__saved_section(const rhomb__saved *s, const char *name, int64_t *bytes)
{
    for (int64_t at = RHOMB__CHECKPOINT_HEAD; at < s->bytes; at += section_bytes(s, at)) {
        if (!is_named(s->text + at, name))
            continue;
        *bytes = (int64_t)rhomb__get_u64(s->text + at + RHOMB__CHECKPOINT_NAME);
        return s->text + at + RHOMB__CHECKPOINT_FRAME;
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
