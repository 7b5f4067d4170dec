/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicating without blocking: no message where there are ids; where there are
 * none, requests that wait for a refill while the program goes on, on the same
 * parent too; attributes as they were at the call; what fails at the call, and
 * later; deaths.
 */
#include <string.h>
#include "tests/fail_malloc.h"
#include "tests/sim/scene.h"
#include "tests/tap.h"

enum {
	CHAIN = 4,
	STEPS = 25,
	LIVE = 6,
	AT_ONCE = 3,			/* requests under way */
	ALLOCATIONS = 8,
	PROMOTED = 8,			/* refills, so that they go by slots */
	DEVICES = 60			/* runs; in some one gives up */
};

static int alone;			/* ranks that have given up */

/* ---- messages ---- */

static void count_messages(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *made[CHAIN], *of;
	struct weft_request *req;
	uint64_t before;
	bool is_done;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	before = wf_sim_own_messages(rank);
	of = s.world;
	for (int i = 0; i < CHAIN; i++) {
		made[i] = NULL;
		is_done = false;
		ok(&s, weft_comm_idup(of, &made[i], &req), "idup");
		ok(&s, weft_request_test(req, &is_done), "test");
		if (!is_done || !made[i])
			wf_sim_fail(rank, "it is not complete");
		ok(&s, weft_request_free(&req), "free request");
		of = made[i];
	}
	for (int i = 0; i < CHAIN; i++)
		ok(&s, weft_comm_free(&made[i]), "free");
	if (wf_sim_own_messages(rank) != before)
		wf_sim_fail(rank, "%llu messages", (unsigned long long)
			    (wf_sim_own_messages(rank) - before));
	stop(&s);
}

static void no_message(void)
{
	for (int ranks = 1; ranks <= 64; ranks++)
		if (!run(ranks, 1, count_messages))
			return;
	run((int)tap_figure("MOST_RANKS", 4096), 1, count_messages);
}

/* ---- programs ---- */

/* What the program does meanwhile, on the parent of what is under way. */
static void go_on(struct scene *s, struct weft_comm *of, uint64_t dice,
		  struct weft_comm **live)
{
	struct weft_comm *made = NULL;
	int64_t sum = 1;

	if (dice & 1) {
		ok(s, weft_allreduce(of, WEFT_IN_PLACE,
				     weft_part(&sum, 1, &weft_type_int64),
				     &weft_op_sum), "sum");
		if (sum != weft_comm_size(of))
			wf_sim_fail(s->rank, "a wrong sum");
	}
	/* takes its ids behind all that are under way */
	if (dice & 2) {
		ok(s, weft_comm_dup(of, &made), "dup");
		check_id(s, made, live, LIVE);
		ok(s, weft_comm_free(&made), "free");
	}
}

/* Some requests, completed in an order that is this rank's own. */
static void one_step(struct scene *s, struct wf_random *random,
		     struct weft_comm **live, struct wf_random *own)
{
	struct weft_comm *made[AT_ONCE] = { NULL }, *of = s->world;
	struct weft_request *req[AT_ONCE];
	uint64_t dice = wf_random_u64(random);
	int n = 1 + (int)wf_random_below(random, AT_ONCE);
	int first = (int)wf_random_below(own, (uint64_t)n);
	struct weft_comm *from = live[wf_random_below(random, LIVE)];

	if (from)
		of = from;
	for (int i = 0; i < n; i++) {
		ok(s, weft_comm_idup(of, &made[i], &req[i]), "idup");
		if (i == 0)
			go_on(s, of, dice, live);
	}
	for (int i = 0; i < n; i++) {
		int at = (first + i) % n;

		ok(s, weft_request_wait(req[at]), "wait");
		ok(s, weft_request_free(&req[at]), "free request");
	}
	for (int i = 0; i < n; i++) {
		struct weft_comm **to = &live[wf_random_below(random, LIVE)];

		check_id(s, made[i], live, LIVE);
		if (*to)
			ok(s, weft_comm_free(to), "free");
		*to = made[i];
	}
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *live[LIVE] = { NULL };
	struct weft_contexts contexts;
	struct wf_random random, own;
	struct scene s;

	if (!start(&s, rank))
		return;
	wf_random_init(&random, *(const uint64_t *)arg);
	wf_random_init(&own, wf_sim_seed(rank));
	shrink_pools(&s, &random);
	for (int i = 0; i < STEPS; i++)
		one_step(&s, &random, live, &own);
	ok(&s, weft_context_query(s.job, &contexts), "query");
	if (!contexts.refills || contexts.live > LIVE + 1)
		wf_sim_fail(rank, "%llu live, %llu refills", contexts.live,
			    contexts.refills);
	stop(&s);
}

