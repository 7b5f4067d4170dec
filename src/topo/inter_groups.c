/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two groups in one communicator, where no communicator joins their leaders:
 * one of these two is made for the call, and one of the local group.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "base/hash.h"
#include "topo/inter.h"

/* What a call is given, but the local group. */
struct args {
	struct wf_origin origin;
	int leader;
	const struct weft_group *remote;
	int remote_leader;
	const char *tag;
};

/* The leaders, by their rank in the world. */
static int find_leaders(const struct weft_group *local, const struct args *a,
			int leaders[2])
{
	const char *call = a->origin.call;
	int mine, theirs;

	if (!a->remote)
		return wf_job_fail_for(local->job, WEFT_ARGUMENT_GROUP,
				       WEFT_ERR_ARG, "%s: remote is NULL",
				       call);
	if (a->remote->job && a->remote->job != local->job)
		return wf_job_fail_for(local->job, WEFT_ARGUMENT_GROUP,
				       WEFT_ERR_ARG, "%s: remote is of another "
				       "job", call);
	if (a->remote_leader < 0 || a->remote_leader >= a->remote->size)
		return wf_job_fail_for(local->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_RANGE, "%s: "
				       "remote_leader is %d, and ranks of the "
				       "remote group are 0 to %d",
				       call, a->remote_leader,
				       a->remote->size - 1);
	mine = wf_group_world_rank(local, a->leader);
	theirs = wf_group_world_rank(a->remote, a->remote_leader);
	if (mine == theirs)
		return wf_job_fail_for(local->job, WEFT_ARGUMENT_GROUP,
				       WEFT_ERR_ARG, "%s: one rank leads both "
				       "groups", call);
	leaders[mine > theirs] = mine;
	leaders[mine < theirs] = theirs;
	return WEFT_OK;
}

static int make_pair(struct weft_job *job, const char *call,
		     const int leaders[2], struct weft_group **pair_p)
{
	int *table = malloc(2 * sizeof(*table));
	int status;

	if (table)
		memcpy(table, leaders, 2 * sizeof(*table));
	status = wf_group_make(job, table, 2, pair_p);
	return status ? wf_job_fail(job, status, "%s: no memory for a group",
				    call) : WEFT_OK;
}

/* By the leader: a communicator of both; NULL where that fails. */
static int join_leaders(const struct weft_group *local, const struct args *a,
			struct weft_bridge *bridge)
{
	struct weft_group *pair = NULL;
	int leaders[2], freed, status = wf_job_ask(local->job);

	if (status)
		return status;
	status = find_leaders(local, a, leaders);
	if (!status)
		status = make_pair(local->job, a->origin.call, leaders, &pair);
	wf_job_leave(local->job);
	if (status)
		return status;
	status = weft_comm_create_from_group(pair, a->tag, &bridge->peers);
	bridge->remote_leader = pair->rank == 0;
	freed = weft_group_free(&pair);
	return status ? status : freed;
}

static int create(struct weft_comm *own, const struct weft_group *local,
		  const struct args *a, struct weft_comm **inter_p)
{
	struct weft_bridge bridge = { .leader = a->leader };
	int joined = WEFT_OK, status, freed;

	if (local->rank == a->leader)
		joined = join_leaders(local, a, &bridge);
	status = wf_inter_create(own, &a->origin, &bridge, joined, inter_p);
	freed = weft_comm_free(&bridge.peers);
	return status ? status : freed;
}

int weft_intercomm_create_from_groups(const struct weft_group *local,
				      int leader,
				      const struct weft_group *remote,
				      int remote_leader, const char *tag,
				      struct weft_comm **inter_p)
{
	const struct args args = {
		{ __func__, WF_CALLED_FROM }, leader, remote,
		remote_leader, tag
	};
	struct weft_comm *own = NULL;
	char text[40];
	int status, freed;

	wf_no_handle(inter_p);
	/* of a name that no call of the program on the group has */
	snprintf(text, sizeof(text), "intercommunicator %016llx",
		 tag ? (unsigned long long)wf_hash64(tag, strlen(tag), 0) : 0);
	status = weft_comm_create_from_group(local, tag ? text : NULL, &own);
	if (status)
		return status;
	status = create(own, local, &args, inter_p);
	freed = weft_comm_free(&own);
	return status ? status : freed;
}
