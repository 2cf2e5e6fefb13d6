/* SPDX-License-Identifier: MIT */
/* Extensions of names, see options.h. */
#include "host/cli/command/options.h"

#include <ctype.h>
#include <strings.h>

static const struct {
    const char *ending, *program;
} COMPRESSED[] = {{"zst", "zstd"},
                  {"bz2", "bzip2"},
                  {"xz", "xz"},
                  {"lz4", "lz4"},
                  {"lzma", "xz --format=lzma"},
                  {"lz", "lzip"},
                  {"br", "brotli"},
                  {"Z", "compress"},
                  {"zip", "zip"}};

/* Whether `name`, of `length` characters, ends with a dot and `word`, ignoring case. */
static bool ends_with(const char *name, size_t length, const char *word)
{
    const size_t end = strlen(word);
    return length > end + 1 && name[length - end - 1] == '.' &&
           strncasecmp(name + length - end, word, end) == 0;
}

/* Takes .gz or .bgz off the length. */
static bool strip_gzip(const char *name, size_t *length)
{
    static const char *const ENDINGS[] = {"gz", "bgz"};
    for (size_t i = 0; i < CLI_COUNT(ENDINGS); i++) {
        if (!ends_with(name, *length, ENDINGS[i]))
            continue;
        *length -= strlen(ENDINGS[i]) + 1;
        return true;
    }
    return false;
}

bool cli_is_gzip_name(const char *name)
{
    size_t length = strlen(name);
    return strip_gzip(name, &length);
}

char *cli_stem(const char *path)
{
    static const char *const SEQUENCES[] = {"fa",  "fasta", "fna", "fas",   "fsa",
                                            "ffn", "frn",   "fq",  "fastq", "txt"};
    const char *name = cli_base_name(path);
    size_t length = strlen(name), end = 0;
    strip_gzip(name, &length);
    for (size_t i = 0; i < CLI_COUNT(SEQUENCES) && end == 0; i++)
        end = ends_with(name, length, SEQUENCES[i]) ? strlen(SEQUENCES[i]) + 1 : 0;
    return strndup(name, length - end);
}

/*
 * The extension of a name of `length` characters, and its own length: letters and digits after a
 * dot within the last part of the path, not all of them digits; NULL if there is none.
 */
static const char *extension_of(const char *name, size_t length, int *extension_length)
{
    size_t begin = length;
    bool has_letter = false;
    while (begin > 0 && isalnum((unsigned char)name[begin - 1])) {
        begin--;
        has_letter = has_letter || isalpha((unsigned char)name[begin]);
    }
    *extension_length = (int)(length - begin);
    return has_letter && begin > 1 && name[begin - 1] == '.' && name[begin - 2] != '/'
               ? name + begin
               : NULL;
}

static int refuse_extension(const cli_command *command, const cli_endings *can, const char *name,
                            const char *extension, int length)
{
    return cli_bad_usage(command, "%s: 'rhomb %s' does not write %.*s but %s%s", name,
                         command->name, length, extension,
                         cli_list_words(can->formats, can->count, " and ").text,
                         can->has_option ? "; any name goes with --format" : "");
}

int cli_format_by_name(const cli_command *command, const cli_word *formats, size_t count,
                       const char *name, size_t length, int *format)
{
    for (size_t i = 0; i < count; i++) {
        if (!ends_with(name, length, formats[i].word))
            continue;
        if (*format != CLI_NO_FORMAT && *format != formats[i].value)
            return cli_bad_usage(command, "%s: the extension says %s, but %s was asked for", name,
                                 formats[i].word, cli_word_of(*format, formats, count));
        *format = formats[i].value;
    }
    return CLI_OK;
}

int cli_choose_format(const cli_command *command, void *arguments)
{
    const cli_endings *can = command->endings;
    int *format = (void *)((char *)arguments + can->format_at);
    const char *name = *(const char **)(void *)((char *)arguments + can->output_at);
    const int first = can->formats[0].value;
    if (name == NULL) {
        *format = *format == CLI_NO_FORMAT ? first : *format;
        return CLI_OK;
    }
    size_t length = strlen(name);
    const bool gzip = strip_gzip(name, &length);
    if (gzip && can->compress_at == 0)
        return cli_bad_usage(command,
                             "%s: 'rhomb %s' does not compress; write to standard output, and from "
                             "there through 'bgzip'",
                             name, command->name);
    if (can->compress_at > 0)
        *((bool *)arguments + can->compress_at) = gzip;
    for (size_t i = 0; i < CLI_COUNT(COMPRESSED); i++) {
        if (ends_with(name, length, COMPRESSED[i].ending))
            return cli_bad_usage(
                command, "%s: %s; write to standard output, and from there through '%s'", name,
                can->compress_at > 0 ? "only .gz and .bgz are compressed"
                                     : "this output is not compressed",
                COMPRESSED[i].program);
    }
    const int status = cli_format_by_name(command, can->formats, can->count, name, length, format);
    if (status != CLI_OK || *format != CLI_NO_FORMAT)
        return status;
    *format = first;
    int extension_length = 0;
    const char *extension = extension_of(name, length, &extension_length);
    if (extension == NULL || ends_with(name, length, "txt"))
        return CLI_OK;
    return refuse_extension(command, can, name, extension, extension_length);
}