static void programs(void)
{
	run_seeds(60, 17, any_program);
}

/* ---- a pool that is empty ---- */

/* A duplicate of the world that has no ids for children. */
static struct weft_comm *exhausted(struct scene *s)
{
	struct weft_comm *of = NULL;

	ok(s, weft_comm_dup(s->world, &of), "dup");
	of->pool.next = of->pool.end;
	return of;
}

/* Each rank is needed elsewhere before, or after, it calls. */
static void cross(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *of, *made = NULL;
	struct weft_request *req;
	bool late = wf_sim_rank(rank) % 2, is_done = true;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	of = exhausted(&s);
	if (late)
		ok(&s, weft_barrier(s.world), "barrier");
	ok(&s, weft_comm_idup(of, &made, &req), "idup");
	if (weft_request_free(&req) != WEFT_ERR_REQUEST)
		wf_sim_fail(rank, "an active request is freed");
	if (!late) {
		ok(&s, weft_request_test(req, &is_done), "test");
		if (is_done || made)
			wf_sim_fail(rank, "ids that nobody has told");
		ok(&s, weft_barrier(s.world), "barrier");
	}
	ok(&s, weft_comm_free(&of), "free");
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_barrier(made), "barrier");
	ok(&s, weft_request_free(&req), "free request");
	ok(&s, weft_comm_free(&made), "free");
	stop(&s);
}

/* The job is closed over one that is under way, and one that is complete. */
static void leave_open(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *of, *made[2] = { NULL };
	struct weft_request *req[2];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	of = exhausted(&s);
	ok(&s, weft_comm_idup(s.world, &made[0], &req[0]), "idup");
	ok(&s, weft_comm_idup(of, &made[1], &req[1]), "idup");
	stop(&s);
}

static void empty_pool(void)
{
	run(2, 1, cross);
	run(5, 1, cross);
	run(1, 1, leave_open);
	run(3, 1, leave_open);
}

/* ---- a graph ---- */

static void duplicate_graph(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), n = wf_sim_size(rank);
	int from = (me + n - 1) % n, to = (me + 1) % n;
	struct weft_edges in = { 1, &from, NULL }, out = { 1, &to, NULL };
	struct weft_comm *graph = NULL, *copy = NULL;
	struct weft_request *req;
	size_t one = 1;
	ptrdiff_t zero = 0;
	int sent = me, came = -1;
	struct weft_vec send = { .base = &sent, .type = &weft_type_int32,
		.counts = &one, .displs = &zero }, recv = send;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	recv.base = &came;
	ok(&s, weft_graph_create_adjacent(s.world, &in, &out, NULL, false,
					  &graph), "graph");
	graph->pool.next = graph->pool.end;
	ok(&s, weft_comm_idup(graph, &copy, &req), "idup");
	ok(&s, weft_comm_free(&graph), "free");
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free request");
	ok(&s, weft_neighbor_alltoallv(copy, &send, &recv), "exchange");
	if (came != from)
		wf_sim_fail(rank, "%d from %d", came, from);
	ok(&s, weft_comm_free(&copy), "free");
	stop(&s);
}

static void graphs(void)
{
	for (int ranks = 1; ranks <= 5; ranks++)
		run(ranks, 1, duplicate_graph);
}

/* ---- attributes ---- */

static int deleted, refusal;

static int copy(struct weft_comm *from, struct weft_keyval *keyval,
		void *extra, void *value, void **copy_p, bool *keep_p)
{
	(void)from;
	(void)keyval;
	(void)extra;
	*copy_p = (char *)value + 100;
	*keep_p = true;
	return refusal;
}

static int count_deleted(struct weft_comm *comm, struct weft_keyval *keyval,
			 void *value, void *extra)
{
	(void)comm;
	(void)keyval;
	(void)value;
	(void)extra;
	deleted++;
	return WEFT_OK;
}

static char cell[1000];

