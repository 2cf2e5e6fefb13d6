/* SPDX-License-Identifier: MIT */
/*
 * The sequence object: creation, the accessors of rhomb.h, and the digest. The digest's memory is
 * allocated with the sequence, so that asking for it cannot fail.
 */
#include "src/io/sequence.h"

#include "src/base/digest.h"

#include <htslib/hts.h>
#include <stdlib.h>
#include <string.h>

rhomb_status rhomb__sequence_create(rhomb__error *error, const char *path, const char *name,
                                    const rhomb__region_part *part, rhomb_sequence **out)
{
    *out = NULL;
    rhomb_sequence *sequence = calloc(1, sizeof *sequence);
    if (sequence != NULL) {
        sequence->path = strdup(path);
        sequence->name = strdup(name);
        sequence->length = part->end - part->begin;
        sequence->record = strdup(part->record);
        sequence->record_length = part->record_length;
        sequence->record_begin = part->begin;
        sequence->md5 = calloc(1, RHOMB__MD5_HEX_SIZE);
        sequence->md5_context = hts_md5_init();
    }
    if (sequence == NULL || sequence->path == NULL || sequence->name == NULL ||
        sequence->record == NULL || sequence->md5 == NULL || sequence->md5_context == NULL) {
        rhomb_sequence_destroy(sequence);
        return rhomb__fail_memory(error, sizeof *sequence + strlen(path) + strlen(name),
                                  "a sequence");
    }
    *out = sequence;
    return RHOMB_OK;
}

void rhomb_sequence_destroy(rhomb_sequence *sequence)
{
    if (sequence == NULL)
        return;
    if (sequence->md5_context != NULL)
        hts_md5_destroy(sequence->md5_context);
    free(sequence->md5);
    free(sequence->bases);
    free(sequence->qualities);
    free(sequence->record);
    free(sequence->name);
    free(sequence->path);
    free(sequence);
}

const char *rhomb_sequence_name(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->name : "";
}

const char *rhomb_sequence_bases(const rhomb_sequence *sequence)
{
    return sequence != NULL && sequence->bases != NULL ? sequence->bases : "";
}

const char *rhomb_sequence_qualities(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->qualities : NULL;
}

int64_t rhomb_sequence_length(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->length : 0;
}

const char *rhomb_sequence_path(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->path : "";
}

const char *rhomb_sequence_record(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->record : "";
}

int64_t rhomb_sequence_record_length(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->record_length : 0;
}

int64_t rhomb_sequence_record_begin(const rhomb_sequence *sequence)
{
    return sequence != NULL ? sequence->record_begin : 0;
}

const char *rhomb_sequence_md5(const rhomb_sequence *sequence)
{
    if (sequence == NULL)
        return "";
    if (sequence->md5[0] == '\0')
        rhomb__md5_bases_hex(sequence->md5_context, rhomb_sequence_bases(sequence),
                             (size_t)sequence->length, sequence->md5);
    return sequence->md5;
}
