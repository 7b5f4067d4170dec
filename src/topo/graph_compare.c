/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Do both ends of each edge say the same?  For WEFT_CHECK=2: who has an edge to
 * a rank tells it so, with the weight, by a sparse exchange.
 */
#include "topo/graph_compare.h"

#include <stdlib.h>
#include "base/sort.h"
#include "coll/sparse.h"

/* An edge from or to that rank. */
struct end {
	int rank, weight;
};

struct ends {
	int n;
	struct end *end;
};

static int by_rank(const void *a, const void *b, void *arg)
{
	const struct end *x = a, *y = b;

	(void)arg;
	if (x->rank != y->rank)
		return (x->rank > y->rank) - (x->rank < y->rank);
	return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Those of nobody have no end that could say something else. */
static int sort_own(struct ends *ends, const struct weft_edges *edges)
{
	ends->end = malloc(((size_t)edges->n + 1) * sizeof(*ends->end));
	if (!ends->end)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < edges->n; i++)
		if (edges->ranks[i] != WEFT_PROC_NULL)
			ends->end[ends->n++] = (struct end){
				edges->ranks[i],
				edges->weights ? edges->weights[i] : 0
			};
	return wf_sort(ends->end, (size_t)ends->n, sizeof(*ends->end), by_rank,
		       NULL);
}

/* ---- what is told ---- */

struct mail {
	struct weft_sparse sparse;
	int *ranks, *weights;
	size_t *bytes;
};

static void free_mail(struct mail *mail)
{
	free(mail->ranks);
	free(mail->weights);
	free(mail->bytes);
}

/* The weights of all edges to a rank in one message, in their order. */
static int make_mail(struct mail *mail, const struct ends *out)
{
	size_t most = (size_t)out->n + 1;
	int n = 0;

	mail->ranks = malloc(most * sizeof(*mail->ranks));
	mail->weights = malloc(most * sizeof(*mail->weights));
	mail->bytes = malloc(most * sizeof(*mail->bytes));
	if (!mail->ranks || !mail->weights || !mail->bytes)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < out->n; i++) {
		const struct end *e = &out->end[i];

		if (!i || e->rank != e[-1].rank) {
			mail->ranks[n] = e->rank;
			mail->bytes[n++] = 0;
		}
		mail->weights[i] = e->weight;
		mail->bytes[n - 1] += sizeof(*mail->weights);
	}
	mail->sparse = (struct weft_sparse){
		n, mail->ranks, mail->bytes, mail->weights
	};
	return WEFT_OK;
}

/* They have come in the order of ranks and weights. */
static int read_told(struct ends *told, const struct weft_sparse_got *got)
{
	const int *weight = got->base;
	size_t n = 0;

	for (int i = 0; i < got->n; i++)
		n += got->bytes[i] / sizeof(*weight);
	told->end = malloc((n + 1) * sizeof(*told->end));
	if (!told->end)
		return WEFT_ERR_NOMEM;
	for (int i = 0; i < got->n; i++)
		for (size_t k = got->bytes[i] / sizeof(*weight); k; k--)
			told->end[told->n++] = (struct end){
				got->ranks[i], *weight++
			};
	return WEFT_OK;
}

/* ---- what differs ---- */

struct comparison {
	const struct wf_graph_maker *maker;
	bool weighted;
	struct ends in, told;
};

/* One between the same two ranks; NULL: there is none. */
static const struct end *find_nearest(const struct ends *ends,
				      const struct end *e)
{
	const struct end *best = NULL;

	for (int i = 0; i < ends->n; i++) {
		const struct end *f = &ends->end[i];

		if (f->rank == e->rank &&
		    (!best || llabs((long long)f->weight - e->weight) <
			      llabs((long long)best->weight - e->weight)))
			best = f;
	}
	return best;
}

static int count_from(const struct ends *ends, int rank)
{
	int n = 0;

	for (int i = 0; i < ends->n; i++)
		n += ends->end[i].rank == rank;
	return n;
}

/* Of an edge that only one end has, by its weight, and the nearest one. */
static void tell_weight(const struct comparison *c, const struct ends *lacks,
			const struct end *e, char text[120])
{
	const struct end *near = find_nearest(lacks, e);
	int has = lacks == &c->in ? e->rank : c->maker->parent->rank;
	int n = snprintf(text, 120, "; only rank %d has one of weight %d", has,
			 e->weight);

	if (near)
		snprintf(text + n, 120 - (size_t)n, ", the nearest of the "
			 "other has %d", near->weight);
}

static int refuse(const struct comparison *c, const struct ends *lacks,
		  const struct end *e)
{
	const struct weft_comm *comm = c->maker->parent;
	char weight[120] = "";

	if (c->weighted)
		tell_weight(c, lacks, e, weight);
	return wf_job_fail(comm->job, WEFT_ERR_GRAPH, "%s: rank %d has %d "
			   "edges from rank %d, which has %d to it%s",
			   c->maker->call, comm->rank,
			   count_from(&c->in, e->rank), e->rank,
			   count_from(&c->told, e->rank), weight);
}

/* Both in the order of ranks and weights: the first that only one has. */
static int compare(const struct comparison *c)
{
	const struct ends *in = &c->in, *told = &c->told;
	int i = 0, k = 0;

	while (i < in->n || k < told->n) {
		int order = i == in->n ? 1 : k == told->n ? -1 :
			    by_rank(&in->end[i], &told->end[k], NULL);

		if (order < 0)
			return refuse(c, told, &in->end[i]);
		if (order > 0)
			return refuse(c, in, &told->end[k]);
		i++;
		k++;
	}
	return WEFT_OK;
}

/* ---- by all ranks ---- */

static int prepare(struct comparison *c, struct mail *mail,
		   const struct weft_edges *in, const struct weft_edges *out)
{
	struct ends ends = { 0, NULL };
	int status = sort_own(&ends, out);

	if (!status)
		status = make_mail(mail, &ends);
	if (!status)
		status = sort_own(&c->in, in);
	free(ends.end);
	c->weighted = in->weights || out->weights;
	return status;
}

static int no_memory(const struct comparison *c)
{
	return wf_job_fail(c->maker->parent->job, WEFT_ERR_NOMEM, "%s: no "
			   "memory to compare both ends of edges",
			   c->maker->call);
}

int wf_graph_compare(struct wf_graph_maker *m, int status,
		     const struct weft_edges *in, const struct weft_edges *out)
{
	struct comparison c = { .maker = m };
	struct weft_sparse_got got = { 0 };
	struct mail mail = { .ranks = NULL };

	if (!status && prepare(&c, &mail, in, out))
		status = no_memory(&c);
	status = wf_sparse_exchange(m->parent, m->call, status, &mail.sparse,
				    &got, &m->whose);
	if (!status && read_told(&c.told, &got))
		status = no_memory(&c);
	if (!status)
		status = compare(&c);
	free(c.in.end);
	free(c.told.end);
	free_mail(&mail);
	weft_sparse_free(&got);
	return status;
}
