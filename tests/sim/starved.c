/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory runs out at each allocation of a whole program in turn, whichever
 * rank makes it, also inside of the handlers of mails: every call ends, with
 * WEFT_ERR_NOMEM or what follows of it, no bytes are wrong, the same call works
 * when there is memory again, and all memory is given back.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MOST = 4,			/* ranks */
	TRIES = 4,			/* of each call */
	LATER = 12,			/* calls after which all works again */
	VALUES = 200,			/* of the longer reductions */
	LENGTH = 4096
};

extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

/* Of one run: the ranks are coroutines of one process. */
struct shared {
	struct sim_flow_shape shape;
	int opened[MOST];
	long last;			/* allocation that fails */
	int calls[MOST];		/* of a rank; all make the same ones */
	int lacking;			/* the last that ended before it, */
	int bad[MOST];			/* and the last that did not work */
	int made[2 * TRIES][MOST];	/* graphs, requests: 1, failed: -1 */
	bool parted;			/* a pair of ranks never met */
};

struct sweep_sums {
	long runs, parted;
};

/* A line, a slot, a larger slot, a large message. */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t of[] = { 8, 100, 400, 2000 };

	(void)shape;
	return of[round / TRIES % 4] + (size_t)(from + 2 * to + k);
}

/* What a call may say; true: it worked. */
static bool fine(struct wf_sim_rank *rank, struct shared *s, int status,
		 const char *call)
{
	int me = wf_sim_rank(rank);

	/* one rank may be far ahead, where the others follow it to */
	s->calls[me]++;
	if (fail_malloc_count() < s->last && s->calls[me] > s->lacking)
		s->lacking = s->calls[me];
	if (status)
		s->bad[me] = s->calls[me];
	switch (status) {
	case WEFT_OK:
		return true;
	case WEFT_ERR_PEER:
		s->parted = true;
		return false;
	case WEFT_ERR_GRAPH:		/* given up by one that had no memory */
	case WEFT_ERR_NOMEM:
	case WEFT_ERR_DEVICE:		/* the simulator's own memory */
		return false;
	default:
		wf_sim_fail(rank, "%s: %s", call, weft_status_name(status));
		return false;
	}
}

static void reduce(struct wf_sim_rank *rank, struct weft_job *job,
		   struct shared *s, int n)
{
	int ranks = wf_sim_size(rank);
	int64_t v[VALUES];

	for (int attempt = 0; attempt < TRIES; attempt++) {
		int status;

		for (int i = 0; i < n; i++)
			v[i] = wf_sim_rank(rank) + i;
		status = weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
					weft_part(v, (size_t)n,
						  &weft_type_int64),
					&weft_op_sum);
		if (!fine(rank, s, status, "weft_allreduce"))
			continue;
		for (int i = 0; i < n; i++)
			if (v[i] != ranks * (ranks - 1) / 2 + ranks * i)
				wf_sim_fail(rank, "value %d is wrong", i);
	}
}

static void barrier(struct wf_sim_rank *rank, struct weft_job *job,
		    struct shared *s)
{
	for (int attempt = 0; attempt < TRIES; attempt++) {
		int status = weft_barrier(weft_job_world(job));

		fine(rank, s, status, "weft_barrier");
	}
}

static void exchange(struct sim_parcel *p, struct shared *s)
{
	struct sim_flow *f = p->flow;

	for (int round = 0; round < 4 * TRIES; round++) {
		int status;

		sim_parcel_fill(p, round);
		status = weft_neighbor_alltoallv(f->graph, &p->out, &p->in);
		if (fine(f->rank, s, status, "weft_neighbor_alltoallv"))
			sim_parcel_check(p);
	}
}

static void run_request(struct sim_parcel *p, struct shared *s,
			struct weft_request *req)
{
	struct sim_flow *f = p->flow;

	for (int round = 0; round < TRIES; round++) {
		int status;

		sim_parcel_fill(p, TRIES + round);
		status = weft_request_start(req);
		if (!status)
			status = weft_request_wait(req);
		if (fine(f->rank, s, status, "weft_request_wait"))
			sim_parcel_check(p);
	}
	if (weft_request_free(&req))
		wf_sim_fail(f->rank, "cannot free the request");
}

static bool opens(struct wf_sim_rank *rank, struct shared *s,
		  struct weft_job **job_p)
{
	int status = wf_sim_job_open(rank, job_p);

	s->opened[wf_sim_rank(rank)] = status;
	if (status && status != WEFT_ERR_NOMEM && status != WEFT_ERR_TIMEOUT &&
	    status != WEFT_ERR_DEVICE)
		wf_sim_fail(rank, "weft_job_open: %s",
			    weft_status_name(status));
	return !status;
}

/* Until it is there; all ranks have the same number of tries. */
static bool graph(struct sim_flow *f, struct shared *s, struct weft_job *job,
		  struct wf_sim_rank *rank)
{
	for (int attempt = 0; attempt < TRIES; attempt++) {
		int status = sim_flow_try(f, &s->shape, rank, job);

		s->made[attempt][wf_sim_rank(rank)] = status ? -1 : 1;
		if (fine(rank, s, status, "weft_graph_create_adjacent"))
			return true;
	}
	return false;
}

