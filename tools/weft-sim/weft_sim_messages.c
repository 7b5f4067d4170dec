/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched messages along the edges of a graph.
 *
 * The tag is the number of an edge among those of its source, so that the order
 * in which a rank has its edges does not matter.
 */
#include "tools/weft-sim/weft_sim_messages.h"

#include <stdlib.h>

#include <weft.h>

#include "tools/weft-sim/weft_sim_graph.h"

static int receive(const struct wsim_run *run, struct weft_comm *world,
		   char *recv, struct weft_request **req)
{
	const struct wsim_graph *g = run->graph;
	size_t first = g->in[weft_comm_rank(world)], bytes = run->bytes;
	size_t n = g->in[weft_comm_rank(world) + 1] - first;
	int status = WEFT_OK;

	for (size_t i = 0; !status && i < n; i++) {
		int from = g->from[first + i];
		int tag = (int)(g->edge[first + i] - g->out[from]);

		status = weft_irecv(world, recv + i * bytes, bytes,
				    &weft_type_byte, weft_from(from, tag),
				    &req[i]);
	}
	return status;
}

static int send(const struct wsim_run *run, struct weft_comm *world,
		const char *send, struct weft_request **req)
{
	const struct wsim_graph *g = run->graph;
	size_t first = g->out[weft_comm_rank(world)], bytes = run->bytes;
	size_t n = g->out[weft_comm_rank(world) + 1] - first;
	int status = WEFT_OK;

	for (size_t i = 0; !status && i < n; i++)
		status = weft_isend(world, send + i * bytes, bytes,
				    &weft_type_byte,
				    weft_to(g->to[first + i], (int)i), &req[i]);
	return status;
}

/* A receive whose message was never asked for would wait for ever. */
static int end(struct weft_request **req, size_t nin, size_t n, int status)
{
	int all = WEFT_OK;

	for (size_t i = 0; status && !all && i < nin; i++)
		if (req[i])
			all = weft_request_cancel(req[i]);
	if (!all)
		all = weft_request_wait_all(req, (int)n, NULL);
	for (size_t i = 0; i < n; i++) {
		int freed = weft_request_free(&req[i]);

		all = all ? all : freed;
	}
	return status ? status : all;
}

int wsim_messages_pass(const struct wsim_run *run, struct weft_comm *world,
		       const char *out, char *in)
{
	const struct wsim_graph *g = run->graph;
	int me = weft_comm_rank(world), status;
	size_t nin = g->in[me + 1] - g->in[me];
	size_t n = nin + g->out[me + 1] - g->out[me];
	struct weft_request **req = calloc(n + 1, sizeof(*req));

	if (!req)
		return WEFT_ERR_NOMEM;
	status = receive(run, world, in, req);
	if (!status)
		status = send(run, world, out, req + nin);
	status = end(req, nin, n, status);
	free(req);
	return status;
}
