/* SPDX-License-Identifier: MIT */
/* Queries that SAM writes, see align_files.h. */
#include "host/cli/align/align_files.h"

int cli_queries_read(const char *name, const cli_side **side, void *queries)
{
    cli_queries *q = queries;
    const cli_assembly *all = q->from->assemblies[1];
    *side = q->present;
    if (*side != NULL && strcmp((*side)->name, name) == 0)
        return CLI_OK;
    *side = &q->again;
    if (q->again.bases != NULL && strcmp(q->again.name, name) == 0)
        return CLI_OK;
    if (q->names == NULL)
        q->names = cli_assembly_names(all);
    if (q->names == NULL)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    const size_t index = cli_named_find(q->names, all->count, name)->index;
    const cli_record *record = &all->records[index];
    rhomb_sequence_destroy(q->owned);
    q->again =
        (cli_side){.name = record->name, .qualities = record->qualities, .length = record->length};
    const int status = cli_assembly_bases(q->from->readers[1], index, &q->again.bases, &q->owned);
    if (status == CLI_OK && q->owned != NULL)
        q->again.qualities = rhomb_sequence_qualities(q->owned);
    return status;
}

void cli_queries_release(cli_queries *queries)
{
    rhomb_sequence_destroy(queries->owned);
    free(queries->names);
}
