/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of simulated ranks, and their results: see weft_sim_colls.h. */
#include "tools/weft-sim/weft_sim_colls.h"

#include <string.h>
#include "bench/weft_bench_pattern.h"

static int root_of(const struct wsim_run *run)
{
	long last = run->ranks - 1, root = run->options->root;

	return (int)(root < last ? root : last);
}

size_t wsim_coll_room(const struct wsim_run *run, int me, bool sent)
{
	size_t all = (size_t)run->ranks;
	bool is_root = me == root_of(run);

	switch (run->options->command) {
	case WSIM_ALLGATHER:
		return sent ? 1 : all;
	case WSIM_ALLTOALL:
		return all;
	case WSIM_GATHER:
		return !sent && is_root ? all : 1;
	case WSIM_SCATTER:
		return sent && is_root ? all : 1;
	default:
		return 1;
	}
}

/* ---- sums ---- */

static double given(int rank, size_t i, long op)
{
	uint64_t x = (uint64_t)rank * 7919 + i * 104729 + (uint64_t)op * 31;

	return (double)(x % 1000003);
}

static size_t period(const struct wsim_run *run)
{
	size_t n = run->bytes / sizeof(double);

	return n < WSIM_PERIOD ? n : WSIM_PERIOD;
}

/* Of the ranks [0, end). Sums of integers below 2^53: any order will do. */
static void sum(const struct wsim_run *run, int end, long op, double *to)
{
	memset(to, 0, period(run) * sizeof(*to));
	for (int r = 0; r < end; r++)
		for (size_t i = 0; i < period(run); i++)
			to[i] += given(r, i, op);
}

/* Of all ranks, once for all of them; of those up to one. */
static const double *wanted(const struct wsim_coll *c, long op)
{
	struct wsim_run *run = c->run;
	bool all = run->options->command != WSIM_SCAN;

	if (!all || run->want_op != op)
		sum(run, all ? run->ranks : c->me + 1, op, run->want);
	run->want_op = op;
	return run->want;
}

static void fill_vector(const struct wsim_coll *c, long op)
{
	double *in = (double *)c->send;
	size_t n = c->run->bytes / sizeof(double);

	for (size_t i = 0; i < n; i++)
		in[i] = given(c->me, i % WSIM_PERIOD, op);
	memset(c->recv, 0xa5, c->run->bytes);
}

static size_t check_vector(const struct wsim_coll *c, long op)
{
	const double *out = (const double *)c->recv;
	size_t n = c->run->bytes / sizeof(double), wrong = 0;
	const double *want;

	if (c->run->options->command == WSIM_REDUCE &&
	    c->me != root_of(c->run))
		return 0;
	want = wanted(c, op);
	for (size_t i = 0; i < n; i++)
		wrong += out[i] != want[i % WSIM_PERIOD];
	return wrong * sizeof(double);
}

/* ---- what is moved ---- */

/* From a rank to one, or (-1) to any. */
static struct bench_stamp stamp(int from, int to, long op)
{
	return (struct bench_stamp){ (uint32_t)from, (uint32_t)(to + 1),
				     (uint64_t)op };
}

/* To which rank is the i-th vector that this one gives? */
static int receiver(const struct wsim_run *run, size_t i)
{
	enum wsim_command command = run->options->command;

	return command == WSIM_ALLTOALL || command == WSIM_SCATTER ? (int)i :
								     -1;
}

static void fill_moved(const struct wsim_coll *c, long op)
{
	struct wsim_run *run = c->run;
	bool bcast = run->options->command == WSIM_BCAST;
	char *from = bcast ? c->recv : c->send;

	memset(c->recv, 0xa5, wsim_coll_room(run, c->me, false) * run->bytes);
	if (bcast && c->me != root_of(run))
		return;
	for (size_t i = 0; i < wsim_coll_room(run, c->me, true); i++)
		bench_pattern_fill(from + i * run->bytes, run->bytes,
				   stamp(c->me, receiver(run, i), op));
}

static int sender(const struct wsim_run *run, size_t i)
{
	enum wsim_command command = run->options->command;

	return command == WSIM_BCAST || command == WSIM_SCATTER ?
	       root_of(run) : (int)i;
}

static size_t check_moved(const struct wsim_coll *c, long op)
{
	struct wsim_run *run = c->run;
	int to = receiver(run, (size_t)c->me);
	size_t wrong = 0;

	if (run->options->command == WSIM_GATHER && c->me != root_of(run))
		return 0;
	for (size_t i = 0; i < wsim_coll_room(run, c->me, false); i++)
		wrong += bench_pattern_check(c->recv + i * run->bytes,
					     run->bytes,
					     stamp(sender(run, i), to, op));
	return wrong;
}

/* ---- all of them ---- */

static bool is_moved(const struct wsim_run *run)
{
	return !wsim_has_doubles(run->options);
}

void wsim_coll_fill(const struct wsim_coll *c, long op)
{
	if (is_moved(c->run))
		fill_moved(c, op);
	else
		fill_vector(c, op);
}

size_t wsim_coll_check(const struct wsim_coll *c, long op)
{
	return is_moved(c->run) ? check_moved(c, op) : check_vector(c, op);
}

static int call_sum(const struct wsim_coll *c)
{
	struct weft_part out = weft_part(c->recv,
					 c->run->bytes / sizeof(double),
					 &weft_type_double);

	switch (c->run->options->command) {
	case WSIM_REDUCE:
		return weft_reduce(c->comm, c->send, out, &weft_op_sum,
				   root_of(c->run));
	case WSIM_SCAN:
		return weft_scan(c->comm, c->send, out, &weft_op_sum);
	default:
		return weft_allreduce(c->comm, c->send, out, &weft_op_sum);
	}
}

int wsim_coll_call(const struct wsim_coll *c)
{
	struct weft_part send = weft_part(c->send, c->run->bytes,
					  &weft_type_byte);
	struct weft_part recv = weft_part(c->recv, c->run->bytes,
					  &weft_type_byte);
	int root = root_of(c->run);

	switch (c->run->options->command) {
	case WSIM_BCAST:
		return weft_bcast(c->comm, recv, root);
	case WSIM_ALLGATHER:
		return weft_allgather(c->comm, send, recv);
	case WSIM_ALLTOALL:
		return weft_alltoall(c->comm, send, recv);
	case WSIM_GATHER:
		return weft_gather(c->comm, send, recv, root);
	case WSIM_SCATTER:
		return weft_scatter(c->comm, send, recv, root);
	default:
		return call_sum(c);
	}
}
