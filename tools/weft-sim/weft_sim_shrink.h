/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-sim --shrink: from a command that fails to a smaller one.
 */
#ifndef WEFT_SIM_SHRINK_H
#define WEFT_SIM_SHRINK_H

#include "tools/weft-sim/weft_sim_options.h"

/* Prints the command; returns the exit code. */
int wsim_shrink(const struct wsim_options *options);

#endif