/* The value is that of the call, on a rank alone and on an empty pool. */
static void attributes(struct wf_sim_rank *rank, void *arg)
{
	struct weft_keyval *keyval = NULL;
	struct weft_comm *of, *made = NULL;
	struct weft_request *req = NULL;
	void *value = NULL;
	bool found = false;
	struct scene s;

	(void)arg;
	deleted = refusal = 0;
	if (!start(&s, rank))
		return;
	of = exhausted(&s);
	ok(&s, weft_keyval_create(s.job, copy, count_deleted, NULL, &keyval),
	   "keyval");
	ok(&s, weft_comm_set_attr(of, keyval, cell), "set");
	ok(&s, weft_comm_idup(of, &made, &req), "idup");
	ok(&s, weft_comm_set_attr(of, keyval, cell + 1), "set");
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free request");
	ok(&s, weft_comm_get_attr(made, keyval, &value, &found), "get");
	if (!found || value != cell + 100)
		wf_sim_fail(rank, "another value");
	ok(&s, weft_comm_free(&made), "free");
	if (deleted != 2)
		wf_sim_fail(rank, "%d deleted", deleted);
	/* the callback fails, and the ids come all the same */
	refusal = 17;
	of->pool.next = of->pool.end;
	if (weft_comm_idup(of, &made, &req) != 17 || made || req)
		wf_sim_fail(rank, "a refusal is lost");
	refusal = 0;
	ok(&s, weft_comm_dup(of, &made), "dup");
	ok(&s, weft_comm_free(&made), "free");
	/* it fails behind the callback: they are deleted with the request */
	of->pool.next = of->pool.end;
	wf_contexts(s.job)->ids.mint_end = wf_contexts(s.job)->ids.mint_next;
	ok(&s, weft_comm_idup(of, &made, &req), "idup");
	if (weft_request_wait(req) != WEFT_ERR_NOMEM || made ||
	    !strstr(weft_error_text(s.job), "no context ids left") ||
	    !strstr(weft_request_error(req), "weft_comm_idup"))
		wf_sim_fail(rank, "%s", weft_error_text(s.job));
	deleted = 0;
	ok(&s, weft_request_free(&req), "free request");
	if (deleted != 1)
		wf_sim_fail(rank, "%d deleted", deleted);
	ok(&s, weft_keyval_free(&keyval), "free keyval");
	ok(&s, weft_comm_free(&of), "free");
	stop(&s);
}

static void values(void)
{
	run(1, 1, attributes);
}

/* ---- what fails ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *of, *made = NULL;
	struct weft_request *req = NULL;
	bool odd = wf_sim_rank(rank) == 1;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int empty = 0; empty < 2; empty++) {
		ok(&s, weft_comm_dup(s.world, &of), "dup");
		if (empty)
			of->pool.next = of->pool.end;
		if (odd && (weft_comm_idup(of, NULL, &req) != WEFT_ERR_ARG ||
			    !strstr(weft_error_text(s.job), "dup_p is NULL")))
			wf_sim_fail(rank, "NULL is taken");
		if (!odd) {
			ok(&s, weft_comm_idup(of, &made, &req), "idup");
			ok(&s, weft_request_wait(req), "wait");
			ok(&s, weft_request_free(&req), "free request");
			ok(&s, weft_comm_free(&made), "free");
		}
		/* the next one has the same id at all */
		ok(&s, weft_comm_dup(of, &made), "dup");
		ok(&s, weft_barrier(made), "barrier");
		ok(&s, weft_comm_free(&made), "free");
		ok(&s, weft_comm_free(&of), "free");
	}
	if (weft_comm_idup(NULL, &made, &req) != WEFT_ERR_ARG ||
	    weft_comm_idup(s.world, &made, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	stop(&s);
}

/* Of one rank's call, and of its wait: the others have theirs. */
static void run_short(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), failed = 0;
	struct weft_comm *made;
	struct weft_request *req;
	struct weft_info *info;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_info_create(s.job, &info), "info");
	ok(&s, weft_info_set(info, "key", "value"), "set");
	for (long n = 1; n <= ALLOCATIONS; n++) {
		int status;

		made = NULL;
		req = NULL;
		if (me == 0)
			fail_malloc_once(n);
		status = n % 2 ? weft_comm_idup(s.world, &made, &req) :
			weft_comm_idup_with_info(s.world, info, &made, &req);
		fail_malloc_at(0);
		if (!status)
			status = weft_request_wait(req);
		failed += status != WEFT_OK;
		if (status && (me || status != WEFT_ERR_NOMEM || made))
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
		ok(&s, weft_request_free(&req), "free request");
		if (made)
			ok(&s, weft_comm_free(&made), "free");
	}
	if (me == 0 && failed < 2)
		wf_sim_fail(rank, "only %d failed", failed);
	ok(&s, weft_comm_dup(s.world, &made), "dup");
	ok(&s, weft_barrier(made), "barrier");
	stop(&s);
}

