/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairwise exchanges: only ranks that have something for each other meet and
 * wait; sizes that differ and a lack of memory are errors at who waits for it.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"

enum { RANKS = 20, LONG = 100 };

/* Numbers that one rank has for another. */
typedef size_t numbers(int from, int to, int size);

struct setting {
	numbers *n;
	int culprit;			/* gives one number more, */
	int victim;			/* to this one; or its memory fails */
	int at, times;			/* the allocations; 0: none */
	bool again;			/* not the first call */
	bool fixed;			/* weft_ialltoall(), by LONG numbers */
	bool init;			/* of a persistent one */
};

struct table {
	size_t out[RANKS], in[RANKS];
	ptrdiff_t at[RANKS];
	int64_t given[RANKS][LONG], got[RANKS][LONG];
	struct weft_vec send, recv;
};

static size_t to_the_next(int from, int to, int size)
{
	return to == (from + 1) % size ? 3 : 0;
}

static size_t to_some(int from, int to, int size)
{
	return (size_t)(from * 7 + to * 3 + size) % 4;
}

static int64_t number(int from, int to, size_t i)
{
	return 10000 * from + 100 * to + (int64_t)i;
}

/* Too long for the stack of a simulated rank. */
static struct table *make(const struct scene *s, const struct setting *set)
{
	struct table *t = malloc(sizeof(*t));
	int me = wf_sim_rank(s->rank), size = wf_sim_size(s->rank);

	if (!t)
		abort();
	for (int r = 0; r < size; r++) {
		t->out[r] = set->fixed ? LONG : set->n(me, r, size);
		t->in[r] = set->fixed ? LONG : set->n(r, me, size);
		t->at[r] = LONG * r;
		for (size_t i = 0; i < LONG; i++) {
			t->given[r][i] = number(me, r, i);
			t->got[r][i] = -1;
		}
	}
	t->send = (struct weft_vec){
		.base = t->given, .type = &weft_type_int64, .counts = t->out,
		.displs = t->at
	};
	t->recv = t->send;
	t->recv.base = t->got;
	t->recv.counts = t->in;
	return t;
}

static void check(const struct scene *s, const struct table *t)
{
	int me = wf_sim_rank(s->rank);

	for (int r = 0; r < wf_sim_size(s->rank); r++)
		for (size_t i = 0; i < LONG; i++)
			if (t->got[r][i] !=
			    (i < t->in[r] ? number(r, me, i) : -1))
				wf_sim_fail(s->rank, "%d is there from rank "
					    "%d", (int)t->got[r][i], r);
}

static int begin(const struct scene *s, const struct setting *set,
		 struct table *t, struct weft_request **req_p)
{
	struct weft_part send = weft_part(t->given, LONG, &weft_type_int64);
	struct weft_part recv = weft_part(t->got, LONG, &weft_type_int64);

	if (set->fixed && set->init)
		return weft_alltoall_init(s->world, send, recv, req_p);
	if (set->fixed)
		return weft_ialltoall(s->world, send, recv, req_p);
	return (set->init ? weft_alltoallv_init : weft_ialltoallv)
	       (s->world, &t->send, &t->recv, req_p);
}

static int end(const struct scene *s, struct weft_request **req_p)
{
	int status;

	if (!*req_p)
		return WEFT_OK;
	status = weft_request_wait(*req_p);
	ok(s, weft_request_free(req_p), "free");
	return status;
}

static void call_well(const struct scene *s, struct setting set)
{
	struct weft_request *req = NULL;
	struct table *t;

	set.init = false;
	t = make(s, &set);
	ok(s, begin(s, &set, t, &req), "a good one");
	ok(s, end(s, &req), "its wait");
	check(s, t);
	free(t);
}

static bool play(int size, struct setting *set,
		 void (*program)(struct wf_sim_rank *rank, void *arg))
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, size, 1);
	return sim_flow_run(&options, program, set);
}

/* Around a ring, as often as there are legs, and more than are under way. */
static void ring(struct wf_sim_rank *rank, void *arg)
{
	struct setting *set = arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 40; i++)
		call_well(&s, *set);
	if (s.job->connected > 2 || wf_map_count(&s.world->ports) > 2)
		wf_sim_fail(rank, "%u ranks were met, by %d lanes",
			    s.job->connected,
			    (int)wf_map_count(&s.world->ports));
	stop(&s);
}

static void only_partners_meet(void)
{
	struct setting set = { .n = to_the_next };

	play(RANKS, &set, ring);
}

/* Rank 2 gets nothing from 0 and 1, and calls when they are through. */
static size_t two_alone(int from, int to, int size)
{
	(void)size;
	return from < 2 && to < 2 ? LONG : 0;
}

