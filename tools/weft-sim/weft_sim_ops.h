/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-sim validate times on two ranks, alike on real and on simulated
 * ones.
 */
#ifndef WEFT_SIM_OPS_H
#define WEFT_SIM_OPS_H

#include <stddef.h>

#include "tools/weft-sim/weft_sim_pair.h"

struct wsim_op {
	const char *name;
	size_t bytes;
};

enum { WSIM_OPS = 8 };

extern const struct wsim_op wsim_ops[WSIM_OPS];

/* The microseconds of each, of the fastest sample. Both ranks call. */
void wsim_ops_time(const struct wsim_place *place, double us[WSIM_OPS]);

/* The same of one exchange of a rank with itself. */
double wsim_ops_alone(const struct wsim_place *place, size_t bytes);

#endif
