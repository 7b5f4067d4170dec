/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One value for each content place of a side goes to the content of the other
 * one: what setters and queries exchange.
 */
#ifndef WEFT_DIST_CARRY_H
#define WEFT_DIST_CARRY_H

#include <weft/type.h>
#include "dist/dist.h"

struct wf_dist_cargo {
	const void *send;		/* for each content place there, */
	void *recv;			/* and here */
	const struct weft_type *type;
};

/*
 * By all ranks of the pattern, with the job entered.  status: an error of this
 * rank, told, which its neighbours hear; cargo is not looked at then.  Returns
 * that, or what the exchange has failed with, which was told.
 */
int wf_dist_carry(const struct weft_dist *dist, const char *call,
		  enum wf_dist_way way, int status,
		  const struct wf_dist_cargo *cargo);

#endif
