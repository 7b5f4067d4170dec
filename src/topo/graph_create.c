/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating a graph from edges that any rank gives: one sparse exchange tells
 * both ends of each.
 *
 * Rounds: those of the exchange, ceil(log_k P), and of the closing agreement.
 * Bytes: two records of 16 for an edge, and what the exchange adds.  Memory: of
 * edges given and got, none of order P.
 */
#include <limits.h>
#include "coll/sparse.h"
#include "topo/graph_make.h"
#include "topo/graph_records.h"

/* Are they n ranks of the communicator? */
static int check_ranks(struct wf_graph_maker *m, const char *name,
		       const int *value, int64_t n)
{
	struct weft_job *job = m->parent->job;
	int size = m->parent->size;

	if (n && !value)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: edges->%s is NULL "
				   "with %lld values", m->call, name,
				   (long long)n);
	for (int64_t i = 0; i < n; i++)
		if (value[i] < 0 || value[i] >= size)
			return wf_job_fail_for(job, WEFT_ARGUMENT_RANK,
					       WEFT_ERR_ARG, "%s: edges->%s"
					       "[%lld] is %d, the communicator "
					       "has %d ranks", m->call, name,
					       (long long)i, value[i], size);
	return WEFT_OK;
}

static int sum_degrees(struct wf_graph_maker *m,
		       const struct weft_graph_edges *e, int64_t *all_p)
{
	struct weft_job *job = m->parent->job;

	*all_p = 0;
	if (e->n && !e->degrees)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: edges->degrees is "
				   "NULL with %d values", m->call, e->n);
	for (int i = 0; i < e->n; i++) {
		if (e->degrees[i] < 0)
			return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT,
					       WEFT_ERR_ARG, "%s: edges->"
					       "degrees[%d] is %d, negative",
					       m->call, i, e->degrees[i]);
		*all_p += e->degrees[i];
	}
	if (*all_p <= INT_MAX)
		return WEFT_OK;
	return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_RANGE,
			       "%s: edges->degrees are %lld together, more "
			       "than %d", m->call, (long long)*all_p, INT_MAX);
}

static int check(struct wf_graph_maker *m, const struct weft_graph_edges *e)
{
	struct weft_job *job = m->parent->job;
	int64_t all;
	int status;

	if (!e)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: edges is NULL",
				   m->call);
	if (e->n < 0)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
				       "%s: edges->n is %d, negative", m->call,
				       e->n);
	status = check_ranks(m, "sources", e->sources, e->n);
	if (!status)
		status = sum_degrees(m, e, &all);
	if (!status)
		status = check_ranks(m, "destinations", e->destinations, all);
	if (!status)
		status = wf_graph_check_weights(m, "edges->weights",
						e->weights, (int)all);
	return status;
}

static int no_memory(const struct wf_graph_maker *m, const char *what)
{
	return wf_job_fail(m->parent->job, WEFT_ERR_NOMEM,
			   "%s: no memory for the edges that it %s", m->call,
			   what);
}

/* By all ranks; what fails here is an error at others as well. */
static int tell_ends(struct wf_graph_maker *m, int status,
		     const struct weft_graph_edges *edges,
		     struct wf_edge_sides *sides)
{
	struct weft_sparse_got got = { 0 };
	struct wf_edge_mail mail = { .ranks = NULL };

	if (!status && wf_edge_mail_make(&mail, edges))
		status = no_memory(m, "gives");
	status = wf_sparse_exchange(m->parent, m->call, status, &mail.sparse,
				    &got, &m->whose);
	wf_edge_mail_free(&mail);
	if (!status && wf_edge_sides_make(sides, &got))
		status = no_memory(m, "gets");
	weft_sparse_free(&got);
	return status;
}

/* Of those who promise that all edges have some, or none. */
static bool have_weights(const struct wf_edge_sides *sides)
{
	return (sides->in.n && sides->in.weights[0] >= 0) ||
	       (sides->out.n && sides->out.weights[0] >= 0);
}

static int create(struct wf_graph_maker *m, const void *given)
{
	struct wf_edge_sides sides = { .numbers = NULL };
	const struct weft_graph_edges *edges = given;
	int status = check(m, edges), begun = wf_graph_begin(m);

	status = tell_ends(m, status ? status : begun, edges, &sides);
	if (!status)
		status = wf_graph_add_edges(m, &sides.in, &sides.out);
	if (!status && !m->parent->job->config.check)
		m->weighted |= have_weights(&sides);
	wf_edge_sides_free(&sides);
	return status;
}

int weft_graph_create(struct weft_comm *comm,
		      const struct weft_graph_edges *edges,
		      const struct weft_info *info, bool reorder,
		      struct weft_comm **graph_p)
{
	const struct wf_graph_call c = {
		.origin = { __func__, WF_CALLED_FROM }, .result = "graph_p",
		.create = create, .edges = edges, .info = info,
		.reorder = reorder
	};

	return wf_graph_construct(comm, &c, graph_p);
}
