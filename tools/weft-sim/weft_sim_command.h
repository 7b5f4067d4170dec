/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of a run, from what was asked for.
 */
#ifndef WEFT_SIM_COMMAND_H
#define WEFT_SIM_COMMAND_H

#include "tools/weft-sim/weft_sim_options.h"

/*
 * Of the first number of ranks and of bytes, and the first seed; everything
 * that a run follows from is there, as the shell wants it.
 */
void wsim_command_print(const struct wsim_options *options);

#endif
