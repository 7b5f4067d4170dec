/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How regions end: what this rank used is flushed and closed, what others use
 * is taken back, and memory is free when nobody can write it any more.
 */
#include <stdlib.h>
#include "coll/agree.h"
#include "rma/rma_link.h"
#include "rma/rma_signal.h"

struct parting {
	struct wf_rma_wait wait;
	bool kept;			/* somebody may still write */
};

void wf_region_dismantle(struct weft_region *region, bool kept)
{
	struct weft_job *job = wf_region_job(region);

	wf_rma_links_fini(region);
	wf_rma_signals_fini(region);
	wf_rma_sources_fini(region, kept);
	wf_rma_memory_fini(job, &region->memory, kept);
	free(region);
}

/* Takes it out and frees it; the communicator may go with it. */
static void end(struct weft_region *region, bool kept)
{
	struct wf_rma *rma = region->rma;
	uint64_t name = region->kind == WF_REGION_ATTACHED ?
			wf_region_name(region->id, region->owner) : region->id;

	wf_map_del(&rma->regions, name);
	wf_region_dismantle(region, kept);
	wf_comm_drop(rma->comm);
}

/* Of one that left without a word: does nothing of it come any more? */
static bool is_quiet(struct parting *p, struct wf_peer *peer)
{
	int status = wf_peer_fence(peer);

	if (status == WEFT_INPROGRESS && peer->state == WF_PEER_DEAD)
		return false;
	p->kept |= status != WEFT_OK;
	return true;
}

static bool has_let_go(struct parting *p, struct wf_rma_link *link)
{
	bool there = wf_peer_is_there(link->peer);

	/* A device writes the own part. */
	if (wf_rma_agent_serves(link))
		return false;
	if (there && (link->owes || link->closes))
		return false;
	if (!link->holds)
		return true;
	return !there && is_quiet(p, link->peer);
}

static bool all_let_go(struct wf_rma_wait *wait)
{
	struct parting *p = wf_container(wait, struct parting, wait);
	size_t cursor = 0;
	bool all = true;
	void *link;

	p->kept = false;
	while (wf_map_next(&wait->region->links, &cursor, NULL, &link))
		all &= has_let_go(p, link);
	return all;
}

/* The rank of the next link that has not let go. */
static int next_holder(struct wf_rma_wait *wait, int *cursor)
{
	struct parting ignored = { .kept = false };
	size_t at = (size_t)*cursor;
	void *link;

	while (wf_map_next(&wait->region->links, &at, NULL, &link)) {
		*cursor = (int)at;
		if (!has_let_go(&ignored, link))
			return ((struct wf_rma_link *)link)->peer->rank;
	}
	return -1;
}

/*
 * What this rank used, or asked for, it closes.  revoke: what others use of it
 * ends.
 */
static void let_go(struct weft_region *region, bool revoke)
{
	size_t cursor = 0;
	void *at;

	region->ending = true;
	while (wf_map_next(&region->links, &cursor, NULL, &at)) {
		struct wf_rma_link *link = at;

		if (link->granted || link->asking)
			wf_rma_owe(link, WF_RMA_CLOSED);
		link->granted = false;
		if (link->holds && revoke)
			wf_rma_owe(link, WF_RMA_REVOKE);
	}
}

/* What the call has failed with is still the last error behind it. */
void wf_region_part(struct weft_region *region, const char *call, int status,
		    bool revoke)
{
	struct weft_job *job = wf_region_job(region);
	struct wf_failure failure;
	struct parting p = {
		.wait = { .call = call, .region = region, .step = all_let_go,
			  .next_rank = next_holder,
			  .what = "the users" }
	};

	failure = *wf_failure(job);
	let_go(region, revoke);
	wf_rma_await(&p.wait);
	if (status)
		*wf_failure(job) = failure;
	if (p.kept)
		wf_info(&job->log, "%s: %zu bytes are kept until the job "
			"closes: writes of a peer that is gone cannot be "
			"stopped", call, region->memory.bytes);
	end(region, p.kept);
}

int weft_region_free(struct weft_region **region_p)
{
	static const char call[] = "weft_region_free";
	struct weft_region *region = region_p ? *region_p : NULL;
	struct weft_comm *comm;
	struct weft_job *job;
	int status;
	bool revoke = true;

	if (region_p && !region)
		return WEFT_OK;
	status = wf_region_enter(region, __func__);
	if (status)
		return status;
	job = wf_region_job(region);
	if (region->active) {
		status = wf_job_fail(job, WEFT_ERR_REQUEST, "%s: %u requests "
				     "on the region are active: wait for them "
				     "first", call, region->active);
		return wf_comm_leave(region->rma->comm, status);
	}
	comm = region->rma->comm;
	wf_comm_hold(comm);
	status = wf_rma_flush_all(region, call, WEFT_FLUSH_REMOTE);
	/*
	 * Others may still use the part of this rank.  Where they agree they
	 * close it by themselves; else one may live that has not come here.
	 */
	if (region->kind == WF_REGION_CREATED) {
		status = wf_agree(comm, call, status);
		revoke = status != WEFT_OK;
	}
	wf_region_part(region, call, status, revoke);
	*region_p = NULL;
	return wf_comm_leave_held(comm, status);
}
