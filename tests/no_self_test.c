/* SPDX-License-Identifier: MIT */
/*
 * What CMakeLists.txt puts in place of the known-answer tests of engines, splits, paths and sweeps
 * in the program that test_oclgrind.sh runs: an interpreter takes a minute or two for each, and
 * looks at every access of the pairs that follow anyway.
 */
#include "host/engines/engine.h"
#include "host/local/long_local.h"
#include "host/splits/ranges_kind.h"
#include "host/splits/split_known.h"

rhomb_status __wrap_rhomb__self_test_engine(rhomb_context *ctx, const rhomb__engine *engine,
                                            rhomb__program *program, rhomb__program *pack,
                                            const rhomb__plan *plan);
rhomb_status __wrap_rhomb__ranges_self_test(const rhomb__ranges *ranges, rhomb__program *program);
rhomb_status __wrap_rhomb__split_self_test(rhomb_context *ctx, rhomb__program *program,
                                           int32_t planes, int32_t offset_bits,
                                           rhomb__split_known_fn solve, const void *user);
rhomb_status __wrap_rhomb__long_self_test(rhomb_context *ctx, const rhomb__task *task,
                                          const rhomb_mode_options *mode, rhomb__program *program);

rhomb_status __wrap_rhomb__self_test_engine(rhomb_context *ctx, const rhomb__engine *engine,
                                            rhomb__program *program, rhomb__program *pack,
                                            const rhomb__plan *plan)
{
    (void)ctx, (void)engine, (void)program, (void)pack, (void)plan;
    return RHOMB_OK;
}

rhomb_status __wrap_rhomb__ranges_self_test(const rhomb__ranges *ranges, rhomb__program *program)
{
    (void)ranges, (void)program;
    return RHOMB_OK;
}

rhomb_status __wrap_rhomb__split_self_test(rhomb_context *ctx, rhomb__program *program,
                                           int32_t planes, int32_t offset_bits,
                                           rhomb__split_known_fn solve, const void *user)
{
    (void)ctx, (void)program, (void)planes, (void)offset_bits, (void)solve, (void)user;
    return RHOMB_OK;
}

rhomb_status __wrap_rhomb__long_self_test(rhomb_context *ctx, const rhomb__task *task,
                                          const rhomb_mode_options *mode, rhomb__program *program)
{
    (void)ctx, (void)task, (void)mode, (void)program;
    return RHOMB_OK;
}
