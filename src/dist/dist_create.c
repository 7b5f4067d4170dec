/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pattern from what each forward item is for: one sparse exchange, the
 * graphs of both directions, and the closing agreement.
 *
 * Time and memory are of items, messages and roots; none is of the number of
 * ranks.
 */
#include "base/handle.h"
#include "dist/order.h"
#include "dist/records.h"

/* What a call is given: the rank of each item, and with s->idxs its root. */
struct items {
	const char *array, *member;	/* for people */
	const int32_t *ranks;
	size_t stride;			/* of ranks */
	size_t n;
};

static int check(const struct wf_dist_setting *s, const struct items *items)
{
	int me = s->comm->rank, size = s->comm->size;
	struct weft_job *job = s->comm->job;

	if (items->n > INT32_MAX)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
				       "%s: nitems of rank %d is %zu, more "
				       "than %d", s->origin.call, me, items->n,
				       INT32_MAX);
	if (items->n && !items->ranks)
		return wf_job_fail_for(job, WEFT_ARGUMENT_BUFFER, WEFT_ERR_ARG,
				       "%s: %s of rank %d is NULL with %zu "
				       "items", s->origin.call, items->array,
				       me, items->n);
	for (size_t i = 0; i < items->n; i++) {
		int32_t rank = items->ranks[i * items->stride];

		if (rank < 0 || rank >= size)
			return wf_job_fail_for(job, WEFT_ARGUMENT_RANK,
					       WEFT_ERR_RANGE, "%s: %s[%zu]%s "
					       "of rank %d is %d, and ranks "
					       "are 0 to %d", s->origin.call,
					       items->array, i, items->member,
					       me, rank, size - 1);
	}
	return WEFT_OK;
}

/* ---- the forward side ---- */

static uint32_t rank_at(const struct items *items, uint32_t item)
{
	return (uint32_t)items->ranks[item * items->stride];
}

/* Items in the order of content: how many ranks do they go to? */
static uint32_t count_messages(const struct items *items,
			       const struct wf_dist_array *order)
{
	uint32_t n = order->n > 0;

	for (uint32_t c = 1; c < order->n; c++)
		n += rank_at(items, order->at[c]) !=
		     rank_at(items, order->at[c - 1]);
	return n;
}

static void fill_messages(const struct items *items,
			  const struct wf_dist_array *order, uint32_t *ranks,
			  uint32_t *offs)
{
	uint32_t m = 0;

	for (uint32_t c = 0; c < order->n; c++) {
		uint32_t rank = rank_at(items, order->at[c]);

		if (m && ranks[m - 1] == rank)
			continue;
		ranks[m] = rank;
		offs[m++] = c;
	}
	offs[m] = order->n;
}

/* Of the order of a side: the same array where no item is moved. */
static struct wf_dist_array *places_of(struct wf_dist_array *order)
{
	struct wf_dist_array *places;

	if (order->is_identity)
		return wf_dist_array_hold(order);
	places = wf_dist_array_new(order->n);
	for (uint32_t c = 0; places && c < order->n; c++)
		places->at[order->at[c]] = c;
	return places;
}

/* Takes the order, which is kept, as every exchange needs it. */
static int fill_side(struct wf_dist_side *side, const struct items *items,
		     struct wf_dist_array *order)
{
	uint32_t nmsgs = count_messages(items, order);
	struct wf_dist_array *ranks = wf_dist_array_new(nmsgs);
	struct wf_dist_array *offs = wf_dist_array_new((size_t)nmsgs + 1);
	struct wf_dist_array *places;

	wf_dist_side_put(side, WF_CONTENT2ITEMS, order);
	places = places_of(order);
	wf_dist_side_put(side, WF_ITEMS2CONTENT, places);
	wf_dist_side_put(side, WF_MSGS2RANKS, ranks);
	wf_dist_side_put(side, WF_MSGS2CONTENT, offs);
	if (!places || !ranks || !offs)
		return WEFT_ERR_NOMEM;
	fill_messages(items, order, ranks->at, offs->at);
	return WEFT_OK;
}

