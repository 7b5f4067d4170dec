/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft-bench pingpong, strided and rate: matched messages between the ranks 2k
 * and 2k + 1; the last one of an odd number has nothing to do.
 *
 * rate is a window of messages, for which receives wait, and an empty message
 * back; its time is that of one message.
 *
 * No pair needs another one: where pairs share cores, one may have done its
 * part before the next begins.  So a sample lasts from the first rank's start
 * to the last one's end, where they have one clock.
 */
#include "bench/weft_bench_run.h"
#include "bench/weft_bench_time.h"

#include <stdlib.h>
#include <string.h>

enum {
	WINDOW = 64
};

struct messages {
	struct bench_run *run;
	int other;		/* rank; WEFT_PROC_NULL: none */
	bool first;		/* it begins */
	bool one_clock;		/* all ranks are on one node */
	char *out, *in;
	size_t bytes;
	bool strided;
	struct weft_type *pieces;	/* one message; NULL: its bytes */
};

/* From its first byte to its last one. */
static size_t span(const struct messages *m)
{
	return m->strided ? 2 * m->bytes : m->bytes;
}

static int make_type(struct messages *m)
{
	int status;

	m->pieces = NULL;
	if (!m->strided)
		return WEFT_OK;
	status = weft_type_hvector(m->run->job, m->bytes / BENCH_PIECE,
				   BENCH_PIECE, 2 * BENCH_PIECE,
				   &weft_type_byte, &m->pieces);
	return status ? status : weft_type_commit(m->pieces);
}

static int allocate(struct messages *m)
{
	struct weft_job *job = m->run->job;
	size_t bytes = span(m) + 64;
	void *out = NULL, *in = NULL;
	int status = make_type(m);

	if (status)
		return status;
	if (m->run->options->heap) {
		out = calloc(1, bytes);
		in = calloc(1, bytes);
		status = out && in ? WEFT_OK : WEFT_ERR_NOMEM;
	} else {
		status = weft_mem_alloc(job, bytes, &out);
		if (status == WEFT_OK)
			status = weft_mem_alloc(job, bytes, &in);
	}
	m->out = out;
	m->in = in;
	return status;
}

static int release(struct messages *m)
{
	if (m->run->options->heap) {
		free(m->out);
		free(m->in);
	} else {
		weft_mem_free(m->run->job, m->out);
		weft_mem_free(m->run->job, m->in);
	}
	return m->pieces ? weft_type_free(&m->pieces) : WEFT_OK;
}

static int send(struct messages *m, size_t bytes)
{
	if (m->pieces)
		return weft_send(m->run->world, m->out, 1, m->pieces,
				 weft_to(m->other, 0));
	return weft_send(m->run->world, m->out, bytes, &weft_type_byte,
			 weft_to(m->other, 0));
}

static int receive(struct messages *m, size_t bytes)
{
	if (m->pieces)
		return weft_recv(m->run->world, m->in, 1, m->pieces,
				 weft_from(m->other, 0), NULL);
	return weft_recv(m->run->world, m->in, bytes, &weft_type_byte,
			 weft_from(m->other, 0), NULL);
}

static int ping_pong(struct messages *m)
{
	int status = m->first ? send(m, m->bytes) : WEFT_OK;

	if (status == WEFT_OK)
		status = receive(m, m->bytes);
	if (status == WEFT_OK && !m->first)
		status = send(m, m->bytes);
	return status;
}

/* Microseconds of all pairs, since this rank's start: collective. */
static int time_all(const struct messages *m, double start, double *us_p)
{
	double at[2] = { -start, bench_now() };
	int status = WEFT_OK;

	if (m->one_clock)
		status = weft_allreduce(m->run->world, WEFT_IN_PLACE,
					weft_part(at, 2, &weft_type_double),
					&weft_op_max);
	*us_p = at[0] + at[1];
	return status;
}

static int time_ping_pong(void *arg, long n, double *us_p)
{
	double start = bench_now();
	int status = WEFT_OK;

	for (long i = 0; i < n && status == WEFT_OK; i++)
		status = ping_pong(arg);
	if (status == WEFT_OK)
		status = time_all(arg, start, us_p);
	*us_p /= 2 * (double)n;
	return status;
}

