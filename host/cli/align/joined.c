/* SPDX-License-Identifier: MIT */
/* Blocks from their segments, see align_files.h. */
#include "host/cli/align/align_files.h"

#include "host/cli/base/cli.h"

/* Adds operations, those of one kind where both paths meet as one. */
static void append_ops(cli_buffer *out, const rhomb_path_op *ops, int64_t count)
{
    rhomb_path_op *all = (rhomb_path_op *)(void *)out->data;
    rhomb_path_op *last = out->length > 0 ? &all[out->length / sizeof *all - 1] : NULL;
    if (last != NULL && count > 0 && RHOMB_CIGAR_CODE(*last) == RHOMB_CIGAR_CODE(ops[0])) {
        *last += (rhomb_path_op)RHOMB_CIGAR_LENGTH(ops[0]) << 4;
        ops++;
        count--;
    }
    cli_append_bytes(out, (const char *)ops, (size_t)count * sizeof *ops);
}

/* The block as a part, with the last segment's task but for the sequences. */
static int make_whole(cli_joined *j, const cli_part *part, cli_part *whole)
{
    const cli_block *b = &j->block;
    *whole = *part;
    whole->range = *b;
    whole->task.target = part->pair->target.bases + b->target_begin;
    whole->task.target_length = b->target_end - b->target_begin;
    whole->task.query = part->pair->query.bases + b->query_begin;
    whole->task.query_length = b->query_end - b->query_begin;
    if (b->reverse)
        whole->task.query = j->oriented =
            cli_orient(whole->task.query, whole->task.query_length, true, 0);
    return whole->task.query != NULL ? CLI_OK : cli_fail(NULL, RHOMB_ERR_MEMORY);
}

int cli_joined_add(cli_joined *j, const cli_part *part, cli_part *whole)
{
    int64_t count;
    const cli_block *r = &part->range;
    const rhomb_path_op *ops = rhomb_alignment_path(part->task.alignment, &count);
    if (j->segments == 0)
        j->block = *r;
    append_ops(&j->ops, ops, count);
    if (j->ops.failed)
        return cli_fail(NULL, RHOMB_ERR_MEMORY);
    j->segments++;
    j->block.target_end = r->target_end;
    if (r->reverse)
        j->block.query_begin = r->query_begin;
    else
        j->block.query_end = r->query_end;
    return r->goes_on ? CLI_OK : make_whole(j, part, whole);
}

void cli_joined_empty(cli_joined *j)
{
    j->ops.length = 0;
    j->segments = 0;
    free(j->oriented);
    j->oriented = NULL;
}

void cli_joined_release(cli_joined *j)
{
    cli_joined_empty(j);
    cli_buffer_release(&j->ops);
}
