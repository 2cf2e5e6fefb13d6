/* SPDX-License-Identifier: MIT */
/*
 * cl/wavefront/wavefront_diamond.cl as host code, for one set of parameters; see emulated.h.
 */
#include "opencl_c.h"

#include "cl/wavefront/wavefront_diamond.cl"

#include "emu_wavefront.h"

extern const emulated_wavefront EMULATED_NAME;
const emulated_wavefront EMULATED_NAME = EMULATED_WAVEFRONT(NULL);
