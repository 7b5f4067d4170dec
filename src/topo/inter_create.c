/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two groups become one communicator: their leaders tell each other who is in
 * them, and the one of the lower rank in the world which context ids; each
 * tells its local group.  Messages: one each way between leaders, then in each
 * group an allreduce of statuses, and two or more broadcasts, the first one of
 * what is of one size.
 */
#include <stdlib.h>
#include <string.h>
#include "base/handle.h"
#include "base/zeroed.h"
#include "coll/agree.h"
#include "coll/transfer.h"
#include "derive/child.h"
#include "p2p/p2p_calls.h"
#include "topo/inter.h"

/* Of a group, by its leader; of the other one, by the own leader. */
struct news {
	int64_t status;			/* of the leader; the rest is then 0 */
	int64_t n;			/* ranks, */
	uint64_t low, end;		/* ids; none: the other one has them; */
	int rank[];			/* in the world */
};

enum { CHUNK = 1024 };			/* ranks in one broadcast */

/* ---- between leaders ---- */

static int check_bridge(const struct wf_child *child,
			const struct weft_bridge *bridge)
{
	struct weft_job *job = child->parent->job;
	struct weft_comm *peers = bridge->peers;

	if (!peers)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COMM, WEFT_ERR_ARG,
				       "%s: bridge->peers is NULL",
				       child->call);
	if (peers->job != job || peers->freed)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COMM, WEFT_ERR_ARG,
				       "%s: bridge->peers %s", child->call,
				       peers->freed ? "was freed" :
						      "is of another job");
	if (bridge->remote_leader < 0 ||
	    bridge->remote_leader >= wf_remote_size(peers))
		return wf_job_fail_for(job, WEFT_ARGUMENT_RANK, WEFT_ERR_RANGE,
				       "%s: bridge->remote_leader is %d, and "
				       "ranks are 0 to %d", child->call,
				       bridge->remote_leader,
				       wf_remote_size(peers) - 1);
	if (bridge->tag < 0)
		return wf_job_fail_for(job, WEFT_ARGUMENT_TAG, WEFT_ERR_RANGE,
				       "%s: bridge->tag is %d, and tags are 0 "
				       "or more", child->call, bridge->tag);
	return WEFT_OK;
}

/* Rank in the world of the other leader. */
static int other_leader(const struct weft_bridge *bridge)
{
	int first = wf_remote_first(bridge->peers);

	return wf_comm_world_rank(bridge->peers, first + bridge->remote_leader);
}

static size_t bytes_of(int64_t n)
{
	return sizeof(struct news) + (size_t)n * sizeof(int);
}

/* What a leader sends, or gets; NULL: no memory, told. */
static struct news *news_of(const struct wf_child *child, int n)
{
	struct news *news = wf_zeroed(1, bytes_of(n));

	if (!news)
		wf_child_starves(child);
	return news;
}

/* Which ranks, and which ids if this leader gives them. */
static int write_news(struct wf_child *child, const struct weft_bridge *bridge,
		      struct news *mine)
{
	struct weft_comm *comm = child->parent;
	struct weft_job *job = comm->job;
	int other = other_leader(bridge);

	if (other == job->rank)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: this rank leads "
				   "both groups, which have it in common then",
				   child->call);
	for (int r = 0; r < comm->size; r++)
		mine->rank[r] = wf_comm_world_rank(comm, r);
	mine->n = comm->size;
	if (job->rank > other)
		return WEFT_OK;
	if (wf_cid_mint(&wf_contexts(job)->ids, &mine->low, &mine->end))
		return wf_job_fail(job, WEFT_ERR_NOMEM, "%s: this rank has no "
				   "context ids left", child->call);
	child->block = (struct wf_cid_block){ mine->low, mine->end };
	return WEFT_OK;
}

/* Of a group with at most as many ranks as the world. */
static int trade(const struct wf_child *child,
		 const struct weft_bridge *bridge, const struct news *mine,
		 struct news *theirs, int most)
{
	const struct weft_outgoing send = {
		mine, bytes_of(mine->n), &weft_type_byte,
		weft_to(bridge->remote_leader, bridge->tag)
	};
	const struct weft_incoming recv = {
		theirs, bytes_of(most), &weft_type_byte,
		weft_from(bridge->remote_leader, bridge->tag)
	};

	return wf_sendrecv_inside(bridge->peers, child->call, &send, &recv);
}

/* Also where this leader has failed: the other one hears of it. */
static int meet(struct wf_child *child, const struct weft_bridge *bridge,
		struct news *mine, struct news *theirs)
{
	struct news failed = { .n = 0 }, heard = { .n = 0 };
	struct weft_job *job = child->parent->job;
	int status = mine && theirs ? write_news(child, bridge, mine) :
				      WEFT_ERR_NOMEM;
	int met;

