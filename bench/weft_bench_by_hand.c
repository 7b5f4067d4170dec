/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather, exchange, scatter: see weft_bench_by_hand.h. */
#include "bench/weft_bench_by_hand.h"

#include <stdlib.h>
#include <string.h>

static int list_others(struct bench_by_hand *h)
{
	const struct bench_run *run = h->p->run;
	size_t room = (size_t)run->ranks, doubles = h->p->nroots * h->p->width;
	int n = 0;

	h->ranks = calloc(room, sizeof(*h->ranks));
	h->counts = calloc(room, sizeof(*h->counts));
	h->displs = calloc(room, sizeof(*h->displs));
	if (!h->ranks || !h->counts || !h->displs)
		return WEFT_ERR_NOMEM;
	for (int rank = 0; rank < run->ranks; rank++) {
		if (rank == run->rank)
			continue;
		h->ranks[n] = rank;
		h->counts[n] = doubles;
		h->displs[n] = n * (ptrdiff_t)doubles;
		n++;
	}
	return WEFT_OK;
}

static int make_graph(struct bench_by_hand *h)
{
	const struct bench_run *run = h->p->run;
	struct weft_edges edges = { run->ranks - 1, h->ranks, NULL };

	return weft_graph_create_adjacent(run->world, &edges, &edges, NULL,
					  false, &h->graph);
}

int bench_by_hand_open(struct bench_by_hand *h, const struct bench_packets *p,
		       const struct weft_dist *dist,
		       const struct weft_dist *inverse)
{
	size_t n;
	int status;

	*h = (struct bench_by_hand){ .p = p };
	status = list_others(h);
	if (status == WEFT_OK)
		status = weft_dist_items2content(dist, &h->items2content, &n);
	if (status == WEFT_OK)
		status = weft_dist_items2content(inverse, &h->ritems2content,
						 &n);
	if (status == WEFT_OK)
		status = bench_packets_room(p, p->nitems, &h->out);
	if (status == WEFT_OK)
		status = bench_packets_room(p, p->nitems, &h->in);
	return status == WEFT_OK ? make_graph(h) : status;
}

int bench_by_hand_close(struct bench_by_hand *h)
{
	int status = weft_comm_free(&h->graph);

	if (h->p) {
		bench_packets_leave(h->p, &h->out);
		bench_packets_leave(h->p, &h->in);
	}
	free(h->ranks);
	free(h->counts);
	free(h->displs);
	*h = (struct bench_by_hand){ .p = NULL };
	return status;
}

/* One double is copied as such, as a program would. */
static void gather(const struct bench_packets *p, const int32_t *map,
		   double *content)
{
	const double *items = p->items;
	size_t width = p->width;

	if (!map)
		memcpy(content, items, p->nitems * width * sizeof(*items));
	else if (width == 1)
		for (size_t i = 0; i < p->nitems; i++)
			content[map[i]] = items[i];
	else
		for (size_t i = 0; i < p->nitems; i++)
			memcpy(&content[(size_t)map[i] * width],
			       &items[i * width], width * sizeof(*items));
}

static void scatter(const struct bench_packets *p, const int32_t *map,
		    const double *content)
{
	double *items = p->ritems;
	size_t width = p->width;

	if (!map)
		memcpy(items, content, p->nitems * width * sizeof(*items));
	else if (width == 1)
		for (size_t i = 0; i < p->nitems; i++)
			items[i] = content[map[i]];
	else
		for (size_t i = 0; i < p->nitems; i++)
			memcpy(&items[i * width],
			       &content[(size_t)map[i] * width],
			       width * sizeof(*items));
}

int bench_by_hand_exchange(const struct bench_by_hand *h)
{
	struct weft_vec send = {
		.base = h->out, .type = &weft_type_double,
		.counts = h->counts, .displs = h->displs
	}, recv = send;
	int status;

	recv.base = h->in;
	gather(h->p, h->items2content, h->out);
	status = weft_neighbor_alltoallv(h->graph, &send, &recv);
	if (status == WEFT_OK)
		scatter(h->p, h->ritems2content, h->in);
	return status;
}
