/* SPDX-License-Identifier: BSD-3-Clause */
/* What collective calls that set have in common: see setting.h. */
#include "dist/setting.h"

#include "coll/agree.h"
#include "dist/order.h"
#include "dist/sweep.h"

struct wf_dist_setting wf_dist_setting(struct weft_comm *comm,
				       struct wf_origin origin)
{
	return (struct wf_dist_setting){
		.comm = comm, .origin = origin, .whose = comm->rank,
		.bad_rank = INT64_MAX
	};
}

void wf_dist_lack(struct wf_dist_setting *s, const char *what)
{
	if (!s->status)
		s->status = wf_job_fail(s->comm->job, WEFT_ERR_NOMEM,
					"%s: no memory at rank %d for %s",
					s->origin.call, s->comm->rank, what);
}

/* ---- indices ---- */

void wf_dist_use_idxs(struct wf_dist_setting *s,
		      const struct wf_dist_idxs *idxs)
{
	s->idxs = idxs;
	if (!s->status && idxs->nrroots < 0)
		s->status = wf_job_fail_for(s->comm->job, WEFT_ARGUMENT_COUNT,
					    WEFT_ERR_ARG, "%s: nrroots of rank "
					    "%d is %d, negative",
					    s->origin.call, s->comm->rank,
					    idxs->nrroots);
}

bool wf_dist_check_idxs(struct wf_dist_setting *s,
			const struct wf_dist_side *reverse,
			const uint32_t *content)
{
	const uint32_t *ranks = reverse->array[WF_MSGS2RANKS]->at;
	const uint32_t *offs = reverse->array[WF_MSGS2CONTENT]->at;
	uint32_t nrroots = (uint32_t)s->idxs->nrroots;

	if (wf_sweep_are_below((const int32_t *)content, 1,
			       wf_dist_side_nitems(reverse), s->idxs->nrroots))
		return true;
	for (uint32_t m = 0; m < wf_dist_side_nmsgs(reverse); m++)
		for (uint32_t c = offs[m]; c < offs[m + 1]; c++)
			if (content[c] >= nrroots && ranks[m] < s->bad_rank) {
				s->bad_rank = ranks[m];
				s->bad_place = c - offs[m];
			}
	return false;
}

void wf_dist_group(struct wf_dist_setting *s, struct wf_dist_side *reverse,
		   const uint32_t *content)
{
	uint32_t n = wf_dist_side_nitems(reverse);
	uint32_t nrroots = (uint32_t)s->idxs->nrroots;
	struct wf_dist_array *items = wf_dist_array_new(n);
	struct wf_dist_array *roots = wf_dist_array_new((size_t)nrroots + 1);

	if (!items || !roots) {
		wf_dist_array_drop(items);
		wf_dist_array_drop(roots);
		wf_dist_lack(s, "its roots");
		return;
	}
	wf_order_by_root(content, n, roots->at, nrroots, items->at);
	wf_dist_side_put(reverse, WF_ITEMS2CONTENT, items);
	wf_dist_side_put(reverse, WF_ROOTS2ITEMS, roots);
}

/* ---- whose index it is that there is not ---- */

/* The least of what all say; a status. */
static int least_of(struct wf_dist_setting *s, int64_t *number)
{
	struct wf_saying says = {
		.whose = s->comm->rank, .n = 1, .least = { *number }
	};
	int status = wf_agree_least(s->comm, s->origin.call, &says);

	*number = says.least[0];
	return status;
}

/* The source that a content place of the forward side has its packet of. */
static uint32_t source_of(const struct wf_dist_side *side, uint32_t place)
{
	const struct wf_dist_array *items = side->array[WF_ITEMS2CONTENT];
	const struct wf_dist_array *roots = side->array[WF_ROOTS2ITEMS];
	uint32_t item = items ? 0 : place, root = 0;

	while (items && items->at[item] != place)
		item++;
	if (!roots)
		return item;
	while (roots->at[root + 1] <= item)
		root++;
	return root;
}

static int blame_own(const struct wf_dist_setting *s, int far, uint32_t place,
		     int nrroots)
{
	const uint32_t *ranks = s->forward->array[WF_MSGS2RANKS]->at;
	const uint32_t *offs = s->forward->array[WF_MSGS2CONTENT]->at;
	const struct wf_dist_idxs *idxs = s->idxs;
	uint32_t m = 0, source;

	while (ranks[m] != (uint32_t)far)
		m++;
	source = source_of(s->forward, offs[m] + place);
	return wf_job_fail_for(s->comm->job, WEFT_ARGUMENT_RANK, WEFT_ERR_RANGE,
			       "%s: %s[%u]%s of rank %d is %d, and rank %d has "
			       "%d roots", s->origin.call, idxs->array, source,
			       idxs->member, s->comm->rank,
			       idxs->at[source * idxs->stride], far, nrroots);
}

/*
 * It is the rank that knows what it gave where, but not how many roots there
 * are: so the first of those that miss one tells where in its message, then how
 * many, and then that rank is heard.
 */
static int blame(struct wf_dist_setting *s, int64_t rank)
{
	int me = s->comm->rank, far, status;
	int64_t where = s->bad_rank == rank ?
			(int64_t)me << 32 | s->bad_place : INT64_MAX;
	int64_t nrroots;

	status = least_of(s, &where);
	if (status)
		return status;
	far = (int)(where >> 32);
	nrroots = far == me ? s->idxs->nrroots : INT64_MAX;
	status = least_of(s, &nrroots);
	if (status)
		return status;
	if (me == rank)
		status = blame_own(s, far, (uint32_t)where, (int)nrroots);
	return wf_agree(s->comm, s->origin.call, status);
}

/* ---- the end ---- */

int wf_dist_settle(struct wf_dist_setting *s)
{
	struct wf_saying says = {
		.status = s->status, .whose = s->whose, .n = 1,
		.least = { s->bad_rank }, .more = s->exchange != WEFT_OK
	};
	int status = wf_agree_least(s->comm, s->origin.call, &says);

	/* What an exchange failed with is told where no rank knows why. */
	if (!status && says.more)
		status = wf_agree(s->comm, s->origin.call, s->exchange);
	if (!status && says.least[0] != INT64_MAX)
		status = blame(s, says.least[0]);
	return status;
}
