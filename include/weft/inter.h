/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intercommunicators: two groups without a common rank, the local one and the
 * remote one, whose ranks send to those of the other group.
 *
 * weft_comm_rank(), weft_comm_size() and weft_comm_group() tell of the local
 * group.  Messages (weft/p2p.h) go to ranks of the remote group, and come from
 * these.  Duplicates, weft_comm_split() and weft_comm_create() make
 * intercommunicators as well: of the ranks of a colour, or of the groups that
 * the ranks of each side pass.
 *
 * Collectives (weft/coll.h, weft/icoll.h) carry what one group gives to the
 * other one, in both directions at once, with the arguments that MPI defines:
 * counts and vectors of all ranks are those of the remote group, but of a
 * reduce-scatter, whose counts are those of the local one.  A call with a root
 * goes in one direction: the root passes WEFT_ROOT, others of its group
 * WEFT_PROC_NULL, and the remote group its rank.  Nothing is in place, and
 * there are no scans.  Each is an exchange along the edges that join the
 * groups, of one message for each two ranks of different groups; one that
 * combines keeps a vector of each rank of the remote group meanwhile.
 *
 * Graphs, Dists, regions, sparse exchanges, weft_comm_create_group(),
 * weft_comm_dup_private() and weft_comm_split_type() need an intracommunicator,
 * of one group: WEFT_ERR_ARG.  Exchanges of neighbours find no graph:
 * WEFT_ERR_GRAPH.
 */
#ifndef WEFT_INTER_H
#define WEFT_INTER_H

#include <stdbool.h>
#include <weft/group.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	WEFT_ROOT = -4			/* in the place of a root: this rank */
};

/* The leader of the local group, and how it reaches the remote one. */
struct weft_bridge {
	int leader;			/* rank in the local group */
	struct weft_comm *peers;	/* has both leaders; and these two are
					   looked at by the leader alone: */
	int remote_leader;		/* rank in peers */
	int tag;			/* of what leaders send, 0 or more */
};

/**
 * weft_intercomm_create - an intercommunicator of two groups
 *
 * comm            the local group; an intracommunicator
 * bridge          its leader, the same at all its ranks, who exchanges messages
 *                 with the leader of the remote group
 * inter_p [out]   communicator, to be freed by weft_comm_free()
 *
 * The leader of the lower rank in the world gives the context ids.
 *
 * Returns:  WEFT_OK; WEFT_ERR_ARG (also: the groups have a rank in common, seen
 *           by all); WEFT_ERR_RANGE (a leader is no rank); WEFT_ERR_PEER;
 *           WEFT_ERR_NOMEM.  What is wrong at one rank is an error at all of
 *           its group, in the same words; the remote group hears that its
 *           leader has no ids or no memory, and waits for a leader that is
 *           refused for its arguments.
 * Blocks:   until both leaders, and the local group, have called it.
 * Collective: over both groups.
 */
WEFT_API int weft_intercomm_create(struct weft_comm *comm,
				   const struct weft_bridge *bridge,
				   struct weft_comm **inter_p) WEFT_MUST_CHECK;

/**
 * weft_intercomm_create_from_groups - the same of two groups alone
 *
 * local, leader   the local group, which has this rank, and its leader's rank
 *                 there; the same at all its members
 * remote,         the remote group, and its leader's rank there; looked at by
 * remote_leader   the local leader alone
 * tag             a text, as of weft_comm_create_from_group(); the same at all
 *                 members of both groups
 * inter_p [out]   communicator, to be freed by weft_comm_free(); errors on it
 *                 return until it is told otherwise
 *
 * Returns:  as weft_intercomm_create() and weft_comm_create_from_group(); a
 *           leader without memory for a communicator of both leaders is waited
 *           for.  No handler of errors is called.
 * Blocks:   until both leaders, and the local group, have called it.
 * Collective: over both groups.
 */
WEFT_API int weft_intercomm_create_from_groups(const struct weft_group *local,
					       int leader,
					       const struct weft_group *remote,
					       int remote_leader,
					       const char *tag,
					       struct weft_comm **inter_p)
	WEFT_MUST_CHECK;

/**
 * weft_intercomm_merge - an intracommunicator of the ranks of both groups
 *
 * high            the same at all ranks of a group.  The ranks of the group
 *                 that passes false are the first ones; if both pass the same,
 *                 those of the group with the lowest rank in the world.
 * merged_p [out]  intracommunicator
 *
 * Returns:  as weft_comm_dup(); WEFT_ERR_ARG: also an intracommunicator.
 * Blocks:   until all ranks have called it.   Collective: yes.
 */
WEFT_API int weft_intercomm_merge(struct weft_comm *inter, bool high,
				  struct weft_comm **merged_p) WEFT_MUST_CHECK;

/**
 * weft_comm_is_inter - is it an intercommunicator?
 *
 * Returns:  whether it is; false for NULL.
 * Blocks:   no.   Collective: no.
 */
WEFT_API bool weft_comm_is_inter(const struct weft_comm *comm);

/**
 * weft_comm_remote_size - the number of ranks of the remote group
 *
 * Returns:  it; 0 where there is none.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_remote_size(const struct weft_comm *comm);

/**
 * weft_comm_remote_group - the remote group
 *
 * group_p [out]    a new handle, to be freed by weft_group_free()
 *
 * Returns:  WEFT_OK, WEFT_ERR_ARG (also: an intracommunicator),
 *           WEFT_ERR_NOMEM.
 * Blocks:   no.   Collective: no.
 */
WEFT_API int weft_comm_remote_group(struct weft_comm *comm,
				    struct weft_group **group_p)
	WEFT_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
