/* SPDX-License-Identifier: MIT */
/*
 * The writer of VCF in a program that writes a wrong record first, as an error of ours might be.
 */
#define cli_write_vcf write_right_records
#include "host/cli/writers/vcf_rows.c"
#undef cli_write_vcf

int64_t cli_write_vcf(cli_sink *sink, const cli_path *path, int64_t max_allele);

int64_t cli_write_vcf(cli_sink *sink, const cli_path *path, int64_t max_allele)
{
    cli_append_text(&sink->text, "t\t1\t.\tA\tC\t.\t.\t.\tGT\t1\n");
    return write_right_records(sink, path, max_allele);
}
