/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two groups become one communicator: their leaders tell each other who is in
 * them, and the one of the lower rank in the world which context ids; each
 * tells its own group.  Messages: two each way between leaders, and two or more
 * broadcasts, the first one of what is of one size.
 */
#include <stdlib.h>
#include "base/handle.h"
#include "coll/transfer.h"
#include "derive/child.h"
#include "p2p/p2p_calls.h"
#include "topo/inter.h"

/* Of a group, by its leader; of the other one, by the own leader. */
struct news {
	int64_t status;			/* of the leader; the rest is then 0 */
	int64_t n;			/* ranks */
	uint64_t low, end;		/* ids; none where the other has them */
};

enum { CHUNK = 1024 };			/* ranks in one broadcast */

/* ---- between leaders ---- */

static int check_bridge(const struct wf_child *child,
			const struct weft_bridge *bridge)
{
	struct weft_job *job = child->parent->job;
	struct weft_comm *peers = bridge->peers;

	if (!peers)
		return wf_job_fail_null(job, child->call, "bridge->peers");
	if (peers->job != job || peers->freed)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COMM, WEFT_ERR_ARG,
				       "%s: bridge->peers %s", child->call,
				       peers->freed ? "was freed" :
						      "is of another job");
	if (bridge->other < 0 || bridge->other >= peers->far_size)
		return wf_job_fail_for(job, WEFT_ARGUMENT_RANK, WEFT_ERR_RANGE,
				       "%s: bridge->other is %d, and ranks are "
				       "0 to %d", child->call, bridge->other,
				       peers->far_size - 1);
	if (bridge->tag < 0)
		return wf_job_fail_for(job, WEFT_ARGUMENT_TAG, WEFT_ERR_RANGE,
				       "%s: bridge->tag is %d, and tags are 0 "
				       "or more", child->call, bridge->tag);
	return WEFT_OK;
}

/* Rank in the world of the other leader. */
static int other_leader(const struct weft_bridge *bridge)
{
	return wf_comm_world_rank(bridge->peers, bridge->peers->far_first +
				  bridge->other);
}

static int trade(const struct wf_child *child,
		 const struct weft_bridge *bridge, const void *mine,
		 size_t bytes, void *theirs, size_t their_bytes)
{
	const struct weft_outgoing send = {
		mine, bytes, &weft_type_byte, weft_to(bridge->other,
						      bridge->tag)
	};
	const struct weft_incoming recv = {
		theirs, their_bytes, &weft_type_byte,
		weft_from(bridge->other, bridge->tag)
	};

	return wf_sendrecv_inside(bridge->peers, child->call, &send, &recv);
}

static int find_ids(const struct wf_child *child,
		    const struct weft_bridge *bridge, struct news *mine)
{
	struct weft_job *job = child->parent->job;
	int other = other_leader(bridge);

	if (other == job->rank)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: this rank leads "
				   "both groups, which have it in common then",
				   child->call);
	if (job->rank > other ||
	    !wf_cid_mint(&wf_contexts(job)->ids, &mine->low, &mine->end))
		return WEFT_OK;
	return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: this rank has no context "
			   "ids left", child->call);
}

/* Ranks in the world, in the order of the group; NULL: no memory, told. */
static int *table_of(const struct wf_child *child,
		     const struct weft_group *group, size_t n)
{
	int *table = malloc(n * sizeof(*table));

	if (!table)
		wf_child_starves(child);
	for (size_t r = 0; table && group && r < n; r++)
		table[r] = wf_group_world_rank(group, (int)r);
	return table;
}

static int trade_tables(const struct wf_child *child,
			const struct weft_bridge *bridge,
			const int *mine, struct news *theirs, int **table_p)
{
	size_t n = (size_t)theirs->n;

	*table_p = table_of(child, NULL, n);
	if (!*table_p)
		return WEFT_ERR_NOMEM;
	return trade(child, bridge, mine,
		     (size_t)child->parent->size * sizeof(*mine), *table_p,
		     n * sizeof(**table_p));
}

static int refuse_other(const struct wf_child *child, int status)
{
	return wf_job_fail(child->parent->job, status, "%s: the other leader "
			   "failed with %s", child->call,
			   weft_status_name(status));
}

/* Both hear of a failure of one of them before either goes on. */
static int meet(struct wf_child *child, const struct weft_bridge *bridge,
		struct news *theirs, int **table_p)
{
	struct weft_comm *comm = child->parent;
	struct news mine = { .n = comm->size };
	int *table = table_of(child, comm->group, (size_t)comm->size);
	int status = table ? find_ids(child, bridge, &mine) : WEFT_ERR_NOMEM;
	int met;