static void late(struct wf_sim_rank *rank, void *arg)
{
	int64_t x = 5;
	int me = wf_sim_rank(rank);
	struct scene s;

	if (!start(&s, rank))
		return;
	if (me == 2)
		ok(&s, weft_recv(s.world, &x, 1, &weft_type_int64,
				 weft_from(1, 7), NULL), "recv");
	call_well(&s, *(struct setting *)arg);
	if (me == 1)
		ok(&s, weft_send(s.world, &x, 1, &weft_type_int64,
				 weft_to(2, 7)), "send");
	stop(&s);
}

static void nobody_else_waits(void)
{
	struct setting set = { .n = two_alone };

	play(3, &set, late);
}

/* One number more goes than comes. */
static void differs(struct wf_sim_rank *rank, void *arg)
{
	const struct setting *set = arg;
	int me = wf_sim_rank(rank), status;
	struct weft_request *req = NULL;
	struct table *t;
	struct scene s;

	if (!start(&s, rank))
		return;
	t = make(&s, set);
	if (me == set->culprit)
		t->out[set->victim]++;
	ok(&s, begin(&s, set, t, &req), "call");
	status = end(&s, &req);
	if (me == set->victim && t->in[set->culprit] &&
	    status != WEFT_ERR_TRUNCATE)
		wf_sim_fail(rank, "%s", weft_status_name(status));
	if (me != set->victim && me != set->culprit && status)
		wf_sim_fail(rank, "others fail: %s",
			    weft_error_text(s.job));
	free(t);
	ok(&s, weft_barrier(s.world), "barrier");
	/* an edge of one end alone is out of step */
	if (set->n(set->culprit, set->victim, 5))
		call_well(&s, *set);
	stop(&s);
}

static void sizes_differ(void)
{
	for (int i = 0; i < 25; i++) {
		struct setting set = {
			.n = to_some, .culprit = i / 5, .victim = i % 5
		};

		if (set.culprit != set.victim &&
		    to_some(set.culprit, set.victim, 5) &&
		    !play(5, &set, differs))
			return;
	}
}

/*
 * The victim has no memory from one of its allocations on.  They are counted of
 * all ranks, which do nothing else until that is over, and the barriers take no
 * memory any more.
 */
static int begin_without(const struct scene *s, const struct setting *set,
			 struct table *t, struct weft_request **req_p)
{
	bool lacks = wf_sim_rank(s->rank) == set->victim;
	int status;

	ok(s, weft_barrier(s->world), "barrier");
	if (lacks)
		fail_malloc_some(set->at, set->times);
	status = begin(s, set, t, req_p);
	if (set->init)
		ok(s, weft_barrier(s->world), "barrier");
	if (lacks)
		fail_malloc_once(0);
	ok(s, weft_barrier(s->world), "barrier");
	return status;
}

/* An error at the victim, and at those that wait for it. */
static void try_without(const struct scene *s, const struct setting *set)
{
	struct weft_request *req = NULL;
	struct table *t = make(s, set);
	int status = begin_without(s, set, t, &req);

	if (!status && !set->init) {
		status = end(s, &req);
		if (!status)
			check(s, t);
	} else if (req) {
		ok(s, weft_request_free(&req), "free");
	}
	if (status && status != WEFT_ERR_NOMEM && status != WEFT_ERR_GRAPH)
		wf_sim_fail(s->rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s->job));
	free(t);
}

/* Without memory for what its arguments say, or for anything. */
static bool may_stray(const struct setting *set)
{
	return set->times > 1 || (!set->fixed && set->at == 1);
}

/* The victim says that it is out of step, the others that its leg is vain. */
static bool says_so(const struct scene *s, bool lacked, int status)
{
	if (!lacked || status == WEFT_ERR_GRAPH)
		return status == WEFT_ERR_GRAPH;
	return status == WEFT_ERR_NOMEM &&
	       strstr(weft_error_text(s->job), "out of step");
}

/* All go on, or the victim is out of step. */
static void try_again(const struct scene *s, const struct setting *set)
{
	bool lacked = wf_sim_rank(s->rank) == set->victim;
	struct weft_request *req = NULL;
	struct table *t = make(s, set);
	int status = begin(s, set, t, &req);

	if (!status)
		status = end(s, &req);
	if (!status)
		check(s, t);
	else if (!may_stray(set) || !says_so(s, lacked, status))
		wf_sim_fail(s->rank, "the next one: %s: %s",
			    weft_status_name(status),
			    weft_error_text(s->job));
	free(t);
}

