/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reverse items sorted by what their sources say: the calls.  One value for
 * each source goes along all of its items, from content to content, so that no
 * earlier order of reverse items has a part in it.
 */
#include <stdlib.h>
#include <string.h>
#include "coll/agree.h"
#include "dist/carry.h"
#include "dist/order.h"
#include "dist/setting.h"

/* Values in content, of so many bytes each: what is sent, and what came. */
struct values {
	const char *array;
	const void *given;		/* for each source */
	size_t nsrcs, size;
	const struct weft_type *type;
	void *sent, *got;
};

static int check(const struct weft_dist *dist, const char *call,
		 const struct values *v)
{
	uint32_t nsrcs = wf_dist_side_nroots(dist->side[WF_FORWARD]);
	int me = dist->parent->rank;

	if (v->nsrcs != nsrcs)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_COUNT,
				       WEFT_ERR_ARG, "%s: nsrcs of rank %d is "
				       "%zu, and its Dist has %u", call, me,
				       v->nsrcs, nsrcs);
	if (nsrcs && !v->given)
		return wf_job_fail_for(dist->job, WEFT_ARGUMENT_BUFFER,
				       WEFT_ERR_ARG, "%s: %s of rank %d is "
				       "NULL with %u sources", call, v->array,
				       me, nsrcs);
	return WEFT_OK;
}

static int gather(const struct weft_dist *dist, struct values *v)
{
	struct wf_dist_side *from = dist->side[WF_FORWARD];
	size_t n = wf_dist_side_nitems(from);
	size_t came = wf_dist_side_nitems(dist->side[WF_REVERSE]);
	const char *given = v->given;
	struct wf_dist_ends ends;

	v->sent = malloc(n * v->size + 1);
	v->got = malloc(came * v->size + 1);
	if (!v->sent || !v->got || wf_dist_side_send(from, &ends))
		return WEFT_ERR_NOMEM;
	for (size_t c = 0; c < n; c++)
		memcpy((char *)v->sent + c * v->size,
		       given + (ends.at ? ends.at[c] : c) * v->size, v->size);
	return WEFT_OK;
}

/* By all ranks; true: values came to this one. */
static bool carry(struct wf_dist_setting *s, const struct weft_dist *dist,
		  struct values *v)
{
	int status;

	if (!s->status)
		s->status = check(dist, s->origin.call, v);
	if (!s->status && gather(dist, v))
		wf_dist_lack(s, "its values");
	status = wf_dist_carry(dist, s->origin.call, WF_FORWARD, s->status,
			       &(struct wf_dist_cargo){
		v->sent, v->got, v->type
	});
	if (!s->status)
		s->exchange = status;
	return !status;
}

/* A copy of the reverse side; NULL: the setting has an error. */
static struct wf_dist_side *copy_side(struct wf_dist_setting *s,
				      const struct weft_dist *dist)
{
	struct wf_dist_side *side;

	side = wf_dist_side_copy(dist->side[WF_REVERSE]);
	if (!side)
		wf_dist_lack(s, "a side");
	return side;
}

/* ---- roots ---- */

static struct wf_dist_side *by_roots(struct wf_dist_setting *s,
				     const struct weft_dist *dist,
				     const uint32_t *content)
{
	struct wf_dist_side *side;

	if (!wf_dist_check_idxs(s, dist->side[WF_REVERSE], content))
		return NULL;
	side = copy_side(s, dist);
	if (side)
		wf_dist_group(s, side, content);
	return side;
}

/* ---- global numbers ---- */

static struct wf_dist_side *by_numbers(struct wf_dist_setting *s,
				       const struct weft_dist *dist,
				       const int64_t *content)
{
	struct wf_dist_side *side = copy_side(s, dist);
	struct wf_dist_array *order;

	if (!side)
		return NULL;
	order = wf_dist_array_new(wf_dist_side_nitems(side));
	if (!order || wf_order_by_number(content, order->n, order->at))
		wf_dist_lack(s, "its items");
	wf_dist_side_put(side, WF_ITEMS2CONTENT, order);
	wf_dist_side_put(side, WF_ROOTS2ITEMS, NULL);
	return side;
}

/* ---- calls ---- */

static int set(struct wf_dist_setting *s, struct weft_dist *dist,
	       struct values *v)
{
	struct wf_dist_side *side = NULL;
	int status;

	s->forward = dist->side[WF_FORWARD];
	if (carry(s, dist, v))
		side = s->idxs ? by_roots(s, dist, v->got) :
				 by_numbers(s, dist, v->got);
	free(v->sent);
	free(v->got);
	status = wf_dist_settle(s);
	if (status)
		wf_dist_side_drop(side);
	else
		wf_dist_replace(dist, WF_REVERSE, side);
	return status;
}

/* All of a call, with its parent entered. */
static int call_on(struct weft_dist *dist, struct wf_dist_setting *s,
		   struct values *v)
{
	struct weft_comm *comm = s->comm;
	int status = wf_dist_check_pattern(dist, s->origin.call);

	wf_comm_hold(comm);
	if (status)
		status = wf_agree(comm, s->origin.call, status);
	else
		status = set(s, dist, v);
	return wf_comm_leave_held(comm, status);
}

int weft_dist_set_dest_idxs(struct weft_dist *dist, const int32_t *srcs2rroots,
			    size_t nsrcs, int32_t nrroots)
{
	const struct wf_dist_idxs idxs = {
		"srcs2rroots", "", srcs2rroots, 1, nsrcs, nrroots
	};
	struct values v = {
		.array = "srcs2rroots", .given = srcs2rroots, .nsrcs = nsrcs,
		.size = sizeof(*srcs2rroots), .type = &weft_type_int32
	};
	struct weft_comm *comm = dist ? dist->parent : NULL;
	int status = wf_comm_enter_by(comm, __func__);
	struct wf_dist_setting s;

	if (status)
		return status;
	s = wf_dist_setting(comm, (struct wf_origin){ __func__,
						      WF_CALLED_FROM });
	wf_dist_use_idxs(&s, &idxs);
	return call_on(dist, &s, &v);
}

int weft_dist_set_dest_globals(struct weft_dist *dist,
			       const int64_t *srcs2globals, size_t nsrcs)
{
	struct values v = {
		.array = "srcs2globals", .given = srcs2globals, .nsrcs = nsrcs,
		.size = sizeof(*srcs2globals), .type = &weft_type_int64
	};
	struct weft_comm *comm = dist ? dist->parent : NULL;
	int status = wf_comm_enter_by(comm, __func__);
	struct wf_dist_setting s;

	if (status)
		return status;
	s = wf_dist_setting(comm, (struct wf_origin){ __func__,
						      WF_CALLED_FROM });
	return call_on(dist, &s, &v);
}
