/* SPDX-License-Identifier: MIT */
/*
 * A file of pairs that a program writes while it waits for results: a pipe, a socket or a terminal.
 * It is read here and not through htslib, whose reads wait until a buffer is full, as does its look
 * at the beginning for compressed data.
 */
#include "src/io/pairs_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

rhomb_status rhomb__live_open(rhomb_pairs *pairs)
{
    const char *path = pairs->paths[0];
    const bool is_input = strcmp(path, "-") == 0;
    struct stat info;
    if ((is_input ? fstat(STDIN_FILENO, &info) : stat(path, &info)) != 0 ||
        !(S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || S_ISCHR(info.st_mode)))
        return RHOMB_OK;
    /* Standard input is the caller's: only a copy of its descriptor is closed later. */
    pairs->live_fd =
        is_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    pairs->stream.error = &pairs->error;
    pairs->stream.name = is_input ? "standard input" : path;
    return pairs->live_fd >= 0
               ? RHOMB_OK
               : rhomb__fail(&pairs->error, RHOMB_ERR_INPUT, "%s: cannot be opened: %s",
                             pairs->stream.name, strerror(errno));
}

/* Whether a call may be repeated. */
static bool is_passing(int code)
{
    return code == EINTR || code == EAGAIN || code == EWOULDBLOCK;
}

rhomb_status rhomb__live_read(rhomb_pairs *pairs, char *out, size_t bytes, size_t *got)
{
    struct pollfd input = {.fd = pairs->live_fd, .events = POLLIN};
    bool has_line = false;
    *got = 0;
    while (*got < bytes) {
        const int ready = poll(&input, 1, has_line ? 0 : -1);
        if (ready == 0)
            break;
        const ssize_t count = ready < 0 ? -1 : read(pairs->live_fd, out + *got, bytes - *got);
        if (count < 0 && is_passing(errno))
            continue;
        if (count < 0)
            return rhomb__fail(&pairs->error, RHOMB_ERR_INPUT, "%s: cannot be read: %s",
                               pairs->stream.name, strerror(errno));
        pairs->stream.ended = count == 0;
        if (count == 0)
            break;
        has_line = has_line || memchr(out + *got, '\n', (size_t)count) != NULL;
        *got += (size_t)count;
    }
    return RHOMB_OK;
}

void rhomb__live_close(rhomb_pairs *pairs)
{
    if (pairs->live_fd >= 0)
        close(pairs->live_fd);
    pairs->live_fd = -1;
}
