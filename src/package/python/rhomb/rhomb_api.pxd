# SPDX-License-Identifier: MIT
# The parts of include/rhomb that the module uses, by name. Layouts, sizes and values are those of
# the headers, which the C compiler reads: fields that are left out here do not matter.
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

cdef extern from "rhomb/rhomb.h" nogil:
    ctypedef enum rhomb_status:
        RHOMB_OK
        RHOMB_ERR_CANCELLED
    const char *rhomb_status_name(rhomb_status status)
    const char *rhomb_status_text(rhomb_status status)
    const char *rhomb_version()

    ctypedef struct rhomb_context
    ctypedef struct rhomb_context_options:
        size_t struct_size
        int32_t threads
        const char *cache_dir
    rhomb_status rhomb_context_create(rhomb_context **out, const rhomb_context_options *options)
    void rhomb_context_destroy(rhomb_context *ctx)
    const char *rhomb_context_error(const rhomb_context *ctx)

    ctypedef enum rhomb_alphabet:
        RHOMB_ALPHABET_DNA
        RHOMB_ALPHABET_BYTES
        RHOMB_ALPHABET_IUPAC
        RHOMB_ALPHABET_PROTEIN

    ctypedef struct rhomb_sequence
    rhomb_status rhomb_sequence_read(rhomb_context *ctx, const char *path, const char *region,
                                     rhomb_sequence **out)
    void rhomb_sequence_destroy(rhomb_sequence *sequence)
    const char *rhomb_sequence_name(const rhomb_sequence *sequence)
    const char *rhomb_sequence_bases(const rhomb_sequence *sequence)
    int64_t rhomb_sequence_length(const rhomb_sequence *sequence)

    ctypedef enum rhomb_engine:
        RHOMB_ENGINE_AUTO
        RHOMB_ENGINE_WAVEFRONT
        RHOMB_ENGINE_BITPARALLEL

    ctypedef struct rhomb_progress:
        int64_t lower_bound
        int64_t upper_bound
        double fraction
        double seconds
        double eta_seconds
        bint building
    ctypedef int (*rhomb_progress_fn)(const rhomb_progress *progress, void *user) noexcept nogil

    ctypedef struct rhomb_options:
        size_t struct_size
        int64_t max_distance
        rhomb_alphabet alphabet
        rhomb_engine engine
        rhomb_progress_fn progress
        void *progress_user
        const rhomb_scoring *scoring
    int64_t RHOMB_NO_LIMIT

    ctypedef struct rhomb_report:
        int64_t target_length
        int64_t query_length
        int64_t distance
        bint exceeds_max_distance
        double similarity
        const rhomb_plan *plan
        bint has_score
        int64_t score
        double seconds_total

    ctypedef struct rhomb_result
    rhomb_status rhomb_distance(rhomb_context *ctx, const char *target, int64_t target_length,
                                const char *query, int64_t query_length,
                                const rhomb_options *options, rhomb_result **out)
    const rhomb_report *rhomb_result_report(const rhomb_result *result)
    void rhomb_result_destroy(rhomb_result *result)

    ctypedef enum rhomb_device_kind:
        RHOMB_DEVICE_GPU
        RHOMB_DEVICE_ACCELERATOR
        RHOMB_DEVICE_CPU
    ctypedef struct rhomb_device_info:
        int32_t index
        rhomb_device_kind kind
        const char *name
        const char *vendor
        const char *platform
        const char *driver_version
        const char *pci
        const char *uuid
        int64_t memory_bytes
        int32_t compute_units
        bint usable
        bint chosen
        const char *note
    rhomb_status rhomb_context_devices(rhomb_context *ctx, const rhomb_device_info *const **list,
                                       size_t *count)
    unsigned RHOMB_REQUIRE_GPU
    rhomb_status rhomb_context_open(rhomb_context *ctx, const char *selector, uint32_t flags)
    int32_t rhomb_context_device_count(const rhomb_context *ctx)
    const rhomb_device_info *rhomb_context_device_at(const rhomb_context *ctx, int32_t index)

cdef extern from "rhomb/plan.h" nogil:
    ctypedef struct rhomb_plan:
        const char *engine

cdef extern from "rhomb/scoring.h" nogil:
    ctypedef struct rhomb_scoring:
        int64_t match
    rhomb_status rhomb_scoring_parse(rhomb_context *ctx, const char *text, rhomb_scoring *out)

cdef extern from "rhomb/cigar.h" nogil:
    ctypedef uint32_t rhomb_cigar_op
    ctypedef uint64_t rhomb_path_op
    unsigned RHOMB_CIGAR_I
    unsigned RHOMB_CIGAR_D
    unsigned RHOMB_CIGAR_EQ
    unsigned RHOMB_CIGAR_X
    char RHOMB_CIGAR_LETTER(rhomb_path_op op)
    int64_t RHOMB_CIGAR_LENGTH(rhomb_path_op op)
    unsigned RHOMB_CIGAR_CODE(rhomb_path_op op)

