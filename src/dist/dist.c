/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of Dists come and go: see dist.h. */
#include "dist/dist.h"

#include <stdlib.h>
#include "base/handle.h"
#include "base/zeroed.h"

/* ---- what a handle holds ---- */

struct weft_dist *wf_dist_new(struct weft_comm *parent)
{
	struct weft_dist *dist = wf_zeroed(1, sizeof(*dist));

	if (!dist)
		return NULL;
	dist->refs = 1;
	dist->job = parent->job;
	dist->parent = parent;
	wf_comm_hold(parent);
	return dist;
}

void wf_dist_drop(struct weft_dist *dist)
{
	if (!dist || --dist->refs)
		return;
	wf_dist_kept_drop(dist);
	wf_dist_link_drop(dist->link);
	wf_dist_side_drop(dist->side[WF_FORWARD]);
	wf_dist_side_drop(dist->side[WF_REVERSE]);
	wf_comm_drop(dist->parent);
	free(dist);
}

void wf_dist_set_parent(struct weft_dist *dist, struct weft_comm *parent)
{
	wf_comm_hold(parent);
	wf_comm_drop(dist->parent);
	dist->parent = parent;
}

void wf_dist_replace(struct weft_dist *dist, enum wf_dist_way way,
		     struct wf_dist_side *side)
{
	wf_dist_kept_drop(dist);
	wf_dist_side_drop(dist->side[way]);
	dist->side[way] = side;
}

void wf_dist_adopt(struct weft_dist *dist, struct wf_dist_side *const side[2],
		   struct wf_dist_link *link)
{
	wf_dist_kept_drop(dist);	/* before their graph */
	wf_dist_link_drop(dist->link);
	dist->link = link;
	dist->inverse = false;
	wf_dist_replace(dist, WF_FORWARD, side[WF_FORWARD]);
	wf_dist_replace(dist, WF_REVERSE, side[WF_REVERSE]);
}

int wf_dist_check_pattern(const struct weft_dist *dist, const char *call)
{
	if (dist->link)
		return WEFT_OK;
	return wf_job_fail(dist->job, WEFT_ERR_ARG, "%s: the Dist of rank %d "
			   "has no pattern: weft_dist_set_dest_ranks comes "
			   "first", call, dist->parent->rank);
}

/* ---- calls ---- */

int weft_dist_create_empty(struct weft_comm *comm, struct weft_dist **dist_p)
{
	int status = wf_comm_ask(comm);

	wf_no_handle(dist_p);
	if (status)
		return status;
	if (comm->across)
		return wf_comm_refuse_across(comm, __func__);
	if (!dist_p)
		return wf_comm_leave(comm, wf_job_fail_null(comm->job, __func__,
							    "dist_p"));
	*dist_p = wf_dist_new(comm);
	if (!*dist_p)
		status = wf_job_fail(comm->job, WEFT_ERR_NOMEM,
				     "%s: no memory", __func__);
	return wf_comm_leave(comm, status);
}

int weft_dist_free(struct weft_dist **dist_p)
{
	struct weft_dist *dist = dist_p ? *dist_p : NULL;
	int status = dist_p && !dist ? WEFT_OK : wf_dist_enter(dist, __func__);
	struct weft_job *job;

	if (status || !dist)
		return status;
	job = dist->job;
	wf_dist_drop(dist);
	*dist_p = NULL;
	wf_job_leave(job);
	return WEFT_OK;
}

static struct weft_dist *share(const struct weft_dist *of, bool inverse)
{
	struct weft_dist *dist = wf_dist_new(of->parent);

	if (!dist)
		return NULL;
	dist->inverse = of->inverse != inverse;
	if (!of->link)
		return dist;
	dist->link = of->link;
	dist->link->refs++;
	for (int way = 0; way < 2; way++)
		dist->side[way] = wf_dist_side_hold(
			of->side[inverse ? !way : way]);
	return dist;
}

/* All of a call that makes another handle; result: how it is named. */
static int give(const struct weft_dist *of, const char *call, bool inverse,
		const char *result, struct weft_dist **dist_p)
{
	int status = wf_dist_enter(of, call);

	wf_no_handle(dist_p);
	if (status)
		return status;
	if (!dist_p)
		return wf_dist_leave(of, wf_job_fail_null(of->job, call,
							  result));
	*dist_p = share(of, inverse);
	if (!*dist_p)
		status = wf_job_fail(of->job, WEFT_ERR_NOMEM, "%s: no memory",
				     call);
	return wf_dist_leave(of, status);
}

int weft_dist_invert(const struct weft_dist *dist,
		     struct weft_dist **inverse_p)
{
	return give(dist, __func__, true, "inverse_p", inverse_p);
}

int weft_dist_dup(const struct weft_dist *dist, struct weft_dist **dup_p)
{
	return give(dist, __func__, false, "dup_p", dup_p);
}
