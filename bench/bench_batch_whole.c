/* SPDX-License-Identifier: MIT */
/*
 * `rhomb batch --cigar FILE -o /dev/null` on a plain file, against the rate of the batch alone and
 * against reading the file without looking at it. The time of the same command on one pair is taken
 * off, since opening a device takes longer than a million pairs.
 */
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bench_batch.h"

/*
 * Copies of the set in the file, and bytes that they may take: the first 4 M pairs of 150 bases
 * take half as much again as later ones, since threads and memory are still to be had.
 */
#define COPIES     16
#define MOST_BYTES 5e9
#define READ_BYTES (1 << 20)

/* As many copies as the bounds allow, and half of the room that is left on the disk; at least 1. */
static int count_copies(const bench_set *set, const char *folder)
{
    struct statvfs disk;
    double bytes = MOST_BYTES;
    if (statvfs(folder, &disk) == 0 && bytes > (double)disk.f_bavail * (double)disk.f_frsize / 2)
        bytes = (double)disk.f_bavail * (double)disk.f_frsize / 2;
    const double copies = bytes / ((double)set->bases + 4 * (double)set->count);
    return copies < 1 ? 1 : copies > COPIES ? COPIES : (int)copies;
}

/* The median time of the command on a file; the first run brings the file into memory. */
static bool time_command(bench *b, const char *path, double *median)
{
    const char *const words[] = {b->program, "batch",     "--cigar",
                                 "--quiet",  "--device",  b->device != NULL ? b->device : "auto",
                                 "-o",       "/dev/null", path,
                                 NULL};
    return bench_program_time(b, words, "/dev/null", median);
}

/* Seconds to read a file that is in the system's memory. */
static bool time_reading(bench *b, const char *path, double *seconds)
{
    static char block[READ_BYTES];
    ssize_t got = -1;
    const double began = bench_now();
    const int file = open(path, O_RDONLY);
    while (file >= 0 && (got = read(file, block, sizeof block)) > 0)
        ;
    if (file >= 0)
        close(file);
    *seconds = bench_now() - began;
    return got == 0 || bench_fail(b, "cannot read %s", path);
}

bool bench_batch_run_whole(bench *b, const bench_set *set, double solve_seconds,
                           bench_batch_whole *whole)
{
    char folder[BENCH_PATH_BYTES], all[BENCH_PATH_BYTES + 16], one[BENCH_PATH_BYTES + 16];
    double read_seconds = 0;
    bench_set first = *set;
    first.count = 1;
    if (!bench_folder_make(b, folder))
        return false;
    snprintf(all, sizeof all, "%s/all.seq", folder);
    snprintf(one, sizeof one, "%s/one.seq", folder);
    const int copies = count_copies(set, folder);
    const bool good = bench_set_write(b, set, copies, all) && bench_set_write(b, &first, 1, one) &&
                      time_command(b, one, &whole->start_seconds) &&
                      time_command(b, all, &whole->seconds) && time_reading(b, all, &read_seconds);
    bench_folder_remove(folder);
    if (!good)
        return false;
    const double pairs = copies * (double)set->count;
    const double half_rate = (double)set->count / solve_seconds / 2;
    const double work = whole->seconds - whole->start_seconds;
    whole->pairs = copies * (int64_t)set->count;
    whole->read_per_second = pairs / read_seconds;
    if (work > 0) {
        const double most = half_rate < whole->read_per_second ? half_rate : whole->read_per_second;
        whole->pairs_per_second = pairs / work;
        whole->ratio = whole->pairs_per_second / most;
    }
    return true;
}
