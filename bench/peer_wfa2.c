/* SPDX-License-Identifier: MIT */
/*
 * peer_wfa2 low|ultralow A.fa B.fa: the edit distance of two plain FASTA files by WFA2-lib, score
 * only and without its heuristics, which are on by default. For compare.sh.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Its headers need some of the above and do not include them. */
#include <wavefront/wavefront_align.h>

/* All bases of a file, lines that begin with '>' left out; NULL when it cannot be read. */
static char *read_bases(const char *path, size_t *length)
{
    char *bases = NULL;
    long size = -1;
    FILE *file = fopen(path, "rb");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0)
        bases = malloc((size_t)size + 1);
    if (bases != NULL) {
        rewind(file);
        const size_t got = fread(bases, 1, (size_t)size, file);
        bool name = false;
        *length = 0;
        for (size_t i = 0; i < got; i++) {
            const bool line_begins = i == 0 || bases[i - 1] == '\n';
            if (line_begins)
                name = bases[i] == '>';
            if (!name && bases[i] != '\n')
                bases[(*length)++] = bases[i];
        }
    }
    if (file != NULL)
        fclose(file);
    return bases;
}

int main(int argc, char **argv)
{
    char *bases[2] = {NULL, NULL};
    size_t lengths[2] = {0, 0};
    if (argc != 4 || (strcmp(argv[1], "low") != 0 && strcmp(argv[1], "ultralow") != 0)) {
        fputs("Usage: peer_wfa2 low|ultralow A.fa B.fa\n", stderr);
        return 2;
    }
    for (int i = 0; i < 2; i++) {
        bases[i] = read_bases(argv[2 + i], &lengths[i]);
        if (bases[i] == NULL) {
            fprintf(stderr, "peer_wfa2: cannot read %s\n", argv[2 + i]);
            free(bases[0]);
            return 1;
        }
    }
    wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
    attributes.distance_metric = edit;
    attributes.alignment_scope = compute_score;
    attributes.memory_mode =
        strcmp(argv[1], "low") == 0 ? wavefront_memory_low : wavefront_memory_ultralow;
    attributes.heuristic.strategy = wf_heuristic_none;
    wavefront_aligner_t *aligner = wavefront_aligner_new(&attributes);
    wavefront_align(aligner, bases[0], (int)lengths[0], bases[1], (int)lengths[1]);
    /* The score of an edit distance is the number of edits, without a sign in some versions. */
    printf("%d\n", abs(aligner->cigar->score));
    wavefront_aligner_delete(aligner);
    free(bases[0]);
    free(bases[1]);
    return 0;
}
