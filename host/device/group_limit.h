/* SPDX-License-Identifier: MIT */
/*
 * How many work-items of a group a kernel allows. That may be fewer than the device does: a kernel
 * that takes many registers, or much local memory, has smaller groups on some devices. Every
 * kernel of every program is asked once, when the program was made.
 *
 * Groups are chosen before their programs exist, by info.max_group_size of the open device. So a
 * program with a kernel that allows fewer is not made, and the size that the kernel allows, rounded
 * down to a power of two, becomes the open device's info.max_group_size. Whoever has chosen the
 * size chooses again, by what is known by then:
 *
 *     do
 *         status = choose and build
 *     while (status != RHOMB_OK && rhomb__group_limit_lowered(ctx, given));
 *
 * The limit holds for all kernels of the device, as long as it is open: what one kernel cannot do,
 * others often cannot either, and smaller groups only cost time.
 */
#ifndef RHOMB_HOST_GROUP_LIMIT_H
#define RHOMB_HOST_GROUP_LIMIT_H

#include "host/device/context.h"

/*
 * Asks the kernels of a program of the open device, made from `file`. RHOMB_ERR_BUILD, with the
 * kernel's name, the size and the limit, if a kernel allows fewer work-items than it requires or
 * takes more local memory than the device has.
 */
rhomb_status rhomb__group_limit_check(rhomb_context *ctx, const char *file, cl_program program);

/*
 * After a failure: whether it was that a group is too large, and smaller ones are to be tried. Then
 * the error is cleared and logged (level 1), and info.max_group_size is less than before. `given`:
 * the caller of the library wants this size and no other; then the limit is as before, the error
 * stays, and the answer is false.
 */
bool rhomb__group_limit_lowered(rhomb_context *ctx, bool given);

/*
 * The most work-items, up to `most`, in a group of a kernel that takes groups of any size.
 */
rhomb_status rhomb__group_limit_of(rhomb__device_stream *stream, cl_kernel kernel, int64_t most,
                                   int64_t *items);

/*
 * Makes the groups of such a kernel as small as it asks for, a power of two, which is logged (level
 * 1). RHOMB_ERR_BUILD if the caller of the library gave their size.
 */
rhomb_status rhomb__group_limit_fit(rhomb_context *ctx, const char *file, cl_kernel kernel,
                                    bool given, int32_t *group_size);

#endif
