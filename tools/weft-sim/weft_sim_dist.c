/* SPDX-License-Identifier: BSD-3-Clause */
/* A Dist and exchanges of simulated ranks: see weft_sim_dist.h. */
#include "tools/weft-sim/weft_sim_dist.h"

#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "comm/comm.h"
#include "job/job.h"
#include "tests/fail_malloc.h"
#include "tools/weft-sim/weft_sim_colls.h"
#include "tools/weft-sim/weft_sim_graph.h"

enum phase {
	CREATE, EXCH_FIRST, EXCH, REVERSE_FIRST, REVERSE, EXCH_REDUCE, FREE
};

static const char *const names[WSIM_PHASES] = {
	[CREATE] = "create", [EXCH_FIRST] = "exch_first", [EXCH] = "exch",
	[REVERSE_FIRST] = "reverse_first", [REVERSE] = "reverse",
	[EXCH_REDUCE] = "exch_reduce", [FREE] = "free"
};

struct wsim_dist {
	struct wsim_run *run;
	int me;
	size_t each;			/* items of an edge, and roots */
	size_t nout, nin;		/* edges */
	struct weft_remote *dests;	/* of each item */
	int32_t *ranks;			/* of neighbours, ascending, */
	int32_t *offs;			/* and where their items begin */
	size_t nnbrs;
	double *items, *ritems, *roots;
	struct weft_dist *along, *inverse;
	uint64_t segment;		/* bytes, before the round */
};

const char *wsim_dist_phase_name(int phase)
{
	return names[phase];
}

static enum phase phase_of(long op)
{
	return (enum phase)(op % WSIM_PHASES);
}

/* ---- the pattern ---- */

/* Of the k-th item; edge: its number among those of its source. */
static size_t root_of(const struct wsim_dist *d, size_t edge, size_t k)
{
	return (k + edge) % d->each;
}

/* Which of its items goes to a root. */
static size_t item_of(const struct wsim_dist *d, size_t edge, size_t root)
{
	return (root + d->each - edge % d->each) % d->each;
}

static const int *targets(const struct wsim_dist *d)
{
	return d->run->graph->to + d->run->graph->out[d->me];
}

