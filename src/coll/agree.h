/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are errors at all ranks of a communicator, or at none. */
#ifndef WEFT_COLL_AGREE_H
#define WEFT_COLL_AGREE_H

#include "comm/comm.h"

/*
 * The own status, if that is an error, else the worst of the others, with a
 * sentence that names the call.  It waits for all, also on a communicator that
 * was freed and is held, and is called with the job not entered.
 */
int wf_agree(struct weft_comm *comm, const char *call, int status);

/* The same with the job entered. */
int wf_agree_within(struct weft_comm *comm, const char *call, int status);

#endif
