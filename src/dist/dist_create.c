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
#include "dist/sweep.h"

/* What a call is given: the rank of each item, and with s->idxs its root. */
struct items {
	const char *array, *member;	/* for people */
	const int32_t *ranks;
	size_t stride;			/* of ranks: 1 or 2 */
	size_t n;
};

/* The first item for a rank that there is not; n: none is. */
static size_t find_strange(const struct items *items, int size)
{
	const int32_t *rank = items->ranks;
	size_t i = 0, n = items->n, stride = items->stride;

	if (wf_sweep_are_below(rank, stride, n, size))
		return n;
	while ((uint32_t)rank[i * stride] < (uint32_t)size)
		i++;
	return i;
}

static int check(const struct wf_dist_setting *s, const struct items *items)
{
	int me = s->comm->rank, size = s->comm->size;
	struct weft_job *job = s->comm->job;
	size_t at;

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
	at = find_strange(items, size);
	if (at == items->n)
		return WEFT_OK;
	return wf_job_fail_for(job, WEFT_ARGUMENT_RANK, WEFT_ERR_RANGE, "%s: "
			       "%s[%zu]%s of rank %d is %d, and ranks are 0 to "
			       "%d", s->origin.call, items->array, at,
			       items->member, me,
			       items->ranks[at * items->stride], size - 1);
}

/* ---- the forward side ---- */

static uint32_t rank_at(const struct items *items, uint32_t item)
{
	return (uint32_t)items->ranks[item * items->stride];
}

/*
 * Items in the order of content: behind those that go to the rank of place c.
 * Ranks ascend, so steps that double pass the last one, and halves find it.
 */
static uint32_t end_of_message(const struct items *items,
			       const struct wf_dist_array *order, uint32_t c)
{
	uint32_t rank = rank_at(items, order->at[c]), step = 1, last, end;

	while (step < order->n - c &&
	       rank_at(items, order->at[c + step]) == rank)
		step *= 2;
	last = c + step / 2;
	end = step < order->n - c ? c + step : order->n;
	while (end - last > 1) {
		uint32_t middle = last + (end - last) / 2;

		if (rank_at(items, order->at[middle]) == rank)
			last = middle;
		else
			end = middle;
	}
	return end;
}

/* How many ranks do they go to? */
static uint32_t count_messages(const struct items *items,
			       const struct wf_dist_array *order)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < order->n; n++)
		c = end_of_message(items, order, c);
	return n;
}

static void fill_messages(const struct items *items,
			  const struct wf_dist_array *order, uint32_t *ranks,
			  uint32_t *offs)
{
	uint32_t m = 0;

	for (uint32_t c = 0; c < order->n;
	     c = end_of_message(items, order, c)) {
		ranks[m] = rank_at(items, order->at[c]);
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
	int status = wf_comm_enter_one(comm, __func__);
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
