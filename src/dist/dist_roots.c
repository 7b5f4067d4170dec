/* SPDX-License-Identifier: BSD-3-Clause */
/* Which items are those of which root: the call. */
#include <string.h>
#include "dist/dist.h"

static int check_count(const struct weft_dist *dist, const char *call,
		       const int32_t *offs, size_t nroots)
{
	if (!offs && nroots)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: roots2items of rank "
				       "%d is NULL with %zu roots", call,
				       dist->parent->rank, nroots);
	if (nroots > INT32_MAX)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_RANGE, "%s: nroots of rank %d "
				       "is %zu, more than %d", call,
				       dist->parent->rank, nroots, INT32_MAX);
	return WEFT_OK;
}

/* Offsets of all items? */
static int check_offsets(const struct weft_dist *dist, const char *call,
			 const int32_t *offs, size_t nroots)
{
	uint32_t nitems = wf_dist_side_nitems(dist->side[WF_FORWARD]);
	int rank = dist->parent->rank;

	if (offs[0])
		return wf_job_fail(dist->job, WEFT_ERR_ARG, "%s: "
				   "roots2items[0] of rank %d is %d, not 0",
				   call, rank, offs[0]);
	for (size_t r = 0; r < nroots; r++)
		if (offs[r + 1] < offs[r])
			return wf_job_fail(dist->job, WEFT_ERR_ARG, "%s: "
					   "roots2items[%zu] of rank %d is %d, "
					   "less than %d before it", call,
					   r + 1, rank, offs[r + 1], offs[r]);
	if ((uint32_t)offs[nroots] != nitems)
		return wf_job_fail(dist->job, WEFT_ERR_ARG, "%s: "
				   "roots2items[%zu] of rank %d is %d, and "
				   "there are %u items", call, nroots, rank,
				   offs[nroots], nitems);
	return WEFT_OK;
}

static int set(struct weft_dist *dist, const char *call, const int32_t *offs,
	       size_t nroots)
{
	struct wf_dist_side *side = wf_dist_side_copy(dist->side[WF_FORWARD]);
	struct wf_dist_array *array = offs ? wf_dist_array_new(nroots + 1) :
					     NULL;

	if (!side || (offs && !array)) {
		wf_dist_array_drop(array);
		wf_dist_side_drop(side);
		return wf_job_fail(dist->job, WEFT_ERR_NOMEM,
				   "%s: no memory for %zu roots", call, nroots);
	}
	if (offs)
		memcpy(array->at, offs, (nroots + 1) * sizeof(*offs));
	wf_dist_side_put(side, WF_ROOTS2ITEMS, array);
	wf_dist_replace(dist, WF_FORWARD, side);
	return WEFT_OK;
}

int weft_dist_set_roots2items(struct weft_dist *dist,
			      const int32_t *roots2items, size_t nroots)
{
	int status = wf_dist_enter(dist, __func__);

	if (status)
		return status;
	status = wf_dist_check_pattern(dist, __func__);
	if (!status)
		status = check_count(dist, __func__, roots2items, nroots);
	if (!status && roots2items)
		status = check_offsets(dist, __func__, roots2items, nroots);
	if (!status)
		status = set(dist, __func__, roots2items, nroots);
	return wf_dist_leave(dist, status);
}
