/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owns the exchange: its graph, its request, and the memory that travels.
 * Called by cg_solve.c once per product; the lists come from cg_pattern.c.
 */
#include "cg_halo.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <weft.h>

#include "cg_pattern.h"

static int alloc_doubles(struct cg_halo *halo, int64_t n, double **base_p,
			 struct cg_why *why)
{
	void *base;
	int status;

	status = weft_mem_alloc(halo->ranks->job, (size_t)n * sizeof(double),
				&base);
	if (status)
		return cg_fail_memory(why, "the vector of the exchange");
	memset(base, 0, (size_t)n * sizeof(double));
	*base_p = base;
	return 0;
}

static int prepare(struct cg_halo *halo, const struct cg_blocks *blocks,
		   struct cg_csr *a, struct cg_why *why)
{
	if (cg_pattern_make(halo, blocks, a, why) ||
	    alloc_doubles(halo, halo->own + halo->size, &halo->vector, why) ||
	    alloc_doubles(halo, halo->picked, &halo->outbox, why))
		return -1;
	return 0;
}

static int connect(struct cg_halo *halo)
{
	struct weft_edges edges = { .n = halo->neighbours,
				    .ranks = halo->nbr2rank };
	struct weft_vec send = { .base = halo->outbox, .counts = halo->out,
				 .displs = halo->out_at };
	struct weft_vec recv = { .base = halo->vector + halo->own,
				 .counts = halo->in, .displs = halo->in_at };
	int status;

	send.type = &weft_type_double;
	recv.type = &weft_type_double;
	status = weft_graph_create_adjacent(halo->ranks->world, &edges, &edges,
					    NULL, false, &halo->graph);
	if (cg_called(halo->ranks, "creating the graph", status))
		return -1;
	status = weft_neighbor_alltoallv_init(halo->graph, &send, &recv,
					      &halo->exchange);
	return cg_called(halo->ranks, "preparing the exchange", status);
}

int cg_halo_open(struct cg_halo *halo, const struct cg_ranks *ranks,
		 const struct cg_blocks *blocks, struct cg_csr *a)
{
	struct cg_why why;

	memset(halo, 0, sizeof(*halo));
	halo->ranks = ranks;
	if (!cg_agree(ranks, prepare(halo, blocks, a, &why), &why) &&
	    !connect(halo))
		return 0;
	cg_halo_close(halo);
	return -1;
}

void cg_halo_close(struct cg_halo *halo)
{
	struct weft_job *job = halo->ranks->job;

	(void)cg_called(halo->ranks, "freeing the exchange",
			weft_request_free(&halo->exchange));
	if (halo->graph)
		(void)cg_called(halo->ranks, "freeing the graph",
				weft_comm_free(&halo->graph));
	weft_mem_free(job, halo->vector);
	weft_mem_free(job, halo->outbox);
	cg_pattern_free(halo);
	memset(halo, 0, sizeof(*halo));
}

int cg_halo_start(struct cg_halo *halo)
{
	int64_t i;

	for (i = 0; i < halo->picked; i++)
		halo->outbox[i] = halo->vector[halo->outbox2row[i]];
	return cg_called(halo->ranks, "starting the exchange",
			 weft_request_start(halo->exchange));
}

int cg_halo_wait(struct cg_halo *halo)
{
	return cg_called(halo->ranks, "the exchange",
			 weft_request_wait(halo->exchange));
}

int cg_halo_carriers(const struct cg_halo *halo,
		     struct cg_carrier list[CG_CARRIERS])
{
	struct weft_edge_info info;
	struct cg_carrier one;
	char host[256] = "";
	int k, status;

	gethostname(host, sizeof(host) - 1);
	memset(list, 0, CG_CARRIERS * sizeof(*list));
	for (k = 0; k < halo->neighbours; k++) {
		status = weft_graph_edge(halo->graph, true, k, &info);
		if (cg_called(halo->ranks, "asking about an edge", status))
			return -1;
		memset(&one, 0, sizeof(one));
		snprintf(one.transport, sizeof(one.transport), "%s",
			 info.transport ? info.transport : "not connected");
		one.same_host = info.host && strcmp(info.host, host) == 0;
		one.edges = 1;
		one.bytes = (int64_t)(halo->out[k] * sizeof(double));
		cg_carrier_add(list, &one);
	}
	return 0;
}

int64_t cg_halo_bytes(const struct cg_halo *halo)
{
	return halo->picked * (int64_t)sizeof(*halo->outbox);
}