static bool request(struct sim_parcel *p, struct shared *s,
		    struct weft_request **req_p)
{
	struct sim_flow *f = p->flow;

	sim_parcel_fill(p, TRIES);
	for (int attempt = 0; attempt < TRIES; attempt++) {
		int status = weft_neighbor_alltoallv_init(f->graph, &p->out,
							  &p->in, req_p);

		s->made[TRIES + attempt][f->me] = status ? -1 : 1;
		if (fine(f->rank, s, status, "weft_neighbor_alltoallv_init"))
			return true;
	}
	return false;
}

static void on_graph(struct sim_flow *f, struct shared *s)
{
	struct weft_request *req;
	struct sim_parcel p;
	bool ready;

	fail_malloc_pause(true);
	ready = sim_parcel_init(&p, f, false);
	fail_malloc_pause(false);
	if (ready) {
		exchange(&p, s);
		p.sizes = TRIES;
		if (request(&p, s, &req))
			run_request(&p, s, req);
		sim_parcel_fini(&p);
	}
	sim_flow_close(f);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct shared *s = arg;
	struct weft_job *job;
	struct sim_flow f;

	if (!opens(rank, s, &job))
		return;
	barrier(rank, job, s);
	reduce(rank, job, s, VALUES);
	reduce(rank, job, s, 1);
	if (graph(&f, s, job, rank))
		on_graph(&f, s);
	barrier(rank, job, s);
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

/* True: two ranks never met, so that nothing more is to be asked of them. */
static bool judge(int ranks, const struct shared *s)
{
	bool closed = false;

	for (int r = 0; r < ranks; r++)
		closed |= s->opened[r] != WEFT_OK;
	if (closed || s->parted)
		return !closed;
	for (int r = 0; r < ranks; r++)
		TAP_CHECK(s->bad[r] <= s->lacking + LATER);
	for (int i = 0; i < 2 * TRIES; i++)
		for (int r = 1; r < ranks; r++)
			TAP_EQUAL(s->made[i][r], s->made[i][0]);
	return false;
}

static int simulate(int ranks, struct shared *s, long at, long times,
		    struct wf_sim_result *result)
{
	static char *env[] = {
		"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256",
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=16m", NULL
	};
	struct wf_sim_options options;
	int status;

	wf_sim_options_init(&options, ranks, 1 + (uint64_t)at);
	wf_sim_options_vary(&options);
	options.environ = env;
	memset(result, 0, sizeof(*result));
	if (__lsan_disable)
		__lsan_disable();
	s->last = at + times - 1;
	fail_malloc_some(at, times);
	status = wf_sim_run(&options, program, s, result);
	if (__lsan_enable)
		__lsan_enable();
	return status;
}

static void sweep(int (*edges)(int from, int to, int ranks), int ranks,
		  long times, struct sweep_sums *sums)
{
	const struct shared fresh = {
		.shape = { edges, bytes, LENGTH, 0 }
	};
	struct wf_sim_result result;
	struct shared s = fresh;
	long all, step = times > 1 ? 3 : 1;

	if (!TAP_EQUAL(simulate(ranks, &s, 0, 0, &result), WEFT_OK) ||
	    !TAP_EQUAL(result.violations, 0))
		tap_diag("%s", result.text);
	judge(ranks, &s);
	all = fail_malloc_count();
	for (long k = 1; k <= all && !tap.failures; k += step) {
		s = fresh;
		if (simulate(ranks, &s, k, times, &result) == WEFT_ERR_NOMEM)
			continue;
		sums->runs++;
		sums->parted += judge(ranks, &s);
		TAP_EQUAL(fail_malloc_blocks(), 0);
		TAP_EQUAL(result.finished, ranks);
		if (!TAP_EQUAL(result.violations, 0))
			tap_diag("%s", result.text);
		if (tap.failures)
			tap_diag("%d ranks, %ld failures from allocation %ld "
				 "of %ld", ranks, times, k, all);
	}
}

static void sweep_all(long times)
{
	struct sweep_sums sums = { 0, 0 };

	for (int ranks = 2; ranks <= MOST && !tap.failures; ranks++) {
		sweep(sim_edges_ring, ranks, times, &sums);
		sweep(sim_edges_chain, ranks, times, &sums);
	}
	tap_diag("%ld runs, in %ld two ranks never met", sums.runs,
		 sums.parted);
	TAP_CHECK(sums.parted < sums.runs / 3);
}

static void once(void) { sweep_all(1); }
static void a_few(void) { sweep_all(4); }
static void many(void) { sweep_all(40); }

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one allocation fails", once },
		{ "four in a row", a_few },
		{ "forty in a row", many }
	};
	int code = tap_run(argc, argv, cases, TAP_COUNT(cases));

	/* What ends the process may need memory: the counts of coverage. */
	fail_malloc_at(0);
	return code;
}
