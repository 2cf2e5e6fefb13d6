# SPDX-License-Identifier: MIT
# How two sets of sequences differ, from their alignments.

# Members have the names that report.json has.

cdef dict side_of(const rhomb_comparison_side *side):
    return {"sequences": side.sequences, "covered_sequences": side.covered_sequences,
            "bases": side.bases, "aligned": side.aligned, "similar": side.similar,
            "repeated": side.repeated, "in_gaps": side.in_gaps, "outside": side.outside,
            "breakpoints": side.breakpoints}


cdef dict gaps_of(const rhomb_comparison_gaps *gaps):
    return {"count": gaps.count, "bases": gaps.bases}


cdef dict sum_of(const rhomb_comparison_sum *all):
    return {"records": all.records, "target_bases": all.target_bases,
            "query_bases": all.query_bases, "columns": all.columns, "matches": all.matches,
            "mismatches": all.mismatches, "gaps": all.gaps, "identity": all.identity,
            "gap_compressed_identity": all.gap_compressed, "snps": all.snps,
            "transitions": all.transitions, "transversions": all.transversions,
            "insertions": gaps_of(&all.insertions), "deletions": gaps_of(&all.deletions)}


cdef dict runs_of(const rhomb_comparison_runs *runs):
    return {"count": runs.count, "target_bases": runs.target_bases,
            "query_bases": runs.query_bases}


cdef dict report_of(const rhomb_comparison_report *report):
    return {"records": report.records, "unaligned_records": report.unaligned,
            "headline": {"least_identity": report.least_identity},
            "target": side_of(report.target), "query": side_of(report.query),
            "similar": sum_of(report.similar), "one_to_one": sum_of(report.one_to_one),
            "all": sum_of(report.all), "inversions": runs_of(report.inversions),
            "relocations": runs_of(report.relocations),
            "translocations": runs_of(report.translocations)}


def report(paf, target, query, *, min_identity=None, alphabet="dna"):
    """How two sets of sequences differ, from their alignments, as `rhomb report` says it: a dict, whose
    members have the names of its JSON. It needs no device.

    paf             a PAF file with paths (cg or cs), such as `rhomb align`, or minimap2 -c, writes
    target, query   the files of the sequences that were aligned, FASTA or FASTQ
    min_identity    of similar segments, above 0 and below 1; None: 0.8
    alphabet        "dna" or "bytes"

    `similar` has the sums of similar segments, with SNPs and indels as people mean them; `one_to_one`
    and `all` those of records; `target` and `query` have the bases of either side, aligned and not;
    `inversions`, `relocations` and `translocations` what has moved. Lengths are in bases, identities
    from 0 to 1.

    Raises InputError if a file is missing, damaged, or does not fit the others; ArgumentError.

    >>> found = rhomb.report(paf, file, file)       # of the one record of a file and itself
    >>> found["similar"]["snps"], found["target"]["aligned"], found["similar"]["identity"]
    (0, 8, 1.0)
    """
    cdef rhomb_compare_options options = compare_options_init()
    cdef rhomb_comparison *comparison = NULL
    cdef rhomb_sequence_set *targets = NULL
    cdef rhomb_sequence_set *queries = NULL
    cdef rhomb_paf *reader = NULL
    cdef rhomb_status status
    cdef list files = [os.fsencode(file) for file in (paf, target, query)]
    cdef const char *names[3]
    cdef rhomb_context *ctx
    for i in range(3):
        names[i] = files[i]
    options.alphabet = choose("alphabet", ALPHABETS, alphabet)
    if min_identity is not None:
        if not 0 < min_identity < 1:
            raise ArgumentError(f"min_identity is above 0 and below 1, not {min_identity!r}")
        options.least_identity = min_identity
    ctx = create_context(0, None)
    try:
        with nogil:
            status = rhomb_sequence_set_read(ctx, names[1], &targets)
            if status == RHOMB_OK:
                status = rhomb_sequence_set_read(ctx, names[2], &queries)
            if status == RHOMB_OK:
                status = rhomb_paf_open(ctx, names[0], &reader)
            if status == RHOMB_OK:
                status = rhomb_compare(reader, targets, queries, &options, &comparison)
        check(ctx, status)
        return report_of(rhomb_comparison_get_report(comparison))
    finally:
        rhomb_comparison_destroy(comparison)
        rhomb_paf_destroy(reader)
        rhomb_sequence_set_destroy(queries)
        rhomb_sequence_set_destroy(targets)
        rhomb_context_destroy(ctx)
