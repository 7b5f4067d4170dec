/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations one after the other, in samples that begin together.
 *
 * Exchanges are persistent, from and into memory of weft_mem_alloc(), with one
 * edge each way; nobody touches the buffers in between.
 */
#include "tools/weft-sim/weft_sim_ops.h"

#include <weft.h>

enum {
	SHORT_COUNT = 200,	/* operations of a sample */
	LONG_COUNT = 10,
	LONG_BYTES = 32768
};

const struct wsim_op wsim_ops[WSIM_OPS] = {
	{ "barrier", 0 }, { "allreduce", 8 }, { "exchange", 8 },
	{ "exchange", 1024 }, { "exchange", 16384 }, { "exchange", 65536 },
	{ "exchange", 262144 }, { "exchange", 1048576 }
};

struct timed {
	struct weft_comm *comm;
	struct weft_request *req;
	int (*call)(struct timed *timed);
};

static int barrier(struct timed *timed)
{
	return weft_barrier(timed->comm);
}

static int allreduce(struct timed *timed)
{
	double in = 1, out;

	return weft_allreduce(timed->comm, &in,
			      weft_part(&out, 1, &weft_type_double),
			      &weft_op_sum);
}

static int exchange(struct timed *timed)
{
	int status = weft_request_start(timed->req);

	return status ? status : weft_request_wait(timed->req);
}

static double sample(const struct wsim_place *place, struct timed *timed,
		     int n)
{
	double start;

	wsim_pair_check(weft_barrier(weft_job_world(place->job)), "barrier");
	start = place->now(place->arg);
	for (int i = 0; i < n; i++)
		wsim_pair_check(timed->call(timed), "operation");
	return (place->now(place->arg) - start) / n;
}

/* The first sample opens channels. */
static double fastest(const struct wsim_place *place, struct timed *timed,
		      size_t bytes)
{
	int n = bytes < LONG_BYTES ? SHORT_COUNT : LONG_COUNT;
	double best = sample(place, timed, n);

	for (int i = 0; i < place->samples; i++) {
		double us = sample(place, timed, n);

		if (!i || us < best)
			best = us;
	}
	return best;
}

/* With the other rank, or with itself. */
static double time_exchange(const struct wsim_place *place, int with,
			    size_t bytes)
{
	struct weft_edges edges = { 1, &with, NULL };
	const ptrdiff_t displ = 0;
	struct weft_vec send = { .type = &weft_type_byte, .counts = &bytes,
				 .displs = &displ };
	struct weft_vec recv = send;
	struct timed timed = { .call = exchange };
	double us;

	wsim_pair_check(weft_mem_alloc(place->job, bytes, &send.base),
			"a buffer");
	wsim_pair_check(weft_mem_alloc(place->job, bytes, &recv.base),
			"a buffer");
	wsim_pair_check(weft_graph_create_adjacent(
				weft_job_world(place->job), &edges, &edges,
				NULL, false, &timed.comm), "a graph");
	wsim_pair_check(weft_neighbor_alltoallv_init(timed.comm, &send, &recv,
						     &timed.req),
			"an exchange");
	us = fastest(place, &timed, bytes);
	wsim_pair_check(weft_request_free(&timed.req), "an exchange");
	wsim_pair_check(weft_comm_free(&timed.comm), "a graph");
	weft_mem_free(place->job, send.base);
	weft_mem_free(place->job, recv.base);
	return us;
}

void wsim_ops_time(const struct wsim_place *place, double us[WSIM_OPS])
{
	struct timed timed = { .comm = weft_job_world(place->job) };

	for (int i = 0; i < WSIM_OPS; i++) {
		const struct wsim_op *op = &wsim_ops[i];

		if (*op->name == 'e') {
			us[i] = time_exchange(place, !place->rank, op->bytes);
			continue;
		}
		timed.call = *op->name == 'b' ? barrier : allreduce;
		us[i] = fastest(place, &timed, op->bytes);
	}
}

double wsim_ops_alone(const struct wsim_place *place, size_t bytes)
{
	return time_exchange(place, place->rank, bytes);
}
