/* SPDX-License-Identifier: MIT */
/*
 * Scorings and substitution matrices as users name them. A context keeps the matrices that are not
 * built in until it is destroyed.
 */
#include "host/device/context.h"
#include "src/io/stream.h"
#include "src/scoring/costs.h"
#include "src/scoring/score_matrix.h"

#include <stdlib.h>
#include <string.h>

/* Far above any matrix: a genome that was named instead is not read to its end. */
#define MOST_MATRIX_BYTES (INT64_C(1) << 20)

/* A matrix that has been read before: calls that name a file read it each time. */
static const rhomb_score_matrix *find_same(const rhomb_context *ctx,
                                           const rhomb_score_matrix *matrix)
{
    for (const rhomb__kept_matrix *k = ctx->matrices; k != NULL; k = k->before) {
        if (strcmp(k->name, matrix->name) == 0 && k->matrix.alphabet == matrix->alphabet &&
            strcmp(k->matrix.symbols, matrix->symbols) == 0 &&
            memcmp(k->matrix.scores, matrix->scores, sizeof matrix->scores) == 0)
            return &k->matrix;
    }
    return NULL;
}

/* A text as a matrix of the context. */
static rhomb_status keep(rhomb_context *ctx, const char *name, const char *text, size_t length,
                         const rhomb_score_matrix **out)
{
    rhomb_status status = RHOMB_OK;
    const size_t bytes = sizeof(rhomb__kept_matrix) + strlen(name) + 1;
    rhomb__kept_matrix *kept = malloc(bytes);
    if (kept == NULL)
        return rhomb__fail_memory(&ctx->stream.error, bytes, "a matrix");
    memcpy(kept->name, name, strlen(name) + 1);
    RHOMB_TRY(rhomb__matrix_parse(&ctx->stream.error, kept->name, text, length, &kept->matrix));
    *out = find_same(ctx, &kept->matrix);
    if (*out != NULL)
        goto out;
    kept->before = ctx->matrices;
    ctx->matrices = kept;
    *out = &kept->matrix;
    kept = NULL;
out:
    free(kept);
    return status;
}

/* A rhomb__matrix_find_fn: a file. */
static rhomb_status read_file(void *user, const char *name, const rhomb_score_matrix **out)
{
    rhomb_context *ctx = user;
    rhomb_status status = RHOMB_OK;
    rhomb__stream stream = {0};
    rhomb__error no_file = {RHOMB_OK, NULL, ""};
    size_t length = 0;
    char known[256], *text = malloc(MOST_MATRIX_BYTES);
    if (text == NULL)
        return rhomb__fail_memory(&ctx->stream.error, MOST_MATRIX_BYTES, "a matrix");
    rhomb__matrix_names(known, sizeof known);
    if (rhomb__stream_open(&stream, &no_file, name) != RHOMB_OK) {
        status =
            rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "matrix '%s' is not %s, and %s",
                        name, known, rhomb__error_text(&no_file));
        goto out;
    }
    stream.error = &ctx->stream.error;
    RHOMB_TRY(rhomb__stream_read(&stream, text, MOST_MATRIX_BYTES, &length));
    RHOMB_TRY(keep(ctx, name, text, length, out));
out:
    rhomb__error_clear(&no_file);
    rhomb__stream_close(&stream);
    free(text);
    return status;
}

static rhomb_status begin(rhomb_context *ctx, const void *text, const void *out)
{
    if (ctx == NULL)
        return RHOMB_ERR_ARGUMENT;
    rhomb__error_clear(&ctx->stream.error);
    if (text == NULL || out == NULL)
        return rhomb__fail(&ctx->stream.error, RHOMB_ERR_ARGUMENT, "text and out must not be NULL");
    return RHOMB_OK;
}

rhomb_status rhomb_scoring_parse(rhomb_context *ctx, const char *text, rhomb_scoring *out)
{
    const rhomb_status status = begin(ctx, text, out);
    if (status != RHOMB_OK)
        return status;
    return rhomb__scoring_parse_with(&ctx->stream.error, text, read_file, ctx, out);
}

rhomb_status rhomb_score_matrix_read(rhomb_context *ctx, const char *name,
                                     const rhomb_score_matrix **out)
{
    if (out != NULL)
        *out = NULL;
    const rhomb_status status = begin(ctx, name, out);
    if (status != RHOMB_OK)
        return status;
    *out = rhomb__matrix_built_in(name);
    return *out != NULL ? RHOMB_OK : read_file(ctx, name, out);
}

rhomb_status rhomb_score_matrix_parse(rhomb_context *ctx, const char *name, const char *text,
                                      size_t length, const rhomb_score_matrix **out)
{
    if (out != NULL)
        *out = NULL;
    const rhomb_status status = begin(ctx, name == NULL ? NULL : text, out);
    if (status != RHOMB_OK)
        return status;
    return keep(ctx, name, text, length, out);
}
