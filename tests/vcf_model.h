/* SPDX-License-Identifier: MIT */
/*
 * Judges VCF: an independent reader, which makes the query of the target and the records, and looks
 * at whether these are as VCF wants them. It knows nothing of paths.
 */
#ifndef RHOMB_TESTS_VCF_MODEL_H
#define RHOMB_TESTS_VCF_MODEL_H

#include <stdint.h>

/* What the records are about: bases of a target, of which `before` of the record precede. */
typedef struct vcf_model_pair {
    const char *name; /* of the target */
    const char *target;
    int64_t target_length;
    const char *query;
    int64_t query_length;
    int64_t before;
} vcf_model_pair;

/*
 * What is wrong with records, lines without a head, or NULL. They have to make the query, ignoring
 * case, in order and without touching each other; alleles are in upper case, have a base, and begin
 * or end with a base in common only to have one.
 */
const char *vcf_model_judge(const char *text, const vcf_model_pair *pair);

#endif
