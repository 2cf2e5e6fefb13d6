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
    int64_t bytes;  /* that count */
    uint32_t chain; /* there, of a file that grows */
};

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

/* Maps the open file, unless it is empty. */
static rhomb_status map_file(rhomb__error *error, int fd, rhomb__saved *s)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_reading(error, s->path);
    if (!S_ISREG(info.st_mode))
        return rhomb__fail(error, RHOMB_ERR_INPUT, "the checkpoint %s is not a file", s->path);
    s->bytes = info.st_size;
    if (s->bytes == 0)
        return RHOMB_OK;
    s->map = rhomb__file_map_create(fd, 0, s->bytes);
    if (s->map == NULL || !rhomb__file_map_bring(s->map, 0, s->bytes))
        return fail_reading(error, s->path);
    s->text = (const unsigned char *)rhomb__file_map_text(s->map, 0);
    return RHOMB_OK;
}

/*
 * The bytes of the section at `at`, with frame and tail: 0 if it does not end within the file, or
 * if there are only zeros, as where the system ended before it had written.
 */
static int64_t section_bytes(const rhomb__saved *s, int64_t at)
{
    const int64_t left = s->bytes - at - RHOMB__CHECKPOINT_FRAME - RHOMB__CHECKPOINT_TAIL;
    if (left < 0 || s->text[at] == '\0')
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

static bool is_head(const rhomb__saved *s, int64_t at)
{
    return s->bytes - at >= RHOMB__CHECKPOINT_HEAD &&
           memcmp(s->text + at, RHOMB__CHECKPOINT_MAGIC, 16) == 0;
}

/* Checks a head, with which the chain begins. */
static rhomb_status check_head(rhomb__error *error, const rhomb__saved *s, int64_t at,
                               uint32_t *chain)
{
    if (s->bytes < RHOMB__CHECKPOINT_HEAD)
        return rhomb__saved_damaged(error, s, "it is too short");
    const unsigned char *head = s->text + at;
    *chain = rhomb__get_u32(head + 20);
    if (!is_head(s, at) || rhomb__checkpoint_sum(0, head, 20) != *chain)
        return rhomb__saved_damaged(error, s, "it does not begin as one of this version");
    if (rhomb__get_u32(head + 16) == RHOMB__CHECKPOINT_FORMAT)
        return RHOMB_OK;
    return rhomb__fail(error, RHOMB_ERR_INPUT,
                       "the checkpoint %s has the format %u, and this version has %d", s->path,
                       (unsigned)rhomb__get_u32(head + 16), RHOMB__CHECKPOINT_FORMAT);
}

/* Checks heads and sections; a file that grows is cut off after the last one that counts. */
static rhomb_status check(rhomb__error *error, rhomb__saved *s, const char *mark)
{
    const unsigned char *text = s->text;
    int64_t whole = 0;
    uint32_t chain = 0;
    bool ended = false;
    for (int64_t at = 0; at < s->bytes;) {
        if (at == 0 || (mark != NULL && is_head(s, at))) {
            const rhomb_status status = check_head(error, s, at, &chain);
            if (status != RHOMB_OK)
                return status;
            at += RHOMB__CHECKPOINT_HEAD;
            continue;
        }
        const int64_t bytes = ended ? 0 : section_bytes(s, at);
        if (bytes == 0 && mark != NULL)
            break;
        if (bytes == 0)
            return rhomb__saved_damaged(error, s, ended ? "it is too long" : "it is cut off");
        const unsigned char *tail = text + at + bytes - RHOMB__CHECKPOINT_TAIL;
        const uint32_t sum =
            rhomb__checkpoint_sum(0, text + at, (size_t)(bytes - RHOMB__CHECKPOINT_TAIL));
        chain = rhomb__checkpoint_chain(chain, sum);
        const bool is_right = rhomb__get_u32(tail) == sum && rhomb__get_u32(tail + 4) == chain;
        if (!is_right && mark != NULL && at + bytes == s->bytes)
            break;
        if (!is_right)
            return rhomb__saved_damaged(error, s, "a checksum is wrong");
        ended = is_named(text + at, RHOMB__CHECKPOINT_END);
        at += bytes;
        if (mark != NULL && (is_named(text + at - bytes, RHOMB__CHECKPOINT_CALL) ||
                             is_named(text + at - bytes, mark))) {
            whole = at;
            s->chain = chain;
        }
    }
    if (mark == NULL)
        return ended ? RHOMB_OK : rhomb__saved_damaged(error, s, "it is cut off");
    s->bytes = whole;
    return RHOMB_OK;
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
            const bool same_name = length >= name + 2 && memcmp(there, here, name + 1) == 0;
            const size_t skipped = same_name ? name + 2 : 0;
            return rhomb__fail(error, RHOMB_ERR_INPUT,
                               "the checkpoint %s is of another call: its %.*s is \"%.*s\", and "
                               "this one's is \"%.*s\"; remove it to begin anew",
                               s->path, (int)name, here, (int)(length - skipped), there + skipped,
                               (int)(here_length - (name + 2)), here + name + 2);
        }
        there += length + (newline != NULL);
        here += here_length + (here[here_length] == '\n');
    }
    return rhomb__fail(
        error, RHOMB_ERR_INPUT,
        "the checkpoint %s is of another call: it has other options; remove it to begin anew",
        s->path);
}

/* RHOMB_ERR_INPUT, unless all of the file is of the call with this identity. */
static rhomb_status check_identity(rhomb__error *error, const rhomb__saved *s, const char *identity)
{
    const size_t length = strlen(identity);
    rhomb__section section = {.end = 0};
    bool is_said = false;
    while (rhomb__saved_next(s, &section)) {
        if (strcmp(section.name, RHOMB__CHECKPOINT_CALL) != 0)
            continue;
        const char *text = section.content;
        if ((size_t)section.bytes != length || memcmp(text, identity, length) != 0)
            return refuse(error, s, text, text + section.bytes, identity);
        is_said = true;
    }
    return is_said ? RHOMB_OK : rhomb__saved_damaged(error, s, "it does not say what it is of");
}

bool rhomb__saved_begins(const char *path)
{
    char begin[17] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const size_t count = fread(begin, 1, 16, file);
    fclose(file);
    return count == 16 && strcmp(begin, RHOMB__CHECKPOINT_MAGIC) == 0;
}

rhomb_status rhomb__saved_open(rhomb__error *error, const char *path, const char *identity,
                               const char *mark, rhomb__saved **out)
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
    if (s->bytes == 0 && mark == NULL) {
        status = rhomb__saved_damaged(error, s, "it is empty");
        goto out;
    }
    RHOMB_TRY(check(error, s, mark));
    if (s->bytes == 0)
        goto out;
    if (identity != NULL)
        RHOMB_TRY(check_identity(error, s, identity));
    *out = s;
    s = NULL;
out:
    rhomb__saved_close(s);
    close(fd);
    return status;
}

bool rhomb__saved_next(const rhomb__saved *s, rhomb__section *section)
{
    int64_t at = section->end;
    while (is_head(s, at))
        at += RHOMB__CHECKPOINT_HEAD;
    if (at >= s->bytes)
        return false;
    memcpy(section->name, s->text + at, RHOMB__CHECKPOINT_NAME);
    section->bytes = (int64_t)rhomb__get_u64(s->text + at + RHOMB__CHECKPOINT_NAME);
    section->content = s->text + at + RHOMB__CHECKPOINT_FRAME;
    section->end = at + section_bytes(s, at);
    return true;
}

int64_t rhomb__saved_end(const rhomb__saved *s, uint32_t *chain)
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
