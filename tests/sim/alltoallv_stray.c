/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that lacks memory for pairwise exchanges goes out of step with others:
 * whoever waits for it hears so, at once, and what it frees is written by
 * nobody.
 */
#include <stdlib.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"

enum {
	RANKS = 3,
	LONG_TIME = 100,		/* s */
	SECOND = 1000000000
};

static char *settings[] = {
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=1m", "WEFT_STALL=1000", NULL
};

/* Numbers from rank 0 alone. */
struct table {
	size_t out[RANKS], in[RANKS];
	ptrdiff_t at[RANKS];
	int64_t given[RANKS], got[RANKS];
	struct weft_vec send, recv;
};

/* One to this rank. */
static void fill(const struct scene *s, struct table *t, int to)
{
	int me = wf_sim_rank(s->rank);

	*t = (struct table){ .at = { 0, 1, 2 }, .given = { 10, 11, 12 } };
	t->out[to] = !me;
	t->in[0] = me == to;
	t->send = (struct weft_vec){
		.base = t->given, .type = &weft_type_int64,
		.counts = t->out, .displs = t->at
	};
	t->recv = t->send;
	t->recv.base = t->got;
	t->recv.counts = t->in;
}

static int call(struct weft_comm *comm, struct table *t)
{
	return weft_alltoallv(comm, &t->send, &t->recv);
}

/* It cannot take note of the call. */
static void stray(const struct scene *s, struct weft_comm *comm, int to)
{
	struct table t;
	int status;

	fill(s, &t, to);
	fail_malloc_some(1, 1);
	status = call(comm, &t);
	fail_malloc_once(0);
	if (status != WEFT_ERR_NOMEM)
		wf_sim_fail(s->rank, "without memory: %s",
			    weft_status_name(status));
}

static void expect(const struct scene *s, int got, int want, const char *call)
{
	if (got != want)
		wf_sim_fail(s->rank, "%s: %s", call, weft_status_name(got));
}

/* Progress, but no call. */
static void work(const struct scene *s, uint64_t seconds)
{
	uint64_t end = wf_sim_now(s->rank) + seconds * SECOND;

	while (wf_sim_now(s->rank) < end) {
		if (weft_job_progress(s->job) < 0)
			return;
		wf_sim_idle(s->rank, wf_sim_now(s->rank) + SECOND / 100);
	}
}

static void play(void (*program)(struct wf_sim_rank *rank, void *arg))
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, RANKS, 1);
	options.environ = settings;
	sim_flow_run(&options, program, NULL);
}

/* ---- a communicator that is freed ---- */

static void begin_late(const struct scene *s, struct weft_comm *comm)
{
	struct weft_request *req;
	struct table t;

	fill(s, &t, 1);
	work(s, 1);
	ok(s, weft_ialltoallv(comm, &t.send, &t.recv, &req), "late");
	work(s, 1);
	if (weft_request_wait(req) > 0)
		wf_sim_fail(s->rank, "the late one goes on");
	ok(s, weft_request_free(&req), "free");
}

static void frees(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm = NULL;
	struct table t;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &comm), "dup");
	fill(&s, &t, 1);
	ok(&s, call(comm, &t), "first");
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 1)
		stray(&s, comm, 1);
	else if (!wf_sim_rank(rank))
		begin_late(&s, comm);
	ok(&s, weft_comm_free(&comm), "free");
	stop(&s);
}

/* What others put for it, which know nothing, lands nowhere else. */
static void freed(void)
{
	play(frees);
}

/* ---- who waits already ---- */

static void waits(struct wf_sim_rank *rank, void *arg)
{
	struct table t;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	fill(&s, &t, 1);
	ok(&s, call(s.world, &t), "first");
	if (!wf_sim_rank(rank)) {
		work(&s, LONG_TIME);
		stray(&s, s.world, 1);
		work(&s, LONG_TIME);
	} else if (wf_sim_rank(rank) == 1) {
		expect(&s, call(s.world, &t), WEFT_ERR_GRAPH, "who waits");
		if (wf_sim_now(rank) > (LONG_TIME + 1) * (uint64_t)SECOND)
			wf_sim_fail(rank, "it hears at %llu ms",
				    (unsigned long long)wf_sim_now(rank) /
				    1000000);
	}
	stop(&s);
}

static void told_at_once(void)
{
	play(waits);
}

/* ---- memory that lacks for good ---- */

/* No signal is left, so no lane can be made. */
static void take_all_signals(const struct scene *s)
{
	uint32_t sig;

	while (!wf_signal_alloc(&s->job->signals, 0, &sig))
		;
}

static void starve(struct wf_sim_rank *rank, bool again)
{
	int me = wf_sim_rank(rank);
	struct table t;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 8; i++)
		ok(&s, weft_barrier(s.world), "barrier");
	fill(&s, &t, 1);
	ok(&s, call(s.world, &t), "first");
	ok(&s, weft_barrier(s.world), "barrier");
	if (!me)
		take_all_signals(&s);
	fill(&s, &t, 2);
	expect(&s, call(s.world, &t), me == 1 ? WEFT_OK :
	       me ? WEFT_ERR_GRAPH : WEFT_ERR_NOMEM, "a new partner");
	fill(&s, &t, 1);
	if (again)
		expect(&s, call(s.world, &t), me == 2 ? WEFT_OK :
		       me ? WEFT_ERR_GRAPH : WEFT_ERR_NOMEM, "an old one");
	stop(&s);
}

static void starves(struct wf_sim_rank *rank, void *arg)
{
	(void)arg;
	starve(rank, false);
}

static void starves_again(struct wf_sim_rank *rank, void *arg)
{
	(void)arg;
	starve(rank, true);
}

static void starved(void)
{
	play(starves_again);
}

static void closed(void)
{
	play(starves);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "freed by who is out of step", freed },
		{ "told at once", told_at_once },
		{ "no lane can be made", starved },
		{ "no lane can be made, and the job closes", closed }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