	failed.status = status;
	if (status)
		met = trade(child, bridge, &failed, theirs ? theirs : &heard,
			    theirs ? job->size : 0);
	else
		met = trade(child, bridge, mine, theirs, job->size);
	if (!status)
		status = met;
	if (!status && theirs->status)
		status = wf_job_fail(job, (int)theirs->status, "%s: the other "
				     "leader failed with %s", child->call,
				     weft_status_name((int)theirs->status));
	if (!status && mine->low == mine->end)
		child->block = (struct wf_cid_block){
			theirs->low, theirs->end
		};
	return status;
}

/* What the other leader has sent; NULL: that is an error. */
static int lead(struct wf_child *child, const struct weft_bridge *bridge,
		struct news **theirs_p)
{
	int status = check_bridge(child, bridge);
	struct news *mine, *theirs;

	if (status)
		return status;
	mine = news_of(child, child->parent->size);
	theirs = news_of(child, child->parent->job->size);
	wf_comm_hold(bridge->peers);
	status = meet(child, bridge, mine, theirs);
	wf_comm_drop(bridge->peers);
	free(mine);
	if (status)
		free(theirs);
	else
		*theirs_p = theirs;
	return status;
}

/* ---- within a group ---- */

/* Takes part to the end also without memory, NULL, or after an error. */
static int tell_ranks(struct wf_child *child, int leader,
		      const struct news *news, int *ranks, int n)
{
	int chunk[CHUNK] = { 0 }, status = ranks ? WEFT_OK : WEFT_ERR_NOMEM;

	for (int at = 0; at < n; at += CHUNK) {
		int some = n - at < CHUNK ? n - at : CHUNK;
		int *into = ranks ? ranks + at : chunk;
		const int *data = news ? news->rank + at : into;
		int told = wf_bcast_held(child->parent, child->call,
					 weft_part(data, (size_t)some,
						   &weft_type_int32), leader);

		if (!status)
			status = told;
	}
	return status;
}

/* The ranks of the remote group, to be freed, and the ids. */
static int tell(struct wf_child *child, int leader, const struct news *news,
		int **ranks_p, int *n_p)
{
	struct weft_comm *comm = child->parent;
	struct news head = { .n = 0 };
	int status;

	if (news)
		head = (struct news){ 0, news->n, child->block.low,
				      child->block.end };
	status = wf_bcast_held(comm, child->call,
			       weft_part(&head, sizeof(head), &weft_type_byte),
			       leader);
	if (status)
		return status;
	child->block = (struct wf_cid_block){ head.low, head.end };
	*n_p = (int)head.n;
	*ranks_p = malloc((size_t)head.n * sizeof(**ranks_p));
	if (!*ranks_p)
		wf_child_starves(child);
	else if (news)
		memcpy(*ranks_p, news->rank, (size_t)head.n *
		       sizeof(**ranks_p));
	return tell_ranks(child, leader, news, *ranks_p, *n_p);
}

static int check_apart(const struct wf_child *child, const int *ranks, int n)
{
	for (int r = 0; r < n; r++)
		if (wf_group_find(child->parent->group, ranks[r]) >= 0)
			return wf_job_fail(child->parent->job, WEFT_ERR_ARG,
					   "%s: rank %d of the world is in "
					   "both groups", child->call,
					   ranks[r]);
	return WEFT_OK;
}

/* Takes the ranks of the remote group. */
static int make(struct wf_child *child, int *ranks, int n)
{
	struct weft_comm *comm = child->parent;
	struct weft_group *remote;
	int status = check_apart(child, ranks, n);

	if (status) {
		free(ranks);
		return status;
	}
	if (wf_group_make(comm->job, ranks, n, &remote))
		return wf_child_starves(child);
	return wf_inter_make(child, wf_group_hold(comm->group), remote);
}

static int check(const struct wf_child *child,
		 const struct weft_bridge *bridge)
{
	struct weft_comm *comm = child->parent;

	if (!bridge)
		return wf_job_fail_null(comm->job, child->call, "bridge");
	if (bridge->leader < 0 || bridge->leader >= comm->size)
		return wf_job_fail_for(comm->job, WEFT_ARGUMENT_RANK,
				       WEFT_ERR_RANGE, "%s: bridge->leader is "
				       "%d, and ranks are 0 to %d", child->call,
				       bridge->leader, comm->size - 1);
	return WEFT_OK;
}

static int create(struct wf_child *child, const struct weft_bridge *bridge,
		  int failed)
{
	struct weft_comm *comm = child->parent;
	int status = failed ? failed : check(child, bridge);
	bool leads = !status && comm->rank == bridge->leader;
	struct news *news = NULL;
	int *ranks = NULL, n = 0;

	if (leads)
		status = lead(child, bridge, &news);
	status = wf_agree(comm, child->call, status);
	if (!status)
		status = tell(child, bridge->leader, news, &ranks, &n);
	free(news);
	if (!status)
		return make(child, ranks, n);
	free(ranks);
	return status;
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
