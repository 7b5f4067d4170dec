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

/* Who gives what to whom is the same, whether lengths differ or not. */
static enum wsim_command pattern(const struct wsim_run *run)
{
	switch (run->options->command) {
	case WSIM_ALLTOALLV:
		return WSIM_ALLTOALL;
	case WSIM_GATHERV:
		return WSIM_GATHER;
	case WSIM_SCATTERV:
		return WSIM_SCATTER;
	default:
		return run->options->command;
	}
}

size_t wsim_coll_room(const struct wsim_run *run, int me, bool sent)
{
	size_t all = (size_t)run->ranks;
	bool is_root = me == root_of(run);

	switch (pattern(run)) {
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

static size_t quarters(size_t bytes, size_t key)
{
	return bytes * (1 + key % 4) / 4;
}

size_t wsim_coll_length(const struct wsim_run *run, int me, size_t rank)
{
	switch (run->options->command) {
	case WSIM_ALLTOALLV:
		return quarters(run->bytes, (size_t)me + rank);
	case WSIM_GATHERV:
	case WSIM_SCATTERV:
		return quarters(run->bytes, rank);
	default:
		return run->bytes;
	}
}

/* Of the i-th of all, or of the own one where a rank has no others. */
static size_t length(const struct wsim_coll *c, size_t i, bool sent)
{
	bool all = wsim_coll_room(c->run, c->me, sent) > 1;

	return wsim_coll_length(c->run, c->me, all ? i : (size_t)c->me);
}

/* ---- sums ---- */

double wsim_given(int rank, size_t i, long op)
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
			to[i] += wsim_given(r, i, op);
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
		in[i] = wsim_given(c->me, i % WSIM_PERIOD, op);
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
	enum wsim_command like = pattern(run);

	return like == WSIM_ALLTOALL || like == WSIM_SCATTER ? (int)i : -1;
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
		bench_pattern_fill(from + i * run->bytes, length(c, i, true),
				   stamp(c->me, receiver(run, i), op));
}

static int sender(const struct wsim_run *run, size_t i)
{
	enum wsim_command like = pattern(run);

	return like == WSIM_BCAST || like == WSIM_SCATTER ? root_of(run) :
							    (int)i;
}

static size_t check_moved(const struct wsim_coll *c, long op)
{
	struct wsim_run *run = c->run;
	int to = receiver(run, (size_t)c->me);
	size_t wrong = 0;

	if (pattern(run) == WSIM_GATHER && c->me != root_of(run))
		return 0;
	for (size_t i = 0; i < wsim_coll_room(run, c->me, false); i++)
		wrong += bench_pattern_check(c->recv + i * run->bytes,
					     length(c, i, false),
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

/* The vector of this rank, as long as it is where lengths differ. */
static struct weft_part own(const struct wsim_coll *c, char *base)
{
	return weft_part(base, wsim_coll_length(c->run, c->me, (size_t)c->me),
			 &weft_type_byte);
}

static struct weft_vec all(const struct wsim_coll *c, char *base)
{
	return (struct weft_vec){
		.base = base, .type = &weft_type_byte, .counts = c->counts,
		.displs = c->displs
	};
}

static int call_varying(const struct wsim_coll *c)
{
	const struct weft_vec send = all(c, c->send), recv = all(c, c->recv);
	int root = root_of(c->run);

	switch (c->run->options->command) {
	case WSIM_ALLTOALLV:
		return weft_alltoallv(c->comm, &send, &recv);
	case WSIM_GATHERV:
		return weft_gatherv(c->comm, own(c, c->send), &recv, root);
	default:
		return weft_scatterv(c->comm, &send, own(c, c->recv), root);
	}
}

int wsim_coll_call(const struct wsim_coll *c)
{
	struct weft_part send = own(c, c->send), recv = own(c, c->recv);
	int root = root_of(c->run);

	if (pattern(c->run) != c->run->options->command)
		return call_varying(c);
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
