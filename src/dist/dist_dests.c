/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where each forward item goes: the calls.  Each reverse root sends its number
 * back along its items, by one exchange over the inverse.
 */
#include <stdlib.h>
#include <weft/dist_query.h>
#include "dist/carry.h"

/* What a call is given; each entry has a root, and behind a rank, or not. */
struct place {
	const char *name;
	struct weft_remote *remotes;	/* one of both, */
	int32_t *idxs;			/* or none where that is an error */
	size_t nitems;
};

static int check(const struct weft_dist *dist, const char *call,
		 const struct place *to)
{
	uint32_t nitems = wf_dist_side_nitems(dist->side[WF_FORWARD]);
	int me = dist->parent->rank;

	if (to->nitems != nitems)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: nitems of rank %d is "
				       "%zu, and there are %u", call, me,
				       to->nitems, nitems);
	if (nitems && !to->remotes && !to->idxs)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s of rank %d is "
				       "NULL with %u items", call, to->name,
				       me, nitems);
	return WEFT_OK;
}

/* What is made before anything is sent. */
struct work {
	uint32_t *sent, *got;		/* in content */
	const struct wf_dist_array *ranks;
};

/* The number of its root to each content place. */
static int prepare(const struct weft_dist *dist, const struct place *to,
		   struct work *w)
{
	struct wf_dist_side *here = dist->side[WF_FORWARD];
	struct wf_dist_side *there = dist->side[WF_REVERSE];
	uint32_t n = wf_dist_side_nitems(there);
	struct wf_dist_ends ends;

	w->got = malloc(wf_dist_side_nitems(here) * sizeof(*w->got) + 1);
	w->sent = malloc(n * sizeof(*w->sent) + 1);
	if (!w->got || !w->sent || wf_dist_side_send(there, &ends) ||
	    (to->remotes && wf_dist_side_get(here, WF_ITEMS2RANKS, &w->ranks)))
		return WEFT_ERR_NOMEM;
	for (uint32_t c = 0; c < n; c++)
		w->sent[c] = ends.at ? ends.at[c] : c;
	return WEFT_OK;
}

static void fill(const struct weft_dist *dist, const struct place *to,
		 const struct work *w)
{
	const struct wf_dist_side *side = dist->side[WF_FORWARD];
	const struct wf_dist_array *places = side->array[WF_ITEMS2CONTENT];

	for (uint32_t i = 0; i < to->nitems; i++) {
		int32_t idx = (int32_t)w->got[places ? places->at[i] : i];

		if (to->remotes)
			to->remotes[i] = (struct weft_remote){
				(int32_t)w->ranks->at[i], idx
			};
		else
			to->idxs[i] = idx;
	}
}

static int ask(const struct weft_dist *dist, const char *call,
	       const struct place *to)
{
	struct work w = { .sent = NULL };
	int status = check(dist, call, to);

	if (!status && prepare(dist, to, &w))
		status = wf_job_fail(dist->job, WEFT_ERR_NOMEM, "%s: no memory "
				     "at rank %d for its items", call,
				     dist->parent->rank);
	status = wf_dist_carry(dist, call, WF_REVERSE, status,
			       &(struct wf_dist_cargo){
		w.sent, w.got, &weft_type_int32
	});
	if (!status)
		fill(dist, to, &w);
	free(w.sent);
	free(w.got);
	return status;
}

static int call_on(const struct weft_dist *dist, const char *call,
		   const struct place *to)
{
	int status = wf_dist_enter(dist, call);

	if (status)
		return status;
	status = wf_dist_check_pattern(dist, call);
	if (!status)
		status = ask(dist, call, to);
	return wf_dist_leave(dist, status);
}

int weft_dist_items2dest_idxs(struct weft_dist *dist, int32_t *idxs_p,
			      size_t nitems)
{
	return call_on(dist, __func__, &(struct place){
		.name = "idxs_p", .idxs = idxs_p, .nitems = nitems
	});
}

int weft_dist_items2dests(struct weft_dist *dist, struct weft_remote *dests_p,
			  size_t nitems)
{
	return call_on(dist, __func__, &(struct place){
		.name = "dests_p", .remotes = dests_p, .nitems = nitems
	});
}
