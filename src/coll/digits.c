/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedule by digits: see digits.h. */
#include "coll/digits.h"

bool wf_digits_next(const struct weft_comm *comm, struct wf_digit *d)
{
	int base = wf_digits_base(comm);

	if (++d->digit == base) {
		d->unit *= base;
		d->digit = 1;
	}
	return d->unit * d->digit < comm->size;
}

static size_t count_edges(const struct weft_comm *comm)
{
	struct wf_digit d = { 1, 1 };
	size_t n = comm->size > 1;

	while (n && wf_digits_next(comm, &d))
		n++;
	return n;
}

static int find_edges(const struct wf_schedule *s, struct wf_schedule_edges *e)
{
	const struct weft_comm *comm = s->comm;
	size_t n = count_edges(comm);
	struct wf_digit d = { 1, 1 };
	int me = comm->rank, size = comm->size;

	if (wf_schedule_edges_init(e, n))
		return WEFT_ERR_NOMEM;
	for (; e->nout < (int)n; wf_digits_next(comm, &d)) {
		int far = (int)(d.unit * d.digit);

		e->out[e->nout++] = (struct wf_edge){
			me, (me + far) % size, 0, 0 };
		e->in[e->nin++] = (struct wf_edge){
			(me - far + size) % size, me, 0, 0 };
	}
	return WEFT_OK;
}

static int build_refused(const struct wf_schedule *s, struct wf_plan **plan_p)
{
	const struct wf_coll_key none = { .with.width = 1 };

	return wf_alltoall_build(s, s->set, &none, plan_p);
}

const struct wf_schedule_kind wf_digits_kind = {
	.port = WF_PORT_DIGITS, .find_edges = find_edges,
	.build_refused = build_refused
};