cdef extern from "rhomb/identity.h" nogil:
    double rhomb_similarity(int64_t distance, int64_t longer_length)
    double rhomb_identity(int64_t matches, int64_t columns)
    double rhomb_gap_compressed_identity(int64_t matches, int64_t mismatches, int64_t gaps)

cdef extern from "rhomb/batch.h" nogil:
    ctypedef struct rhomb_pair:
        const char *target
        int64_t target_length
        const char *query
        int64_t query_length
    ctypedef enum rhomb_mode:
        RHOMB_MODE_GLOBAL
        RHOMB_MODE_ENDS_FREE
        RHOMB_MODE_EXTEND
        RHOMB_MODE_LOCAL
    ctypedef struct rhomb_free_ends:
        int64_t query_begin
        int64_t query_end
        int64_t target_begin
        int64_t target_end
    ctypedef struct rhomb_pair_extent:
        int64_t score
        int64_t target_begin
        int64_t target_end
        int64_t query_begin
        int64_t query_end
    ctypedef struct rhomb_pair_result:
        rhomb_status status
        int64_t distance
        const rhomb_cigar_op *cigar
        int64_t cigar_count
        const char *detail
        const rhomb_pair_extent *extent
    ctypedef int (*rhomb_batch_fn)(int64_t first, const rhomb_pair_result *const *results,
                                   size_t count, void *user) noexcept nogil
    ctypedef struct rhomb_batch_options:
        size_t struct_size
        int64_t max_distance
        rhomb_alphabet alphabet
        bint cigar
        bint borrow_pairs
        rhomb_batch_fn results
        void *user
        const rhomb_scoring *scoring
        rhomb_mode mode
        rhomb_free_ends free_ends
        int64_t z_drop
        int64_t end_bonus
    ctypedef struct rhomb_batch
    rhomb_status rhomb_batch_create(rhomb_context *ctx, const rhomb_batch_options *options,
                                    rhomb_batch **out)
    rhomb_status rhomb_batch_add(rhomb_batch *batch, const rhomb_pair *pairs, size_t count)
    rhomb_status rhomb_batch_finish(rhomb_batch *batch)
    void rhomb_batch_destroy(rhomb_batch *batch)
    rhomb_status rhomb_batch_distances(rhomb_context *ctx, const rhomb_pair *pairs, size_t count,
                                       const rhomb_batch_options *options, int64_t *distances,
                                       rhomb_status *statuses)

cdef extern from "rhomb/align.h" nogil:
    ctypedef struct rhomb_align_report:
        const rhomb_report *whole
        const char *engine
        double seconds_total
    ctypedef struct rhomb_alignment
    rhomb_status rhomb_align(rhomb_context *ctx, const char *target, int64_t target_length,
                             const char *query, int64_t query_length,
                             const rhomb_options *options, rhomb_alignment **out)
    const rhomb_path_op *rhomb_alignment_path(const rhomb_alignment *alignment, int64_t *count)
    const rhomb_align_report *rhomb_alignment_report(const rhomb_alignment *alignment)
    void rhomb_alignment_destroy(rhomb_alignment *alignment)

cdef extern from "rhomb/local.h" nogil:
    ctypedef struct rhomb_local_report:
        const rhomb_pair_extent *extent
    ctypedef struct rhomb_mode_options:
        rhomb_mode mode
        rhomb_free_ends free_ends
        int64_t z_drop
        int64_t end_bonus
    rhomb_status rhomb_align_mode(rhomb_context *ctx, const char *target, int64_t target_length,
                                  const char *query, int64_t query_length,
                                  const rhomb_mode_options *mode, const rhomb_options *options,
                                  rhomb_alignment **out)
    const rhomb_local_report *rhomb_alignment_local(const rhomb_alignment *alignment)

cdef extern from "rhomb/all_records.h" nogil:
    ctypedef struct rhomb_record:
        const char *name
        const char *bases
        int64_t length
    ctypedef struct rhomb_records
    rhomb_status rhomb_records_open(rhomb_context *ctx, const char *path, rhomb_records **out)
    rhomb_status rhomb_records_next(rhomb_records *records, const rhomb_record **record)
    void rhomb_records_destroy(rhomb_records *records)

