/* SPDX-License-Identifier: MIT */
/* The options of `rhomb align`. */
#ifndef RHOMB_CLI_ALIGN_ARGUMENTS_H
#define RHOMB_CLI_ALIGN_ARGUMENTS_H

#include "host/cli/pair/pair_options.h"
#include "host/cli/writers/path_rows.h"
#include "rhomb/local.h"

typedef enum cli_align_format {
    CLI_ALIGN_PAF,
    CLI_ALIGN_SAM,
    CLI_ALIGN_BAM,
    CLI_ALIGN_CRAM,
    CLI_ALIGN_TSV,
    CLI_ALIGN_VCF,
    CLI_ALIGN_CHAIN,
    CLI_ALIGN_MAF,
    CLI_ALIGN_PAIRWISE,
    CLI_ALIGN_AFA,
    CLI_ALIGN_JSON
} cli_align_format;

extern const cli_word cli_align_formats[11]; /* PAF is the first one, and the default */

typedef struct cli_align_arguments {
    cli_pair_arguments pair;
    int format; /* cli_align_format */
    rhomb_mode_options how;
    cli_path_cuts cuts;
    double least_identity; /* of similar segments; 0: the default */
    bool cs;
    int cigar_m; /* a bool: M for = and X */
    bool md;
    bool atomize;
    int from_query;     /* a bool: chains lead from the query to the target */
    const char *sample; /* of VCF; NULL: the query's name */
    int64_t max_allele; /* of VCF; 0: as long as it is */
    bool header;
    bool compress;         /* the output, in blocks of bgzip */
    const char *report;    /* a file for the report, or NULL */
    const char *unaligned; /* a file for what is in no block, or NULL */
    const char *callable;  /* a file for the intervals that are aligned, or NULL */
    bool compress_callable;
    const char *ranges; /* a file of rows to align, or NULL */
    const char *audit;  /* with it, a file for what their alignments cost, or NULL */
    /*
     * With --audit and a preset of minimap2: the scoring of rows with N or IUPAC codes. No text:
     * they have that of all rows.
     */
    cli_score ambiguous;
    char ambiguous_text[128]; /* which it borrows */
    int64_t extend_ends;      /* bases that ranges reach further */
    bool keep_tags;
    bool keep_going;             /* after a row that cannot be used */
    const char *haplotype;       /* of VCF: a file with the other haplotype, or NULL */
    struct cli_diploid *diploid; /* of a run for that, and of one haplotype */
    const char *rearrangements;  /* a file for the events of blocks, or NULL */
    /* Of `rhomb compare`: names for the records of VCF of blocks, and has what they were compared.
     */
    const char *records;
    struct cli_report *compared;
} cli_align_arguments;

/* In align_run.c: aligns and writes. `argv` begins with the command's name. The exit status. */
int cli_align_run(cli_align_arguments *args, int argc, char **argv);

#endif
