/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pairwise exchange that is started often: an exchange along the edges of a
 * set of its own, of which each way 16 are under way.
 *
 * Rounds: 1.  Messages and bytes: those of the program.  Copies: one, of what a
 * rank gives to itself.  Scratch: none.  Any P.
 */
#include "coll/pairs.h"

enum {
	UNDER_WAY = 16
};

int wf_pairs_edges(const struct wf_schedule *s, const struct wf_coll_key *key,
		   struct wf_schedule_edges *e)
{
	const struct weft_comm *comm = s->comm;
	int me = comm->rank;

	if (wf_schedule_edges_init(e, (size_t)comm->size))
		return WEFT_ERR_NOMEM;
	for (int far = 1; far < comm->size; far++) {
		struct wf_pair_leg to = wf_pair_leg(comm, key, true, far);
		struct wf_pair_leg from = wf_pair_leg(comm, key, false, far);

		if (to.at.bytes)
			e->out[e->nout++] = (struct wf_edge){
				me, to.rank, 0, 0 };
		if (from.at.bytes)
			e->in[e->nin++] = (struct wf_edge){
				from.rank, me, 0, 0 };
	}
	return WEFT_OK;
}

/* One way, and the last steps of it. */
struct row {
	int n;
	uint32_t step[UNDER_WAY];
};

static void add(struct wf_builder *b, struct row *row, bool gives,
		struct wf_extent at)
{
	struct wf_place place = { gives ? WF_BUFFER_SEND : WF_BUFFER_RECV,
				  at.offset };
	uint32_t edge = (uint32_t)row->n;
	uint32_t *former = &row->step[row->n % UNDER_WAY];
	uint32_t step = gives ? wf_build_send(b, edge, place, at.bytes) :
				wf_build_recv(b, edge, place, at.bytes);

	if (row->n >= UNDER_WAY)
		wf_build_after(b, step, *former);
	*former = step;
	row->n++;
}

int wf_pairs_build(const struct wf_schedule *s, struct wf_set *set,
		   const struct wf_coll_key *key, struct wf_plan **plan_p)
{
	const struct weft_comm *comm = s->comm;
	struct wf_extent give = wf_pair_extent(key, true, comm->rank);
	struct wf_extent get = wf_pair_extent(key, false, comm->rank);
	struct row out = { .n = 0 }, in = { .n = 0 };
	struct wf_builder b;
	int status = wf_builder_init(&b, set);

	if (status)
		return status;
	for (int far = 1; far < comm->size; far++) {
		struct wf_pair_leg to = wf_pair_leg(comm, key, true, far);
		struct wf_pair_leg from = wf_pair_leg(comm, key, false, far);

		if (from.at.bytes)
			add(&b, &in, false, from.at);
		if (to.at.bytes)
			add(&b, &out, true, to.at);
	}
	wf_build_copy(&b, (struct wf_place){ WF_BUFFER_SEND, give.offset },
		      (struct wf_place){ WF_BUFFER_RECV, get.offset },
		      get.bytes);
	return wf_builder_finish(&b, plan_p);
}
