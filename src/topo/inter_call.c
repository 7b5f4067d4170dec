/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls on intercommunicators that move what they are given. */
#include <stdlib.h>
#include <weft/type.h>
#include "base/zeroed.h"
#include "coll/fingerprint.h"
#include "topo/inter.h"
#include "topo/neighbor.h"

/* ---- sides ---- */

void wf_inter_sides_refuse(struct wf_inter_sides *s, int status)
{
	s->sides.send = (struct wf_side){
		.kind = WF_SIDE_REFUSED, .refused = status
	};
	s->sides.recv = s->sides.send;
}

int wf_inter_check_root(const struct wf_inter_call *c)
{
	struct weft_comm *comm = c->comm;
	int root = c->given->root;

	if ((root >= 0 && root < wf_remote_size(comm)) || root == WEFT_ROOT ||
	    root == WEFT_PROC_NULL)
		return WEFT_OK;
	return wf_job_fail_for(comm->job, WEFT_ARGUMENT_ROOT, WEFT_ERR_RANGE,
			       "%s: the root is %d: expected a rank of the "
			       "remote group, 0 to %d, WEFT_ROOT or "
			       "WEFT_PROC_NULL", c->name, root,
			       wf_remote_size(comm) - 1);
}

/* Vectors without anything; WEFT_ERR_NOMEM, told. */
static int clear(const struct wf_inter_call *c, struct wf_inter_sides *s)
{
	size_t n = (size_t)wf_remote_size(c->comm);

	s->counts = wf_zeroed(n, 3 * sizeof(*s->counts));
	if (!s->counts)
		return wf_job_fail(c->comm->job, WEFT_ERR_NOMEM, "%s: no "
				   "memory for the counts of %zu ranks",
				   c->name, n);
	s->none = (struct weft_vec){
		.type = &weft_type_byte, .counts = s->counts,
		.displs = (const ptrdiff_t *)(s->counts + 2 * n)
	};
	s->one = s->none;
	s->one.counts = s->counts + n;
	s->sides.send = s->sides.recv = (struct wf_side){
		.kind = WF_SIDE_VEC, .vec = &s->none
	};
	return WEFT_OK;
}

int wf_inter_sides_of_root(const struct wf_inter_call *c, int root,
			   const struct weft_part *part,
			   struct wf_inter_sides *s)
{
	int status = clear(c, s);

	if (status || root < 0)
		return status;
	s->one.base = part->base;
	s->one.type = part->type;
	s->counts[wf_remote_size(c->comm) + root] = part->count;
	return WEFT_OK;
}

/* What is given, or got, by all: a part, or a vector. */
static struct wf_side all_side(const struct weft_part *part,
			       const struct weft_vec *vec, bool varies)
{
	if (!varies)
		return (struct wf_side){ .kind = WF_SIDE_ROW, .part = part };
	return (struct wf_side){
		.kind = vec && vec->types ? WF_SIDE_TYPES : WF_SIDE_VEC,
		.vec = vec
	};
}

/* Root, others of its group, and the remote group, of which each has one. */
static int fill_rooted(const struct wf_inter_call *c, bool to_root,
		       struct wf_inter_sides *s)
{
	const struct wf_across_call *g = c->given;
	struct wf_side *all = to_root ? &s->sides.recv : &s->sides.send;
	struct wf_side *one = to_root ? &s->sides.send : &s->sides.recv;
	int status = wf_inter_check_root(c);

	if (!status)
		status = wf_inter_sides_of_root(c, g->root, to_root ?
						&s->send : &s->recv, s);
	if (status)
		return status;
	if (g->root >= 0)
		one->vec = &s->one;
	else if (g->root == WEFT_ROOT && g->kind == WF_ACROSS_BCAST)
		*all = (struct wf_side){
			.kind = WF_SIDE_SAME, .part = &s->send
		};
	else if (g->root == WEFT_ROOT && to_root)
		*all = all_side(&s->recv, g->recvs, g->varies);
	else if (g->root == WEFT_ROOT)
		*all = all_side(&s->send, g->sends, g->varies);
	return WEFT_OK;
}

static int fill(const struct wf_inter_call *c, struct wf_inter_sides *s)
{
	const struct wf_across_call *g = c->given;

	switch (g->kind) {
	case WF_ACROSS_BCAST:
	case WF_ACROSS_SCATTER:
		return fill_rooted(c, false, s);
	case WF_ACROSS_GATHER:
		return fill_rooted(c, true, s);
	case WF_ACROSS_ALLGATHER:
		s->sides.send = (struct wf_side){
			.kind = WF_SIDE_SAME, .part = &s->send
		};
		s->sides.recv = all_side(&s->recv, g->recvs, g->varies);
		return WEFT_OK;
	case WF_ACROSS_ALLTOALL:
		s->sides.send = all_side(&s->send, g->sends, g->varies);
		s->sides.recv = all_side(&s->recv, g->recvs, g->varies);
		return WEFT_OK;
	default:			/* a barrier */
		return clear(c, s);
	}
}

void wf_inter_sides_fini(struct wf_inter_sides *s)
{
	free(s->counts);
}

/* ---- calls ---- */

int wf_inter_exchange(const struct wf_inter_call *c,
		      const struct wf_sides *sides, struct weft_request **req_p)
{
	return c->form == WF_MARK_INIT ?
		wf_neighbor_prepare(c->comm, c->name, sides, req_p) :
		wf_neighbor_begin(c->comm, c->name, sides, req_p);
}

static int move(const struct wf_inter_call *c, struct weft_request **req_p)
{
	struct wf_inter_sides s = {
		.send = c->given->send, .recv = c->given->recv
	};
	int status = c->refused ? c->refused : fill(c, &s);

	if (status)
		wf_inter_sides_refuse(&s, status);
	status = wf_inter_exchange(c, &s.sides, req_p);
	wf_inter_sides_fini(&s);
	return status;
}

/* What is refused here is an error at all, and not their difference. */
static int look(const struct wf_inter_call *c, bool has_place)
{
	struct weft_comm *comm = c->comm;
	int odds;

	if (!comm->accord && has_place)
		return WEFT_OK;
	if (has_place)
		return wf_fingerprint_take_name(comm, c->name, c->form);
	odds = wf_fingerprint_any(comm, c->name);
	return odds ? odds : wf_job_fail(comm->job, WEFT_ERR_ARG, "%s: req_p "
					 "is NULL", c->name);
}

static int start(struct weft_comm *comm, const char *name,
		 const struct wf_across_call *given, enum wf_mark_form form,
		 struct weft_request **req_p)
{
	struct wf_inter_call c = { comm, name, given, form, WEFT_OK };
	struct weft_request *req = NULL;
	int status;

	c.refused = look(&c, req_p != NULL);
	status = given->kind >= WF_ACROSS_REDUCE ? wf_inter_fold(&c, &req) :
						   move(&c, &req);
	if (!status)
		*req_p = req;
	return status;
}

const struct wf_across_ops wf_inter_ops = {
	.start = start, .make = wf_inter_make
};
