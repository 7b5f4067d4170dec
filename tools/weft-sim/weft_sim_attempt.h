/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run in a process of its own, so that --shrink survives whatever it ends
 * with, and gets its memory back.
 */
#ifndef WEFT_SIM_ATTEMPT_H
#define WEFT_SIM_ATTEMPT_H

#include <stdbool.h>

#include "tools/weft-sim/weft_sim_options.h"

struct wsim_outcome {
	bool fails;
	int ranks;		/* as many as the graph has, too */
	char text[512];		/* of the failure, */
	char kind[512];		/* without its numbers and times */
};

/*
 * Of the first number of ranks and of bytes, and the first seed. What takes
 * longer is ended, and does not fail. False: no process, and that was said.
 */
bool wsim_attempt(const struct wsim_options *options, unsigned int seconds,
		  struct wsim_outcome *outcome_p);

#endif
