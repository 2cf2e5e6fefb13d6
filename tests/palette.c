/* SPDX-License-Identifier: MIT */
/*
 * Refuses the programs of Rhomb that are in no row of a list:
 *
 *     LD_PRELOAD=libpalette.so RHOMB_TEST_PALETTE=tests/programs.def COMMAND...
 *
 * A row is a kernel file and the options that it is built with, but for those that depend on the
 * driver ("-cl-...", RHOMB_GROUPS_LAST), and for RHOMB_COPY, which only gives the same program
 * another name. Texts of RHOMB_KERNEL_DIR are never refused. What is refused has its row on
 * standard error. With RHOMB_TEST_ASKED=FILE, FILE gets the rows of all programs that were asked
 * for.
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void(CL_CALLBACK *build_note)(cl_program, void *);

typedef cl_int info_function(cl_program, cl_program_info, size_t, void *, size_t *);
typedef cl_int build_function(cl_program, cl_uint, const cl_device_id *, const char *, build_note,
                              void *);

enum { MOST_ROW = 2048 };

/* Adds the name of the file that a text begins with, `#line 1 "cl/ROOM/NAME.cl"`. */
static bool add_file(char *row, const char *text)
{
    static const char begin[] = "#line 1 \"cl/";
    const char *at = strstr(text, begin);
    if (at != text)
        return false;
    at += strlen(begin);
    snprintf(row, MOST_ROW, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

static bool is_of_the_row(const char *option)
{
    return strncmp(option, "-cl-", 4) != 0 && strcmp(option, "-DRHOMB_GROUPS_LAST") != 0 &&
           strncmp(option, "-DRHOMB_COPY=", 13) != 0;
}

static void add_options(char *row, const char *options)
{
    char words[MOST_ROW];
    snprintf(words, sizeof words, "%s", options);
    for (char *rest = words, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        const size_t length = strlen(row);
        if (is_of_the_row(word))
            snprintf(row + length, MOST_ROW - length, " %s", word);
    }
}

/* The row of a program; false for one that Rhomb does not have, or one that is loaded. */
static bool row_of(cl_program program, const char *options, char *row)
{
    size_t size = 0;
    bool is_ours = false;
    info_function *info = NULL;
    *(void **)&info = dlsym(RTLD_NEXT, "clGetProgramInfo");
    if (info(program, CL_PROGRAM_SOURCE, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return false;
    char *text = calloc(size + 1, 1);
    if (text != NULL && info(program, CL_PROGRAM_SOURCE, size, text, NULL) == CL_SUCCESS)
        is_ours = add_file(row, text);
    free(text);
    if (is_ours)
        add_options(row, options);
    return is_ours;
}

static bool is_listed(const char *path, const char *row)
{
    char line[MOST_ROW];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = strcmp(line, row) == 0;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

static void note_asked(const char *path, const char *row)
{
    FILE *file = fopen(path, "a");
    if (file == NULL)
        return;
    fprintf(file, "%s\n", row);
    fclose(file);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, build_note note, void *user)
{
    char row[MOST_ROW];
    const char *list = getenv("RHOMB_TEST_PALETTE"), *asked = getenv("RHOMB_TEST_ASKED");
    build_function *build = NULL;
    *(void **)&build = dlsym(RTLD_NEXT, "clBuildProgram");
    if (row_of(program, options != NULL ? options : "", row)) {
        if (asked != NULL)
            note_asked(asked, row);
        if (list != NULL && !is_listed(list, row)) {
            fprintf(stderr, "not in tests/programs.def: %s\n", row);
            return CL_BUILD_PROGRAM_FAILURE;
        }
    }
    return build(program, count, devices, options, note, user);
}
