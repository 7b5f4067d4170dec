/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives that a rank has missed, as it had no memory for their channels:
 * they are refused by progress as soon as there is some, whatever the rank does
 * meanwhile, so that those that wait for it hear of them.
 */
#ifndef WEFT_COLL_MAKE_UP_H
#define WEFT_COLL_MAKE_UP_H

#include "comm/comm.h"

/* Something was missed; until nothing is. */
void wf_make_up_begin(struct weft_job *job);

#endif
