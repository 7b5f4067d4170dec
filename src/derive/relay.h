/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Context ids for a communicator that only its members make: the first of them
 * takes the ids from its own, and they go down a binomial tree of mails in the
 * context of the parent, one to each other member.
 *
 * A mail waits parked until its receiver calls, and is known by its sender, the
 * tag and a print of the group.  Who has failed sends a status in the place of
 * ids, so that nobody below waits for it; a member that dies ends the call
 * wherever it is heard of.
 */
#ifndef WEFT_DERIVE_RELAY_H
#define WEFT_DERIVE_RELAY_H

#include "comm/comm.h"

/*
 * The block of ids of the group, which has this rank.  By all its members, with
 * the job entered; errors are told: WEFT_ERR_NOMEM (also: its first rank has no
 * ids left), WEFT_ERR_PEER, WEFT_ERR_DEVICE, WEFT_ERR_ARG (a member passed
 * another group).  A block that came in spite of an error is the caller's, to
 * be passed over; else it is left alone.
 * Blocks: until the mail has come, and those to others have left.
 */
int wf_relay_block(struct weft_comm *parent,
		   const struct weft_group *group, int tag,
		   const char *call, struct wf_cid_block *block_p);

#endif
