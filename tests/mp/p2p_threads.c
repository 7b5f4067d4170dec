/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched messages of several threads in one job.  The ranks are threads of
 * this process, too, so that ThreadSanitizer sees everything.
 *
 * Thread t of rank 0 plays ping-pong with thread t of rank 1: in one
 * communicator, where the tags keep them apart, or each in duplicates of its
 * own, made and freed while the others send.
 */
#include <pthread.h>
#include <string.h>
#include "tests/tap.h"
#include <weft.h>

enum {
	RANKS = 2,
	LINES = 4,			/* threads of a rank */
	WAYS = 4,			/* of receiving, and of sending */
	LONGEST = 20000
};

static const size_t lengths[] = { 8, 0, 900, 3000, LONGEST };

struct rank {
	pthread_t thread;
	struct weft_inproc *inproc;
	int rank, rounds;
	bool own;			/* a communicator for each thread */
	struct weft_job *job;
	struct weft_comm *comm[LINES];
};

struct line {
	pthread_t thread;
	struct rank *rank;
	int number;
	struct weft_comm *comm;
	char out[LONGEST], in[LONGEST];
};

static int end(struct weft_request **req, int n, int status)
{
	int all = weft_request_wait_all(req, n, NULL);

	for (int i = 0; i < n; i++) {
		int freed = weft_request_free(&req[i]);

		all = all ? all : freed;
	}
	return status ? status : all;
}

static int send(struct line *l, size_t bytes, int way)
{
	struct weft_envelope to = weft_to(!l->rank->rank, l->number);
	struct weft_request *req = NULL;
	int status;

	if (way == 0)
		return weft_send(l->comm, l->out, bytes, &weft_type_byte, to);
	if (way == 1)
		return weft_ssend(l->comm, l->out, bytes, &weft_type_byte, to);
	status = way == 2 ?
		weft_isend(l->comm, l->out, bytes, &weft_type_byte, to, &req) :
		weft_issend(l->comm, l->out, bytes, &weft_type_byte, to, &req);
	return end(&req, 1, status);
}

/* Loops of test make progress for the others, too. */
static int receive_by_test(struct line *l, size_t bytes)
{
	struct weft_request *req = NULL;
	bool done = false;
	int status = weft_irecv(l->comm, l->in, bytes, &weft_type_byte,
				weft_from(!l->rank->rank, l->number), &req);

	while (!status && !done)
		status = weft_request_test(req, &done);
	return end(&req, 1, status);
}

static int receive(struct line *l, size_t bytes, int way)
{
	struct weft_envelope from = weft_from(
		way % 2 ? !l->rank->rank : WEFT_ANY_SOURCE, l->number);
	struct weft_message_status got = { .bytes = 0 };
	struct weft_request *req = NULL;
	int status = WEFT_OK;

	if (way == 3)
		return receive_by_test(l, bytes);
	if (way == 2) {
		status = weft_irecv(l->comm, l->in, bytes, &weft_type_byte,
				    from, &req);
		return end(&req, 1, status);
	}
	if (way == 1)
		status = weft_probe(l->comm, from, &got);
	if (!status)
		status = weft_recv(l->comm, l->in, bytes, &weft_type_byte, from,
				   &got);
	return status || (got.bytes == bytes && got.tag == l->number) ?
		status : WEFT_ERR_INTERNAL;
}

static bool is_right(const struct line *l, size_t bytes, int content)
{
	for (size_t i = 0; i < bytes; i++)
		if (l->in[i] != (char)content)
			return false;
	return true;
}

static int ping_pong(struct line *l, int round)
{
	int way = round / 2 % (WAYS * WAYS), status = WEFT_OK;
	size_t bytes = lengths[round % (int)TAP_COUNT(lengths)];
	bool first = l->rank->rank == 0;
	int mine = 7 * round + l->number + l->rank->rank;
	int theirs = 7 * round + l->number + !l->rank->rank;

	memset(l->out, mine, bytes);
	memset(l->in, mine, bytes);
	if (first)
		status = send(l, bytes, way % WAYS);
	if (!status)
		status = receive(l, bytes, way / WAYS);
	if (!status && !first)
		status = send(l, bytes, way % WAYS);
	return status || is_right(l, bytes, theirs) ? status :
						      WEFT_ERR_INTERNAL;
}

static int round_of(struct line *l, int round)
{
	struct weft_comm *parent = l->rank->comm[l->number];
	int status = WEFT_OK, freed;

	l->comm = parent;
	if (l->rank->own)
		status = weft_comm_dup(parent, &l->comm);
	if (status)
		return status;
	status = ping_pong(l, round);
	freed = l->rank->own ? weft_comm_free(&l->comm) : WEFT_OK;
	return status ? status : freed;
}

static void *line_main(void *arg)
{
	struct line *l = arg;
	int status = WEFT_OK;

	for (int i = 0; !status && i < l->rank->rounds; i++)
		status = round_of(l, i);
	if (!TAP_EQUAL(status, WEFT_OK))
		tap_diag("rank %d, thread %d", l->rank->rank, l->number);
	return NULL;
}

static void run_lines(struct rank *rank)
{
	struct line *line = calloc(LINES, sizeof(*line));

	for (int i = 0; line && i < LINES; i++) {
		line[i].rank = rank;
		line[i].number = i;
		pthread_create(&line[i].thread, NULL, line_main, &line[i]);
	}
	for (int i = 0; line && i < LINES; i++)
		pthread_join(line[i].thread, NULL);
	free(line);
}

static void *rank_main(void *arg)
{
	struct rank *rank = arg;
	struct weft_job_options options;

	weft_job_options_init(&options, sizeof(options));
	options.inproc = rank->inproc;
	options.inproc_rank = rank->rank;
	options.threads = true;
	if (!TAP_EQUAL(weft_job_open(&options, &rank->job), WEFT_OK))
		return NULL;
	for (int i = 0; i < LINES; i++) {
		rank->comm[i] = weft_job_world(rank->job);
		if (rank->own)
			TAP_EQUAL(weft_comm_dup(rank->comm[i], &rank->comm[i]),
				  WEFT_OK);
	}
	run_lines(rank);
	for (int i = 0; rank->own && i < LINES; i++)
		TAP_EQUAL(weft_comm_free(&rank->comm[i]), WEFT_OK);
	TAP_EQUAL(weft_job_close(rank->job), WEFT_OK);
	return NULL;
}

static void run(bool own)
{
	static struct rank rank[RANKS];
	struct weft_inproc *inproc;

	if (!TAP_EQUAL(weft_inproc_create(RANKS, &inproc), WEFT_OK))
		return;
	for (int r = 0; r < RANKS; r++) {
		rank[r] = (struct rank){
			.inproc = inproc, .rank = r, .own = own,
			.rounds = (int)tap_figure("EXCHANGES", 600)
		};
		pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]);
	}
	for (int r = 0; r < RANKS; r++)
		pthread_join(rank[r].thread, NULL);
	weft_inproc_free(&inproc);
}

static void one_communicator(void)
{
	run(false);
}

static void one_each(void)
{
	run(true);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "several threads in one communicator", one_communicator },
		{ "each in duplicates of its own", one_each },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