	mine.status = status;
	met = trade(child, bridge, &mine, sizeof(mine), theirs,
		    sizeof(*theirs));
	if (!status)
		status = met;
	if (!status && theirs->status)
		status = refuse_other(child, (int)theirs->status);
	if (!status)
		status = trade_tables(child, bridge, table, theirs, table_p);
	if (!status && mine.low < mine.end) {
		theirs->low = mine.low;
		theirs->end = mine.end;
	}
	free(table);
	return status;
}

static int lead(struct wf_child *child, const struct weft_bridge *bridge,
		struct news *theirs, int **table_p)
{
	int status = check_bridge(child, bridge);

	if (status)
		return status;
	wf_comm_hold(bridge->peers);
	status = meet(child, bridge, theirs, table_p);
	wf_comm_drop(bridge->peers);
	return status;
}

/* ---- within a group ---- */

static int tell(struct wf_child *child, int leader, struct news *theirs)
{
	struct weft_comm *comm = child->parent;
	int status = wf_bcast_held(comm, child->call,
				   weft_part(theirs, sizeof(*theirs),
					     &weft_type_byte), leader);

	if (status || !theirs->status || comm->rank == leader)
		return status ? status : (int)theirs->status;
	return wf_job_fail(comm->job, (int)theirs->status, "%s: the leader, "
			   "rank %d, failed with %s", child->call, leader,
			   weft_status_name((int)theirs->status));
}

/* Takes part also without memory for the table: NULL. */
static int tell_table(struct wf_child *child, int leader, int *table, int n)
{
	int chunk[CHUNK], status = WEFT_OK;

	for (int at = 0; !status && at < n; at += CHUNK) {
		int some = n - at < CHUNK ? n - at : CHUNK;
		int *into = table ? table + at : chunk;

		status = wf_bcast_held(child->parent, child->call,
				       weft_part(into, (size_t)some,
						 &weft_type_int32), leader);
	}
	return status || table ? status : WEFT_ERR_NOMEM;
}

static int check_apart(const struct wf_child *child, const int *table, int n)
{
	for (int r = 0; r < n; r++)
		if (wf_group_find(child->parent->group, table[r]) >= 0)
			return wf_job_fail(child->parent->job, WEFT_ERR_ARG,
					   "%s: rank %d of the world is in "
					   "both groups", child->call,
					   table[r]);
	return WEFT_OK;
}

/* Takes the table of the other group. */
static int make(struct wf_child *child, int *table, int n)
{
	struct weft_comm *comm = child->parent;
	struct weft_group *far;
	int status = check_apart(child, table, n);

	if (status) {
		free(table);
		return status;
	}
	if (wf_group_make(comm->job, table, n, &far))
		return wf_child_starves(child);
	return wf_inter_make(child, wf_group_hold(comm->group), far);
}

static int create(struct wf_child *child, const struct weft_bridge *bridge,
		  int failed)
{
	struct weft_comm *comm = child->parent;
	struct news theirs = { .status = WEFT_OK };
	bool leads = comm->rank == bridge->leader;
	int *table = NULL, status = failed;

	if (leads && !failed)
		status = lead(child, bridge, &theirs, &table);
	if (status)
		theirs = (struct news){ .status = status };
	status = tell(child, bridge->leader, &theirs);
	if (status) {
		free(table);
		return status;
	}
	child->block = (struct wf_cid_block){ theirs.low, theirs.end };
	if (!leads)
		table = table_of(child, NULL, (size_t)theirs.n);
	status = tell_table(child, bridge->leader, table, (int)theirs.n);
	if (!status)
		return make(child, table, (int)theirs.n);
	free(table);
	return status;
}

static int check(const struct wf_child *child,
		 const struct weft_bridge *bridge)
{
	struct weft_comm *comm = child->parent;

	if (!bridge)
		return wf_job_fail_null(comm->job, child->call, "bridge");
	if (bridge->leader < 0 || bridge->leader >= comm->size)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_ROOT,
				       WEFT_ERR_RANGE, "%s: bridge->leader is "
				       "%d, and ranks are 0 to %d", child->call,
				       bridge->leader, comm->size - 1);
	return WEFT_OK;
}

int wf_inter_create(struct weft_comm *comm, const struct wf_origin *origin,
		    const struct weft_bridge *bridge, int failed,
		    struct weft_comm **inter_p)
{
	struct wf_child child = {
		.parent = comm, .origin = *origin, .call = origin->call,
		.result = "inter_p"
	};
	int status;

	wf_no_handle(inter_p);
	status = wf_child_refuse_across(&child);
	if (!status)
		status = wf_child_enter(&child);
	if (status)
		return status;
	status = check(&child, bridge);
	if (!status)
		status = create(&child, bridge, failed);
	return wf_child_end(&child, status, inter_p);
}

int weft_intercomm_create(struct weft_comm *comm,
			  const struct weft_bridge *bridge,
			  struct weft_comm **inter_p)
{
	const struct wf_origin origin = { __func__, WF_CALLED_FROM };

	return wf_inter_create(comm, &origin, bridge, WEFT_OK, inter_p);
}
