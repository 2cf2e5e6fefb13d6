/* SPDX-License-Identifier: MIT */
/*
 * Writes a checkpoint: to FILE.new, which replaces FILE once all of it is on the disk. So FILE is
 * complete at any moment, whatever ends the process or the machine. Or to FILE itself, which grows.
 *
 * A checkpoint that cannot be written is no reason to end a run that takes hours. So failures are
 * not returned step by step: after the first one all calls do nothing, and rhomb__saver_commit()
 * tells it.
 */
#ifndef RHOMB_SRC_SAVER_H
#define RHOMB_SRC_SAVER_H

#include "src/checkpoint/saved.h"

typedef struct rhomb__saver rhomb__saver;

/*
 * Opens FILE.new, which no other run may be writing, nor may another saver of this process.
 * RHOMB_ERR_OUTPUT if that cannot be done, or RHOMB_ERR_MEMORY, recorded in `error`. `path` is
 * borrowed.
 */
rhomb_status rhomb__saver_open(rhomb__error *error, const char *path, const char *identity,
                               rhomb__saver **out);

/*
 * The same of a FILE that grows, which is read once no other run writes it. *saved is what it
 * has up to its last mark, see rhomb__saved_read(), after which the saver goes on.
 */
rhomb_status rhomb__saver_grow(rhomb__error *error, const char *path, const char *identity,
                               const char *mark, rhomb__saved **saved, rhomb__saver **out);

/*
 * Opens FILE, or makes an empty one, and writes nothing: until the saver is closed no other run
 * opens it. *saved is what FILE has, see rhomb__saved_read(). A saver that has replaced FILE holds
 * it as well.
 */
rhomb_status rhomb__saver_hold(rhomb__error *error, const char *path, const char *identity,
                               rhomb__saved **saved, rhomb__saver **out);

/*
 * Holds FILE once a saver of this process has let it go: a descriptor to be closed; -1 if there is
 * none, or another run has it.
 */
int rhomb__saver_keep(const char *path);

/* Begins a section of so many bytes, which rhomb__saver_add() then brings in any pieces. */
void rhomb__saver_begin(rhomb__saver *saver, const char *name, int64_t bytes);
void rhomb__saver_add(rhomb__saver *saver, const void *data, size_t bytes);

/* A whole section. */
void rhomb__saver_section(rhomb__saver *saver, const char *name, const void *data, size_t bytes);

/* Whether something went wrong, so that nothing more needs to be computed for it. */
bool rhomb__saver_failed(const rhomb__saver *saver);

/*
 * Gives all sections so far to the system, which has them if the process ends. False as below.
 */
bool rhomb__saver_settle(rhomb__saver *saver, const char **why);

/*
 * Ends the file, waits for the disk, and replaces FILE. On any thread, but not two at a time. False
 * if that or something before has failed: then FILE is what it was, and *why says what is wrong, as
 * long as the saver.
 */
bool rhomb__saver_commit(rhomb__saver *saver, const char **why);

/* Removes the saver's file, unless its name is another file's by now. */
void rhomb__saver_drop(rhomb__saver *saver);

/* Releases a saver; without a commit FILE.new is removed, and FILE stays. NULL is allowed. */
void rhomb__saver_close(rhomb__saver *saver);

#endif
