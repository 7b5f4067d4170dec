/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating a graph from the neighbours of all ranks: each rank finds its edges
 * in them.  Time: of all edges, at each rank.  Memory: see weft/graph_full.h.
 */
#include "topo/graph_full.h"

#include <stdlib.h>
#include <string.h>
#include "base/sort.h"
#include "base/zeroed.h"

const struct wf_graph_full *wf_graph_full_of(const struct weft_comm *comm)
{
	struct wf_graph *g = wf_graph_of(comm);

	if (!g || g->topo.kind != WEFT_TOPO_GRAPH_FULL)
		return NULL;
	return wf_container(g->lore, struct wf_graph_full, lore);
}

/* ---- arguments ---- */

static int check_index(struct weft_job *job, const char *call,
		       const struct weft_graph_full *full)
{
	if (full->n && !full->index)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: full->index is NULL "
				   "with %d ranks", call, full->n);
	for (int i = 0; i < full->n; i++)
		if (full->index[i] < (i ? full->index[i - 1] : 0))
			return wf_job_fail(job, WEFT_ERR_ARG, "%s: "
					   "full->index[%d] is %d, below %d",
					   call, i, full->index[i],
					   i ? full->index[i - 1] : 0);
	return WEFT_OK;
}

static int count_edges(const struct weft_graph_full *full)
{
	return full->n ? full->index[full->n - 1] : 0;
}

static int check_edges(struct weft_job *job, const char *call,
		       const struct weft_graph_full *full)
{
	int n = count_edges(full);

	if (n && !full->edges)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: full->edges is NULL "
				   "with %d edges", call, n);
	for (int i = 0; i < n; i++)
		if (full->edges[i] < 0 || full->edges[i] >= full->n)
			return wf_job_fail_for(job, WEFT_ARGUMENT_RANK,
					       WEFT_ERR_ARG, "%s: "
					       "full->edges[%d] is %d, the "
					       "graph has %d ranks", call, i,
					       full->edges[i], full->n);
	return WEFT_OK;
}

int wf_graph_full_check(struct weft_job *job, const char *call,
			const struct weft_graph_full *full, int most)
{
	int status;

	if (!full)
		return wf_job_fail(job, WEFT_ERR_ARG, "%s: full is NULL", call);
	if (full->n < 0)
		return wf_job_fail_for(job, WEFT_ARGUMENT_COUNT, WEFT_ERR_ARG,
				       "%s: full->n is %d, negative", call,
				       full->n);
	if (full->n > most)
		return wf_job_fail(job, WEFT_ERR_RANGE, "%s: full->n is %d, "
				   "the communicator has %d ranks", call,
				   full->n, most);
	status = check_index(job, call, full);
	return status ? status : check_edges(job, call, full);
}

/* ---- life ---- */

static void destroy(struct wf_lore *lore, struct weft_job *job)
{
	struct wf_graph_full *f = wf_container(lore, struct wf_graph_full,
					       lore);

	wf_shared_drop(job, &f->shared);
	free(f->own);
	free(f);
}

static size_t bytes_of(const struct wf_graph_full *f)
{
	return ((size_t)f->lore.n + (size_t)f->nedges) * sizeof(*f->own);
}

static int write_copy(void *base, const void *arg)
{
	const struct wf_graph_full *f = arg;

	memcpy(base, f->own, bytes_of(f));
	return WEFT_OK;
}

static bool is_copy(const void *base, const void *arg)
{
	const struct wf_graph_full *f = arg;

	return !memcmp(base, f->own, bytes_of(f));
}

static void point_at(struct wf_graph_full *f, const int *numbers)
{
	f->index = numbers;
	f->edges = numbers + f->lore.n;
}

/* Where memory is not shared the rank keeps its own. */
static void share(struct wf_graph_full *f, struct weft_job *job)
{
	const struct wf_shared_want want = {
		.print = f->lore.print, .bytes = bytes_of(f),
		.is_it = is_copy, .write = write_copy, .arg = f
	};

	if (want.bytes <= job->config.group_share ||
	    wf_shared_get(job, &want, &f->shared))
		return;
	point_at(f, f->shared.base);
	free(f->own);
	f->own = NULL;
}