static void lacks(struct wf_sim_rank *rank, void *arg)
{
	const struct setting *set = arg;
	struct setting good = *set;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 8; i++)
		ok(&s, weft_barrier(s.world), "barrier");
	if (set->again)
		call_well(&s, *set);
	try_without(&s, set);
	good.init = false;
	try_again(&s, &good);
	ok(&s, weft_comm_dup(s.world, &s.world), "dup");
	call_well(&s, good);
	ok(&s, weft_comm_free(&s.world), "free");
	stop(&s);
}

static void no_memory(void)
{
	for (int i = 0; i < 12; i++)
		for (int at = 1; at < 60; at++) {
			struct setting set = {
				.n = to_some, .victim = at % 3, .at = at,
				.times = i < 8 ? 1 : 1000, .again = i & 1,
				.fixed = i & 2, .init = i & 4
			};

			/* a waiting call lets others have none as well */
			set.init &= set.times == 1;

			if (!play(set.fixed ? 11 : 5, &set, lacks))
				return;
		}
}

/* The others wait in theirs, and the victim calls nothing of the kind again. */
static void barrier_next(struct wf_sim_rank *rank, void *arg)
{
	const struct setting *set = arg;
	int me = wf_sim_rank(rank), status;
	struct table *t;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 8; i++)
		ok(&s, weft_barrier(s.world), "barrier");
	t = make(&s, set);
	if (me == set->victim)
		fail_malloc_some(set->at, set->times);
	status = weft_alltoallv(s.world, &t->send, &t->recv);
	if (me == set->victim)
		fail_malloc_once(0);
	if (status && status != WEFT_ERR_NOMEM && status != WEFT_ERR_GRAPH)
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	ok(&s, weft_barrier(s.world), "barrier");
	free(t);
	stop(&s);
}

/* Where it has as much as it asks for it waits, and others have none then. */
static void told_without_another_call(void)
{
	for (int i = 0; i < 2; i++)
		for (int at = 1; at < 20; at++) {
			struct setting set = {
				.n = to_some, .victim = at % 5, .at = at,
				.times = i ? 1000 : 1
			};

			if (!play(5, &set, barrier_next))
				return;
		}
}

/* What makes the others call comes from the victim, behind its refused call. */
static void send_next(struct wf_sim_rank *rank, void *arg)
{
	const struct setting *set = arg;
	struct weft_request *req = NULL, *again = NULL;
	int me = wf_sim_rank(rank);
	struct table *t;
	struct scene s;
	int64_t x = 5;

	if (!start(&s, rank))
		return;
	t = make(&s, set);
	if (me != set->victim)
		ok(&s, weft_recv(s.world, &x, 1, &weft_type_int64,
				 weft_from(set->victim, 7), NULL), "recv");
	ok(&s, begin(&s, set, t, &req), "call");
	if (me == set->victim)
		fail_malloc_some(set->at, set->times);
	if (begin(&s, set, t, &again) && me != set->victim)
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	fail_malloc_once(0);
	for (int r = 0; r < wf_sim_size(rank) && me == set->victim; r++)
		if (r != me)
			ok(&s, weft_send(s.world, &x, 1, &weft_type_int64,
					 weft_to(r, 7)), "send");
	ok(&s, end(&s, &req), "wait");
	check(&s, t);
	if (end(&s, &again) == WEFT_OK && me != set->victim)
		wf_sim_fail(rank, "the second one went well");
	free(t);
	stop(&s);
}

/* Of 20 ranks an earlier call has legs that have not begun. */
static void refused_at_once(void)
{
	for (int victim = 0; victim < 3; victim++) {
		struct setting set = {
			.fixed = true, .victim = victim, .at = 1, .times = 1000
		};

		if (!play(RANKS, &set, send_next))
			return;
	}
}

/* The job closes over some that are under way, and over some that are not. */
static void left_open(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[6] = { NULL };
	struct table *t[6];
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 6; i++) {
		t[i] = make(&s, arg);
		ok(&s, begin(&s, arg, t[i], &req[i]), "call");
	}
	stop(&s);
	for (int i = 0; i < 6; i++)
		free(t[i]);
}

static void left_under_way(void)
{
	struct setting set = { .n = to_some };

	play(RANKS, &set, left_open);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "only partners meet", only_partners_meet },
		{ "nobody else waits", nobody_else_waits },
		{ "sizes that differ", sizes_differ },
		{ "no memory, and called again", no_memory },
		{ "told without another call", told_without_another_call },
		{ "refused at once", refused_at_once },
		{ "closed while under way", left_under_way }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