static int by_rank(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* Edges to one rank are one message of the items of all of them. */
static void find_neighbors(struct wsim_dist *d)
{
	size_t n = 0;

	for (size_t e = 0; e < d->nout; e++)
		d->ranks[e] = targets(d)[e];
	qsort(d->ranks, d->nout, sizeof(*d->ranks), by_rank);
	for (size_t e = 0; e < d->nout; e++) {
		if (!n || d->ranks[n - 1] != d->ranks[e])
			d->ranks[n++] = d->ranks[e];
		d->offs[n] = (int32_t)((e + 1) * d->each);
	}
	d->nnbrs = n;
}

static void find_dests(struct wsim_dist *d)
{
	for (size_t e = 0; e < d->nout; e++)
		for (size_t k = 0; k < d->each; k++)
			d->dests[e * d->each + k] = (struct weft_remote){
				targets(d)[e], (int32_t)root_of(d, e, k)
			};
}

struct wsim_dist *wsim_dist_new(struct wsim_run *run, int me)
{
	const struct wsim_graph *g = run->graph;
	struct wsim_dist *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->run = run;
	d->me = me;
	d->each = (size_t)run->options->items;
	d->nout = g->out[me + 1] - g->out[me];
	d->nin = g->in[me + 1] - g->in[me];
	d->dests = calloc(d->nout * d->each + 1, sizeof(*d->dests));
	d->ranks = calloc(d->nout + 1, sizeof(*d->ranks));
	d->offs = calloc(d->nout + 1, sizeof(*d->offs));
	d->items = calloc(d->nout * d->each + 1, sizeof(*d->items));
	d->ritems = calloc(d->nin * d->each + 1, sizeof(*d->ritems));
	d->roots = calloc(d->each, sizeof(*d->roots));
	if (!d->dests || !d->ranks || !d->offs || !d->items || !d->ritems ||
	    !d->roots) {
		wsim_dist_free(d);
		return NULL;
	}
	find_neighbors(d);
	find_dests(d);
	return d;
}

static int free_dists(struct wsim_dist *d)
{
	int inverse = weft_dist_free(&d->inverse);
	int along = weft_dist_free(&d->along);

	return inverse ? inverse : along;
}

void wsim_dist_free(struct wsim_dist *d)
{
	if (!d)
		return;
	(void)free_dists(d);
	free(d->dests);
	free(d->ranks);
	free(d->offs);
	free(d->items);
	free(d->ritems);
	free(d->roots);
	free(d);
}

/* ---- calls ---- */

static struct weft_packets packets(double *base, size_t n)
{
	return (struct weft_packets){
		.base = base, .type = &weft_type_double, .width = 1, .n = n
	};
}

static int create(struct wsim_dist *d, struct weft_comm *world)
{
	int status = weft_dist_create(world, d->dests, d->nout * d->each,
				      (int32_t)d->each, &d->along);

	return status ? status : weft_dist_invert(d->along, &d->inverse);
}

int wsim_dist_call(struct wsim_dist *d, struct weft_comm *world, long op)
{
	const struct weft_packets items = packets(d->items, d->nout * d->each);
	const struct weft_packets ritems = packets(d->ritems,
						   d->nin * d->each);
	const struct weft_packets roots = packets(d->roots, d->each);

	switch (phase_of(op)) {
	case CREATE:
		return create(d, world);
	case EXCH_FIRST:
	case EXCH:
		return weft_dist_exch(d->along, &items, &ritems);
	case REVERSE_FIRST:
	case REVERSE:
		return weft_dist_exch(d->inverse, &roots, &items);
	case EXCH_REDUCE:
		return weft_dist_exch_reduce(d->along, &items, &weft_op_sum,
					     &roots);
	default:
		return free_dists(d);
	}
}

/* ---- values ---- */

static void give(const struct wsim_dist *d, double *to, size_t n, long op)
{
	for (size_t i = 0; i < n; i++)
		to[i] = wsim_given(d->me, i, op);
}

static void spoil(double *to, size_t n)
{
	memset(to, 0xa5, n * sizeof(*to));
}

void wsim_dist_fill(struct wsim_dist *d, long op)
{
	size_t nitems = d->nout * d->each;

	switch (phase_of(op)) {
	case EXCH_FIRST:
	case EXCH:
		give(d, d->items, nitems, op);
		spoil(d->ritems, d->nin * d->each);
		break;
	case REVERSE_FIRST:
	case REVERSE:
		give(d, d->roots, d->each, op);
		spoil(d->items, nitems);
		break;
	case EXCH_REDUCE:
		give(d, d->items, nitems, op);
		spoil(d->roots, d->each);
		break;
	default:
		break;
	}
}

/* What the i-th edge to this rank brings to a root. */
static double brought(const struct wsim_dist *d, size_t i, size_t root,
		      long op)
{
	const struct wsim_graph *g = d->run->graph;
	size_t at = g->in[d->me] + i;
	size_t edge = g->edge[at] - g->out[g->from[at]];

	return wsim_given(g->from[at], edge * d->each + item_of(d, edge, root),
			  op);
}

/* Items of a root are in the order of sources and of their edges. */
static size_t check_ritems(const struct wsim_dist *d, long op)
{
	size_t wrong = 0;

	for (size_t r = 0; r < d->each; r++)
		for (size_t i = 0; i < d->nin; i++)
			wrong += d->ritems[r * d->nin + i] !=
				 brought(d, i, r, op);
	return wrong;
}

/* Of integers below 2^53. */
static size_t check_sums(const struct wsim_dist *d, long op)
{
	size_t wrong = 0;

	for (size_t r = 0; r < d->each; r++) {
		double sum = 0;

		for (size_t i = 0; i < d->nin; i++)
			sum += brought(d, i, r, op);
		wrong += d->roots[r] != sum;
	}
	return wrong;
}

static size_t check_items(const struct wsim_dist *d, long op)
{
	size_t wrong = 0;

	for (size_t e = 0; e < d->nout; e++)
		for (size_t k = 0; k < d->each; k++)
			wrong += d->items[e * d->each + k] !=
				 wsim_given(targets(d)[e], root_of(d, e, k),
					    op);
	return wrong;
}

/* A message for each neighbour, which has items. */
static size_t check_pattern(const struct wsim_dist *d)
{
	const int32_t *ranks, *offs;
	size_t nranks = 0, noffs = 0, nritems = 0, ndests = 0;

	return weft_dist_msgs2ranks(d->along, &ranks, &nranks) ||
	       weft_dist_msgs2content(d->along, &offs, &noffs) ||
	       weft_dist_nritems(d->along, &nritems) ||
	       weft_dist_ndests(d->along, &ndests) ||
	       nranks != d->nnbrs || noffs != d->nnbrs + 1 ||
	       memcmp(ranks, d->ranks, nranks * sizeof(*ranks)) ||
	       memcmp(offs, d->offs, noffs * sizeof(*offs)) ||
	       nritems != d->nin * d->each || ndests != d->each;
}

size_t wsim_dist_check(struct wsim_dist *d, long op)
{
	switch (phase_of(op)) {
	case CREATE:
		return check_pattern(d);
	case EXCH_FIRST:
	case EXCH:
		return check_ritems(d, op);
	case REVERSE_FIRST:
	case REVERSE:
		return check_items(d, op);
	case EXCH_REDUCE:
		return check_sums(d, op);
	default:
		return 0;
	}
}

/* ---- figures ---- */

static uint64_t segment_bytes(const struct weft_job *job)
{
	const struct wf_alloc *a = &job->segment.blocks;
	uint64_t bytes = 0;

	for (size_t i = 0; i < a->count; i++)
		bytes += a->blocks[i].bytes;
	return bytes;
}

/* Heap is that of all ranks: the first to come looks. */
void wsim_dist_measure(struct wsim_dist *d, struct weft_comm *world, long op)
{
	bool is_first = !d->run->entered[op];
	struct wsim_use *use = &d->run->use;

	if (phase_of(op) == CREATE) {
		d->segment = segment_bytes(world->job);
		use->heap -= is_first ? fail_malloc_bytes() : 0;
	} else if (phase_of(op) == FREE) {
		use->segment += (int64_t)(segment_bytes(world->job) -
					  d->segment);
		use->heap += is_first ? fail_malloc_bytes() : 0;
		use->neighbors += d->nnbrs;
	}
}