static struct wf_dist_side *sort_items(struct wf_dist_setting *s,
				       const struct items *items)
{
	struct wf_dist_side *side = wf_dist_side_new();
	struct wf_dist_array *order = wf_dist_array_new(items->n);

	if (!side || !order ||
	    wf_order_by_rank(items->ranks, items->stride, order->n,
			     s->comm->size, order->at))
		wf_dist_array_drop(order);
	else if (!fill_side(side, items, order))
		return side;
	wf_dist_side_drop(side);
	wf_dist_lack(s, "its items");
	return NULL;
}

/* ---- the pattern ---- */

/* By all ranks, whatever has failed here. */
static int set_up(struct wf_dist_setting *s, const struct items *items,
		  struct weft_dist *dist)
{
	struct wf_dist_side *side[2] = { NULL, NULL };
	struct wf_dist_link *link;
	int status;

	if (!s->status)
		s->status = check(s, items);
	if (!s->status)
		side[WF_FORWARD] = sort_items(s, items);
	s->forward = side[WF_FORWARD];
	side[WF_REVERSE] = wf_dist_tell(s, side[WF_FORWARD]);
	link = wf_dist_link_make(s, side);
	status = wf_dist_settle(s);
	if (!status) {
		wf_dist_adopt(dist, side, link);
		return WEFT_OK;
	}
	wf_dist_link_drop(link);
	wf_dist_side_drop(side[WF_FORWARD]);
	wf_dist_side_drop(side[WF_REVERSE]);
	return status;
}

/* ---- calls ---- */

/* NULL: the setting has an error. */
static struct weft_dist *begin(struct wf_dist_setting *s, bool has_place)
{
	struct weft_dist *dist = wf_dist_new(s->comm);

	if (!dist)
		wf_dist_lack(s, "a Dist");
	else if (!has_place)
		s->status = wf_job_fail_null(s->comm->job, s->origin.call,
					     "dist_p");
	return dist;
}

int weft_dist_create(struct weft_comm *comm,
		     const struct weft_remote *items2dests, size_t nitems,
		     int32_t nrroots, struct weft_dist **dist_p)
{
	const size_t stride = sizeof(*items2dests) / sizeof(int32_t);
	const struct items items = {
		"items2dests", ".rank",
		items2dests ? &items2dests->rank : NULL, stride, nitems
	};
	const struct wf_dist_idxs idxs = {
		"items2dests", ".idx", items2dests ? &items2dests->idx : NULL,
		stride, nitems, nrroots
	};
	int status = wf_comm_enter_by(comm, __func__);
	struct wf_dist_setting s;
	struct weft_dist *dist;

	wf_no_handle(dist_p);
	if (status)
		return status;
	wf_comm_hold(comm);
	s = wf_dist_setting(comm, (struct wf_origin){ __func__,
						      WF_CALLED_FROM });
	dist = begin(&s, dist_p != NULL);
	wf_dist_use_idxs(&s, &idxs);
	status = set_up(&s, &items, dist);
	if (status)
		wf_dist_drop(dist);
	else
		*dist_p = dist;
	return wf_comm_leave_held(comm, status);
}

int weft_dist_set_dest_ranks(struct weft_dist *dist,
			     const int32_t *items2ranks, size_t nitems)
{
	const struct items items = {
		"items2ranks", "", items2ranks, 1, nitems
	};
	struct weft_comm *comm = dist ? dist->parent : NULL;
	int status = wf_comm_enter_by(comm, __func__);
	struct wf_dist_setting s;

	if (status)
		return status;
	wf_comm_hold(comm);
	s = wf_dist_setting(comm, (struct wf_origin){ __func__,
						      WF_CALLED_FROM });
	status = set_up(&s, &items, dist);
	return wf_comm_leave_held(comm, status);
}