/* NULL: no memory. */
static struct wf_graph_full *make(struct weft_job *job,
				  const struct weft_graph_full *full)
{
	struct wf_graph_full *f = wf_zeroed(1, sizeof(*f));
	size_t n = (size_t)full->n;

	if (!f)
		return NULL;
	f->shared.fd = -1;
	f->lore = (struct wf_lore){
		.kind = WEFT_TOPO_GRAPH_FULL, .n = full->n,
		.alike = "full", .refs = 1, .destroy = destroy
	};
	f->nedges = count_edges(full);
	f->own = malloc(bytes_of(f) + 1);
	if (!f->own) {
		free(f);
		return NULL;
	}
	if (n)
		memcpy(f->own, full->index, n * sizeof(*f->own));
	if (f->nedges)
		memcpy(f->own + n, full->edges,
		       (size_t)f->nedges * sizeof(*f->own));
	f->lore.print = wf_lore_print(f->own, n + (size_t)f->nedges, n);
	point_at(f, f->own);
	share(f, job);
	return f;
}

/* ---- edges ---- */

static int by_rank(const void *a, const void *b, void *arg)
{
	const int *x = a, *y = b;

	(void)arg;
	return (*x > *y) - (*x < *y);
}

/* Who names this rank, ascending; n_p: how often that is. */
static int *find_sources(const struct wf_graph_full *f, int rank, int *n_p)
{
	int *from, n = 0;

	for (int e = 0; e < f->nedges; e++)
		n += f->edges[e] == rank;
	from = malloc(((size_t)n + 1) * sizeof(*from));
	*n_p = n;
	for (int r = 0, e = 0, k = 0; from && r < f->lore.n; r++)
		for (; e < f->index[r]; e++)
			if (f->edges[e] == rank)
				from[k++] = r;
	return from;
}

/*
 * The in-edges: *from becomes the neighbours in their order if these are the
 * same ranks as often.
 */
static int order_sources(const struct weft_edges *out, int *from, int n)
{
	size_t bytes = (size_t)n * sizeof(*from);
	int *sorted, status;

	if (n != out->n || !n)
		return WEFT_OK;
	sorted = malloc(bytes);
	if (!sorted)
		return WEFT_ERR_NOMEM;
	memcpy(sorted, out->ranks, bytes);
	status = wf_sort(sorted, (size_t)n, sizeof(*sorted), by_rank, NULL);
	if (!status && !memcmp(sorted, from, bytes))
		memcpy(from, out->ranks, bytes);
	free(sorted);
	return status;
}

static int no_memory(const struct wf_graph_maker *m)
{
	return wf_job_fail(m->parent->job, WEFT_ERR_NOMEM,
			   "%s: no memory for the whole graph", m->call);
}

static int add_edges(struct wf_graph_maker *m, const struct wf_graph_full *f)
{
	int rank = m->made->rank, first = wf_graph_full_first(f, rank), n;
	int *from = find_sources(f, rank, &n), status = WEFT_ERR_NOMEM;
	struct weft_edges in = { n, from, NULL };
	struct weft_edges out = {
		f->index[rank] - first, f->edges + first, NULL
	};

	if (from)
		status = order_sources(&out, from, n);
	status = status ? no_memory(m) : wf_graph_add_edges(m, &in, &out);
	free(from);
	return status;
}

/* ---- the call ---- */

static int create(struct wf_graph_maker *m, const void *full)
{
	struct weft_comm *parent = m->parent;
	struct wf_graph_full *f = NULL;
	int begun, status = wf_graph_full_check(parent->job, m->call, full,
						parent->size);

	if (!status) {
		f = make(parent->job, full);
		status = f ? wf_graph_choose(m, &f->lore) : no_memory(m);
	}
	begun = wf_graph_begin(m);
	if (!status)
		status = begun;
	return status || !m->made ? status : add_edges(m, f);
}

int weft_graph_full_create(struct weft_comm *comm,
			   const struct weft_graph_full *full,
			   const struct weft_info *info, bool reorder,
			   struct weft_comm **graph_p)
{
	const struct wf_graph_call c = {
		.origin = { __func__, WF_CALLED_FROM }, .result = "graph_p",
		.create = create, .edges = full, .info = info,
		.reorder = reorder
	};

	return wf_graph_construct(comm, &c, graph_p);
}