cdef extern from "rhomb/matrix.h" nogil:
    ctypedef struct rhomb_matrix_sequence:
        const char *bases
        int64_t length
        const char *name
    ctypedef struct rhomb_matrix_progress:
        int64_t pairs
        int64_t done
        double fraction
        double seconds
        double eta_seconds
        bint building
    ctypedef int (*rhomb_matrix_fn)(int64_t row, int64_t column, const int64_t *distances,
                                    size_t count, void *user) noexcept nogil
    ctypedef int (*rhomb_matrix_progress_fn)(const rhomb_matrix_progress *progress,
                                             void *user) noexcept nogil
    ctypedef struct rhomb_matrix_options:
        int64_t max_distance
        rhomb_alphabet alphabet
        const rhomb_scoring *scoring
        rhomb_matrix_fn results
        void *user
        rhomb_matrix_progress_fn progress
        void *progress_user
    rhomb_status rhomb_matrix_compute(rhomb_context *ctx, const rhomb_matrix_sequence *sequences,
                                      int64_t count, const rhomb_matrix_options *options,
                                      void *report)

cdef extern from "rhomb/comparison.h" nogil:
    ctypedef struct rhomb_sequence_set
    rhomb_status rhomb_sequence_set_read(rhomb_context *ctx, const char *path,
                                         rhomb_sequence_set **out)
    void rhomb_sequence_set_destroy(rhomb_sequence_set *sequences)
    ctypedef struct rhomb_paf
    rhomb_status rhomb_paf_open(rhomb_context *ctx, const char *path, rhomb_paf **out)
    void rhomb_paf_destroy(rhomb_paf *paf)
    ctypedef struct rhomb_comparison_side:
        int64_t sequences
        int64_t covered_sequences
        int64_t bases
        int64_t aligned
        int64_t repeated
        int64_t in_gaps
        int64_t outside
        int64_t breakpoints
        int64_t similar
    ctypedef struct rhomb_comparison_gaps:
        int64_t count
        int64_t bases
    ctypedef struct rhomb_comparison_sum:
        int64_t records
        int64_t target_bases
        int64_t query_bases
        int64_t matches
        int64_t mismatches
        int64_t columns
        int64_t gaps
        double identity
        double gap_compressed
        int64_t snps
        int64_t transitions
        int64_t transversions
        rhomb_comparison_gaps insertions
        rhomb_comparison_gaps deletions
    ctypedef struct rhomb_comparison_runs:
        int64_t count
        int64_t target_bases
        int64_t query_bases
    ctypedef struct rhomb_comparison_report:
        const rhomb_comparison_side *target
        const rhomb_comparison_side *query
        const rhomb_comparison_sum *one_to_one
        const rhomb_comparison_sum *all
        const rhomb_comparison_sum *similar
        const rhomb_comparison_runs *inversions
        const rhomb_comparison_runs *relocations
        const rhomb_comparison_runs *translocations
        int64_t records
        int64_t unaligned
        double least_identity
    ctypedef struct rhomb_comparison
    ctypedef struct rhomb_compare_options:
        rhomb_alphabet alphabet
        double least_identity
    rhomb_status rhomb_compare(rhomb_paf *paf, const rhomb_sequence_set *targets,
                               const rhomb_sequence_set *queries,
                               const rhomb_compare_options *options, rhomb_comparison **out)
    const rhomb_comparison_report *rhomb_comparison_get_report(const rhomb_comparison *comparison)
    void rhomb_comparison_destroy(rhomb_comparison *comparison)

# The _INIT macros of the structures that callers fill, as functions.
cdef extern from *:
    """
    #include <rhomb/comparison.h>
    #include <rhomb/local.h>
    #include <rhomb/matrix.h>
    static rhomb_context_options context_options_init(void)
    {
        rhomb_context_options options = RHOMB_CONTEXT_OPTIONS_INIT;
        return options;
    }
    static rhomb_options options_init(void)
    {
        rhomb_options options = RHOMB_OPTIONS_INIT;
        return options;
    }
    static rhomb_batch_options batch_options_init(void)
    {
        rhomb_batch_options options = RHOMB_BATCH_OPTIONS_INIT;
        return options;
    }
    static rhomb_mode_options mode_options_init(void)
    {
        rhomb_mode_options options = RHOMB_MODE_OPTIONS_INIT;
        return options;
    }
    static rhomb_matrix_options matrix_options_init(void)
    {
        rhomb_matrix_options options = RHOMB_MATRIX_OPTIONS_INIT;
        return options;
    }
    static rhomb_compare_options compare_options_init(void)
    {
        rhomb_compare_options options = RHOMB_COMPARE_OPTIONS_INIT;
        return options;
    }
    """
    rhomb_context_options context_options_init() nogil
    rhomb_options options_init() nogil
    rhomb_batch_options batch_options_init() nogil
    rhomb_mode_options mode_options_init() nogil
    rhomb_matrix_options matrix_options_init() nogil
    rhomb_compare_options compare_options_init() nogil
