/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs made, used and freed again and again, by both constructors and all
 * neighbour exchanges in all forms, while two allreduces are under way on the
 * communicator that they are made of.
 */
#ifndef WEFT_TESTS_GRAPH_CHURN_H
#define WEFT_TESTS_GRAPH_CHURN_H

#include <stdint.h>
#include <weft.h>

#include "tests/neighbor_call.h"

enum { CHURN_SUMS = 2 };

struct churn {
	struct weft_comm *parent;
	int me, n;
	int64_t made;			/* graphs so far */
	int64_t own[CHURN_SUMS], sum[CHURN_SUMS];
	struct weft_request *req[CHURN_SUMS];
};

static inline void churn_init(struct churn *c, struct weft_comm *parent)
{
	*c = (struct churn){
		.parent = parent, .me = weft_comm_rank(parent),
		.n = weft_comm_size(parent)
	};
}

/*
 * From each rank to the next one and to itself, given by each, or of the next
 * rank by the one before.
 */
static inline int churn_make(const struct churn *c, const int *from,
			     struct weft_comm **graph_p)
{
	int next = (c->me + 1) % c->n, degree = 2;
	int to[] = { next, c->me }, stranger[] = { (next + 1) % c->n, next };
	const struct weft_edges in = { 2, from, NULL }, out = { 2, to, NULL };

	if (c->made % 2)
		return weft_graph_create_adjacent(c->parent, &in, &out, NULL,
						  false, graph_p);
	return weft_graph_create(c->parent, &(struct weft_graph_edges){
		1, &next, &degree, stranger, NULL
	}, NULL, false, graph_p);
}

/* NULL, or what went wrong. */
static inline const char *churn_use(const struct churn *c, const int *from,
				    struct weft_comm *graph)
{
	static const size_t counts[] = { 1, 1 };
	static const ptrdiff_t displs[] = { 0, sizeof(int64_t) };
	static const struct weft_type *const types[] = {
		&weft_type_int64, &weft_type_int64
	};
	int64_t sent = c->made * c->n + c->me, out[2] = { sent, sent }, in[2];
	const struct weft_vec send = { .base = out, .types = types,
				       .counts = counts, .displs = displs };
	struct weft_vec recv = send;
	struct neighbor_args args = {
		weft_part(out, 1, &weft_type_int64),
		weft_part(in, 1, &weft_type_int64), &send, &recv
	};
	enum form form = (enum form)(c->made / CALLS % FORMS);
	struct weft_request *req = NULL;

	recv.base = in;
	if (neighbor_call(graph, (enum call)(c->made % CALLS), form, &args,
			  &req))
		return "exchange";
	if (form == PERSISTENT && weft_request_start(req))
		return "start";
	if (req && weft_request_wait(req))
		return "wait";
	if (weft_request_free(&req))
		return "free of a request";
	for (int i = 0; i < 2; i++)
		if (in[i] != c->made * c->n + from[i])
			return "what came";
	return NULL;
}

/* The sum that was begun two graphs ago. */
static inline const char *churn_end_sum(struct churn *c, int k)
{
	int64_t n = c->n, begun = c->own[k] - c->me;

	if (!c->req[k])
		return NULL;
	if (weft_request_wait(c->req[k]) || weft_request_free(&c->req[k]))
		return "allreduce";
	return c->sum[k] == n * begun + n * (n - 1) / 2 ? NULL : "a sum";
}

/* NULL, or what went wrong. */
static inline const char *churn_step(struct churn *c)
{
	int k = (int)(c->made % CHURN_SUMS);
	int before = (c->me + c->n - 1) % c->n, from[] = { before, c->me };
	struct weft_comm *graph = NULL;
	const char *wrong = churn_end_sum(c, k);

	if (wrong)
		return wrong;
	c->own[k] = c->made + c->me;
	if (weft_iallreduce(c->parent, &c->own[k],
			    weft_part(&c->sum[k], 1, &weft_type_int64),
			    &weft_op_sum, &c->req[k]))
		return "start of an allreduce";
	/* in the order of ranks, as those given by anybody are */
	if (before > c->me) {
		from[0] = c->me;
		from[1] = before;
	}
	if (churn_make(c, from, &graph))
		return "creation";
	wrong = churn_use(c, from, graph);
	if (wrong)
		return wrong;
	if (weft_comm_free(&graph))
		return "free of a graph";
	c->made++;
	return NULL;
}

static inline const char *churn_end(struct churn *c)
{
	const char *wrong = NULL;

	for (int i = 0; i < CHURN_SUMS && !wrong; i++)
		wrong = churn_end_sum(c, (int)((c->made + i) % CHURN_SUMS));
	return wrong;
}

#endif
