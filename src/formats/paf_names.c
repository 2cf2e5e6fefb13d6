/* SPDX-License-Identifier: MIT */
/*
 * The sequences that records of PAF name, see paf_names.h.
 */
#include "src/formats/paf_names.h"

#include "src/formats/paf_reader.h"

#include <string.h>

/* Undoes the command's escapes in a name: "." for the empty name, and \\ \t \n \r. */
static rhomb_status unescape(rhomb__paf_names *names, const char *name)
{
    static const char BASES[] = "\\tnr";
    static const char MEANT[] = "\\\t\n\r";
    rhomb_status status = RHOMB_OK;
    names->plain.length = 0;
    RHOMB_TRY(rhomb__bytes_append(names->paf->reported, &names->plain, "", 0));
    if (strcmp(name, ".") == 0)
        goto out;
    while (*name != '\0') {
        const char *found = *name == '\\' && name[1] != '\0' ? strchr(BASES, name[1]) : NULL;
        RHOMB_TRY(rhomb__bytes_append(names->paf->reported, &names->plain,
                                      found != NULL ? &MEANT[found - BASES] : name, 1));
        name += found != NULL ? 2 : 1;
    }

out:
    return status;
}

/* rhomb__sequence_set_locate() for the name as it is, else for the name without its escapes. */
static rhomb_status find_name(rhomb__paf_names *names, const char *name,
                              const rhomb_sequence_set *set, rhomb__sequence_part *out)
{
    rhomb_status status = rhomb__sequence_set_locate(set, name, out);
    if (status != RHOMB_ERR_INPUT || (strcmp(name, ".") != 0 && strchr(name, '\\') == NULL) ||
        rhomb__sequence_set_has(set, name))
        return status;
    RHOMB_TRY(unescape(names, name));
    status = rhomb__sequence_set_locate(set, names->plain.data, out);
    /* Of two failures, the first one quotes the name as it is in the file. */
    if (status == RHOMB_ERR_INPUT && !rhomb__sequence_set_has(set, names->plain.data))
        status = rhomb__sequence_set_locate(set, name, out);

out:
    return status;
}

/* find_name(), whose failure names the record, and the other file if that has the name. */
static rhomb_status find(rhomb__paf_names *names, const rhomb_paf_record *row, const char *name,
                         const rhomb_sequence_set *set, const rhomb_sequence_set *other,
                         rhomb__sequence_part *out)
{
    rhomb__error *error = names->paf->reported;
    const rhomb_status status = find_name(names, name, set, out);
    /* The set may belong to another context, which has the detail then. */
    const rhomb__error *found = rhomb__sequence_set_error(set);
    if (status == RHOMB_OK)
        return status;
    if (status == RHOMB_ERR_MEMORY)
        return rhomb__fail(error, status, "%s", rhomb__error_text(found));
    char detail[1024];
    strncpy(detail, rhomb__error_text(found), sizeof detail - 1);
    detail[sizeof detail - 1] = '\0';
    const bool swapped =
        !rhomb__sequence_set_has(set, name) && rhomb__sequence_set_has(other, name);
    rhomb__error_clear(error);
    return rhomb__fail(error, status, "%s: line %lld: %s%s", names->paf->stream.name,
                       (long long)row->line, detail,
                       swapped ? "; the other file has it: are target and query swapped?" : "");
}

rhomb_status rhomb__paf_names_find(rhomb__paf_names *names, const rhomb_paf_record *row,
                                   rhomb__sequence_part *target, rhomb__sequence_part *query)
{
    rhomb_status status = RHOMB_OK;
    RHOMB_TRY(find(names, row, row->target_name, names->targets, names->queries, target));
    RHOMB_TRY(find(names, row, row->query_name, names->queries, names->targets, query));
out:
    return status;
}

/* Whether a side of a record is within its sequence. */
static rhomb_status check_side(rhomb_paf *paf, const char *side, int64_t length, int64_t end,
                               const rhomb__sequence_part *part)
{
    if (length >= 0 && length != part->length)
        return rhomb__fail(paf->reported, RHOMB_ERR_INPUT,
                           "%s: line %lld: the %s has %lld bases, and not %lld", paf->stream.name,
                           (long long)paf->row.line, side, (long long)part->length,
                           (long long)length);
    if (end > part->length)
        return rhomb__fail(paf->reported, RHOMB_ERR_INPUT,
                           "%s: line %lld: the range ends at %lld, and the %s has %lld bases",
                           paf->stream.name, (long long)paf->row.line, (long long)end, side,
                           (long long)part->length);
    return RHOMB_OK;
}

rhomb_status rhomb_paf_locate(rhomb_paf *paf, const rhomb_sequence_set *targets,
                              const rhomb_sequence_set *queries, rhomb_paf_sequences *out)
{
    static const char *const SIDES[] = {"target", "query"};
    const rhomb_sequence_set *const sets[] = {targets, queries};
    rhomb_status status = RHOMB_OK;
    rhomb__sequence_part parts[2];
    if (paf == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(paf->reported);
    if (targets == NULL || queries == NULL || out == NULL || !paf->has_row || !paf->has_strand)
        return rhomb__fail(paf->reported, RHOMB_ERR_ARGUMENT,
                           "there is no record with an alignment, or a pointer is NULL");
    const rhomb_paf_record *row = &paf->row;
    const int64_t lengths[] = {row->target_length, row->query_length};
    const int64_t ends[] = {row->target_end, row->query_end};
    rhomb__paf_names names = {.paf = paf, .targets = targets, .queries = queries};
    RHOMB_TRY(rhomb__paf_names_find(&names, row, &parts[0], &parts[1]));
    for (int i = 0; i < 2; i++) {
        RHOMB_TRY(check_side(paf, SIDES[i], lengths[i], ends[i], &parts[i]));
        out->index[i] = (int64_t)rhomb__sequence_set_place(sets[i], parts[i].index);
        out->before[i] = parts[i].begin;
        out->bases[i] = parts[i].bases;
        out->length[i] = parts[i].length;
    }

out:
    rhomb__paf_names_release(&names);
    return status;
}

void rhomb__paf_names_release(rhomb__paf_names *names)
{
    rhomb__bytes_release(&names->plain);
}
