/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are errors at all ranks of a communicator, or at none. */
#ifndef WEFT_COLL_AGREE_H
#define WEFT_COLL_AGREE_H

#include "comm/comm.h"

/*
 * The own status, if that is an error, else the worst of the others, with a
 * sentence that names the call; the own one is the last again, whatever the
 * agreement has failed with.  With the job entered.  It waits for all, also on
 * a communicator that was freed and is held.
 */
int wf_agree(struct weft_comm *comm, const char *call, int status);

#endif