/* Without memory for the channels of a refill it waits for that. */
static void lack_channels(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_comm *of, *made[2];
	struct weft_request *req[2];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (long n = 1; n <= 4 * ALLOCATIONS; n++) {
		of = exhausted(&s);
		made[0] = made[1] = NULL;
		req[0] = req[1] = NULL;
		if (me == 1)
			fail_malloc_once(n);
		/* it may fail here, and then the other one has it alone */
		(void)!weft_comm_idup(of, &made[0], &req[0]);
		if (req[0] && me == 1)
			(void)!weft_job_progress(s.job);
		fail_malloc_at(0);
		ok(&s, weft_comm_idup(of, &made[1], &req[1]), "idup");
		if (req[0])
			(void)!weft_request_wait(req[0]);
		ok(&s, weft_request_wait(req[1]), "wait");
		check_id(&s, made[1], made, 1);
		for (int i = 0; i < 2; i++) {
			ok(&s, weft_request_free(&req[i]), "free request");
			if (made[i])
				ok(&s, weft_comm_free(&made[i]), "free");
		}
		ok(&s, weft_comm_free(&of), "free");
	}
	stop(&s);
}

/* A device fails some ops of one rank: it may be alone in that. */
static void fail_alone(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank), status;
	struct weft_comm *of, *made;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &of), "dup");
	for (int i = 0; i < PROMOTED; i++) {
		of->pool.next = of->pool.end;
		ok(&s, weft_comm_dup(of, &made), "dup");
		ok(&s, weft_comm_free(&made), "free");
	}
	of->pool.next = of->pool.end;
	if (me == *(const int *)arg)
		wf_sim_set_faults(rank, 3, 0);
	for (int i = 0; i < 3; i++) {
		made = NULL;
		status = weft_comm_dup(of, &made);
		wf_sim_set_faults(rank, 0, 0);
		alone += status && i == 2;
		if (!made)
			continue;
		status = weft_barrier(made);
		if (status && status != WEFT_ERR_GRAPH &&
		    status != WEFT_ERR_DEVICE)
			wf_sim_fail(rank, "%s", weft_error_text(s.job));
	}
	/* what the program does otherwise goes on */
	ok(&s, weft_barrier(of), "barrier");
	stop(&s);
}

static void devices(void)
{
	alone = 0;
	for (int seed = 1; seed <= DEVICES; seed++) {
		struct wf_sim_options options;
		int who = seed % 3;

		wf_sim_options_init(&options, 3, (uint64_t)seed);
		if (!sim_flow_run(&options, fail_alone, &who))
			return;
	}
	TAP_CHECK(alone > 0);
}

static void failures(void)
{
	run(2, 1, lack_channels);
	run(3, 1, refuse);
	run(2, 1, run_short);
}

/* ---- deaths ---- */

static int heard;

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	int victim = *(const int *)arg, status = 0;
	struct weft_comm *of;
	char name[16];
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &of), "dup");
	for (int i = 0; !status; i++) {
		struct weft_comm *made = NULL;
		struct weft_request *req = NULL;

		of->pool.next = of->pool.end;
		status = weft_comm_idup(of, &made, &req);
		if (wf_sim_rank(rank) == victim && i == STEPS)
			wf_sim_die(rank);
		if (!status)
			status = weft_request_wait(req);
		ok(&s, weft_request_free(&req), "free request");
		if (made)
			ok(&s, weft_comm_free(&made), "free");
	}
	snprintf(name, sizeof(name), "rank %d ", victim);
	if (status != WEFT_ERR_PEER || !strstr(weft_error_text(s.job), name))
		wf_sim_fail(rank, "%s: %s", weft_status_name(status),
			    weft_error_text(s.job));
	heard++;
	status = weft_job_close(s.job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "close: %s", weft_status_name(status));
}

static void deaths(void)
{
	run_deaths(100, &heard, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no message, 1 to 64 ranks and 4096", no_message },
		{ "programs with refills under way", programs },
		{ "an empty pool", empty_pool },
		{ "graphs", graphs },
		{ "attributes", values },
		{ "what fails", failures },
		{ "a device that fails a refill at one rank alone", devices },
		{ "a rank dies", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
