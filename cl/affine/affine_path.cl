/* SPDX-License-Identifier: MIT */
/*
 * Paths of many small subproblems with gap-affine costs, which may begin and end within gaps (see
 * rhomb_subproblem): a subproblem for each work-group, by wavefronts (affine_path_waves.clh), or by
 * the whole matrix where that is less (affine_path_matrix.clh). The host says which, from lengths
 * and costs alone, so that a path is the same on every device.
 *
 * Both keep a trace, a byte for each cell: in its lowest three bits what the best path came by, a
 * RHOMB_GAP_*, or NONE from the cell's diagonal; and for each gap, whether it was extended there.
 *
 * A group of one, as for CPUs, has no barriers, and compilers make vectors of the loops that
 * compare numbers. 2 to 5 ns a cell of a wavefront on a core, nearly all of it to follow matches.
 */
#include "affine/affine_path_find.clh"

static inline path_problem place(__global const uint *queries, __global const uint *targets,
                                 const rhomb_affine_path *job, const rhomb_split_whole *whole,
                                 __global int *memory)
{
    const rhomb_i64 words = -(rhomb_i64)RHOMB_WORD_SYMBOLS;
    path_problem p;
    p.tables.query = run_table_of(queries, 2, whole->query_backward, whole->query_length, 0,
                                  (job->query_at & words) - RHOMB_PAD_SYMBOLS);
    p.tables.target = run_table_of(targets, 2, whole->target_backward, whole->target_length, 0,
                                   (job->target_at & words) - RHOMB_PAD_SYMBOLS);
    p.query = queries + (job->query_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_UNIT;
    p.target = targets + (job->target_at >> RHOMB_WORD_SYMBOLS_LOG2) * RHOMB_UNIT;
    p.query_shift = (int)(job->query_at & (RHOMB_WORD_SYMBOLS - 1));
    p.target_shift = (int)(job->target_at & (RHOMB_WORD_SYMBOLS - 1));
    p.m = job->query_length;
    p.n = job->target_length;
    p.cost = job->cost;
    p.begin_gap = job->begin_gap;
    p.end_gap = job->end_gap;
    p.end_opening = opening_of(job->end_gap);
    p.first_diagonal = job->first_diagonal;
    p.diagonals = job->diagonals;
    p.ring = p.rows = memory;
    p.trace = (__global uchar *)(memory + job->row_cells);
    return p;
}

/*
 * Finds the paths of the subproblems jobs[0 .. count - 1], which groups take one after the other by
 * *taken, 0 at first. `memory` has `group_cells` for each group: rows, and the trace after them. An
 * answer's `distance` is the least cost, by wavefronts if it is not above the one that the job
 * names, and its path is in the job's room for operations if it is that one.
 */
__kernel __attribute__((reqd_work_group_size(RHOMB_GROUP_SIZE, 1, 1))) void rhomb_affine_path_solve(
    __global const uint *restrict queries, __global const uint *restrict targets,
    __global const rhomb_affine_path *restrict jobs, __global rhomb_batch_answer *restrict answers,
    __global uint *restrict operations, __global int *memory, __global uint *restrict taken,
    const rhomb_split_whole whole, const rhomb_u32 count, const rhomb_i64 group_cells)
{
    __local uint shared;
    const int lane = (int)get_local_id(0);
    for (;;) {
        /* The next subproblem's rows are where those of the last one were read. */
        PATH_SYNC(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (lane == 0)
            shared = atomic_inc(taken);
        PATH_SYNC(CLK_LOCAL_MEM_FENCE);
        const uint index = shared;
        if (index >= count)
            return;
        const rhomb_affine_path job = jobs[index];
        const path_problem p = place(queries, targets, &job, &whole,
                                     memory + (rhomb_i64)get_group_id(0) * group_cells);
        const int way = job.by_matrix ? FIND_BY_MATRIX : FIND_BY_WAVES;
        find_clear(&p, way, lane);
        PATH_SYNC(PATH_FENCE);
        const path_end end = find_end(&p, way, lane);
        if (lane != 0)
            continue;
        rhomb_batch_answer answer = {end.cost, job.operations_at, 0, 0};
        if (end.cost == job.cost) {
            __global uint *room = operations + job.operations_at, *begin = room;
            __global const uint *after = room + job.operations;
            if (job.by_matrix)
                begin = write_by_matrix(&p, end.gap, room + job.operations);
            else
                after = write_by_waves(&p, end, room, job.operations);
            answer.cigar_at = (uint)(begin - operations);
            answer.cigar_count = (uint)(after - begin);
        }
        answers[index] = answer;
    }
}