/* n messages in one direction. */
static int burst(struct messages *m, struct weft_request **req)
{
	struct weft_comm *world = m->run->world;
	int status = WEFT_OK, all, freed;

	for (int i = 0; i < WINDOW && status == WEFT_OK; i++)
		status = m->first ?
			weft_isend(world, m->out, m->bytes, &weft_type_byte,
				   weft_to(m->other, 0), &req[i]) :
			weft_irecv(world, m->in, m->bytes, &weft_type_byte,
				   weft_from(m->other, 0), &req[i]);
	all = weft_request_wait_all(req, WINDOW, NULL);
	freed = weft_request_free_all(req, WINDOW);
	if (all == WEFT_OK)
		all = freed;
	return status == WEFT_OK ? all : status;
}

static int time_rate(void *arg, long n, double *us_p)
{
	struct weft_request *req[WINDOW] = { NULL };
	struct messages *m = arg;
	double start = bench_now();
	int status = WEFT_OK;
	long done = 0;

	for (; done < n && status == WEFT_OK; done += WINDOW) {
		status = burst(m, req);
		if (status == WEFT_OK)
			status = m->first ? receive(m, 0) : send(m, 0);
	}
	if (status == WEFT_OK)
		status = time_all(m, start, us_p);
	*us_p /= (double)done;
	return status;
}

static bool is_sent(const struct messages *m, size_t i)
{
	return !m->strided || i / BENCH_PIECE % 2 == 0;
}

/* Another content with each round trip; what lies between stays. */
static int verify(struct messages *m, size_t *wrong_p)
{
	long count = bench_verify_count(m->bytes);
	int status = WEFT_OK;

	for (long k = 0; k < count && status == WEFT_OK; k++) {
		char mine = (char)(2 * k + m->first);
		char theirs = (char)(2 * k + !m->first);

		memset(m->out, mine, span(m));
		memset(m->in, mine, span(m));
		status = ping_pong(m);
		for (size_t i = 0; i < span(m); i++)
			*wrong_p += m->other != WEFT_PROC_NULL && m->in[i] !=
				    (is_sent(m, i) ? theirs : mine);
	}
	return status;
}

static int run_line(struct messages *m, bench_timed timed)
{
	struct bench_run *run = m->run;
	bool short_ones = m->bytes <= 1024;
	struct bench_line line = {
		.bytes = m->bytes,
		.bound = !run->ratios || timed == time_rate ? BENCH_NO_BOUND :
			 short_ones ? BENCH_BY_FLAG : BENCH_BY_COPY,
		.checked = run->options->verify
	};
	int status = WEFT_OK;
	size_t wrong = 0;

	if (line.checked)
		status = verify(m, &wrong);
	if (status == WEFT_OK)
		status = bench_time(run, timed, m, m->bytes, &line.times);
	if (status == WEFT_OK && line.checked)
		status = bench_sum_wrong(run, wrong, &line.wrong);
	if (status == WEFT_OK)
		bench_report_line(run->report, &line);
	return status;
}

static int find_clocks(struct messages *m)
{
	struct weft_comm *node = NULL;
	int status = weft_comm_split_type(m->run->world, WEFT_SPLIT_NODE, 0,
					  &node);

	if (status != WEFT_OK)
		return status;
	m->one_clock = weft_comm_size(node) == m->run->ranks;
	return weft_comm_free(&node);
}

static int run_sizes(struct bench_run *run, const char *title,
		     bench_timed timed)
{
	struct messages m = {
		.run = run, .other = run->rank ^ 1,
		.strided = bench_case_has(run->options->command, BENCH_PIECES)
	};
	int status = find_clocks(&m), freed;

	m.first = !(run->rank & 1);
	if (m.other >= run->ranks)
		m.other = WEFT_PROC_NULL;
	bench_report_case(run->report, title);
	for (int i = 0; i < run->options->nsizes && status == WEFT_OK; i++) {
		m.bytes = run->options->sizes[i];
		status = allocate(&m);
		if (status == WEFT_OK)
			status = run_line(&m, timed);
		freed = release(&m);
		if (status == WEFT_OK)
			status = freed;
	}
	return status;
}

int bench_run_pingpong(struct bench_run *run)
{
	return run_sizes(run, "send and receive, half of a round trip",
			 time_ping_pong);
}

int bench_run_strided(struct bench_run *run)
{
	return run_sizes(run, "pieces of 64 bytes, 128 from each to the next, "
			 "half of a round trip", time_ping_pong);
}

int bench_run_rate(struct bench_run *run)
{
	return run_sizes(run, "messages one way, 64 at a time", time_rate);
}
