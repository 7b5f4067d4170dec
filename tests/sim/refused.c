/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that are refused at one rank: they are errors at all that take part,
 * and leave both ends as far as each other, so that what comes next works and
 * the job closes.
 */
#include "comm/comm.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	LARGE = 3000,			/* beyond WEFT_SLOT_MAX */
	SECOND = 1000000000
};

/* One message of LARGE bytes each way between two ranks. */
struct pair {
	struct wf_sim_rank *rank;
	struct weft_job *job;
	struct weft_comm *graph;
	char send[LARGE], recv[LARGE];
	size_t count;
	ptrdiff_t zero;
	struct weft_vec out, in;
};

static int create(struct pair *p, struct weft_comm **graph_p)
{
	int other = 1 - wf_sim_rank(p->rank);
	struct weft_edges edges = { 1, &other, NULL };

	return weft_graph_create_adjacent(weft_job_world(p->job), &edges,
					  &edges, NULL, false, graph_p);
}

static struct pair *pair_open(struct wf_sim_rank *rank)
{
	struct pair *p = calloc(1, sizeof(*p));

	if (!p || wf_sim_job_open(rank, &p->job)) {
		wf_sim_fail(rank, "cannot open the job");
		free(p);
		return NULL;
	}
	p->rank = rank;
	p->count = LARGE;
	p->out = (struct weft_vec){ .base = p->send,
		.type = &weft_type_byte, .counts = &p->count,
		.displs = &p->zero };
	p->in = p->out;
	p->in.base = p->recv;
	return p;
}

static void exchange(struct pair *p, int round)
{
	memset(p->send, 100 * wf_sim_rank(p->rank) + round, LARGE);
	if (weft_neighbor_alltoallv(p->graph, &p->out, &p->in))
		wf_sim_fail(p->rank, "round %d: %s", round,
			    weft_error_text(p->job));
	for (int i = 0; i < LARGE; i++)
		if (p->recv[i] != 100 * (1 - wf_sim_rank(p->rank)) + round) {
			wf_sim_fail(p->rank, "round %d, byte %d", round, i);
			return;
		}
}

static void pair_close(struct pair *p)
{
	if (weft_comm_free(&p->graph) || weft_job_close(p->job))
		wf_sim_fail(p->rank, "cannot close");
	free(p);
}

static void says(struct pair *p, const char *text)
{
	if (!strstr(weft_error_text(p->job), text))
		wf_sim_fail(p->rank, "\"%s\", not \"%s\"",
			    weft_error_text(p->job), text);
}

/* Of a collective call that one rank has refused. */
static void says_who(struct pair *p, bool refused_here, int status,
		     const char *own)
{
	if (status != WEFT_ERR_ARG)
		wf_sim_fail(p->rank, "made: %s", weft_status_name(status));
	says(p, own);
	if (!refused_here)
		says(p, wf_sim_rank(p->rank) ? "rank 0 of the communicator: " :
					       "rank 1 of the communicator: ");
}

/* One rank has no place for the graph; the ids stay equal all the same. */
static void create_without_place(struct wf_sim_rank *rank, void *arg)
{
	struct pair *p = pair_open(rank);
	bool bad = wf_sim_rank(rank) == 1;

	(void)arg;
	if (!p)
		return;
	says_who(p, bad, create(p, bad ? NULL : &p->graph),
		 "weft_graph_create_adjacent: graph_p is NULL");
	if (create(p, &p->graph)) {
		wf_sim_fail(rank, "no graph");
		return;
	}
	for (int round = 0; round < 6; round++)
		exchange(p, round);
	pair_close(p);
}

/* Each rank in turn passes no type to the making of a request. */
static void init_refused(struct wf_sim_rank *rank, void *arg)
{
	struct pair *p = pair_open(rank);

	(void)arg;
	if (!p || create(p, &p->graph)) {
		wf_sim_fail(rank, "no graph");
		return;
	}
	for (int bad = 0; bad < 2; bad++) {
		struct weft_request *req;
		struct weft_vec out = p->out;

		if (wf_sim_rank(rank) == bad)
			out.type = NULL;
		says_who(p, wf_sim_rank(rank) == bad,
			 weft_neighbor_alltoallv_init(p->graph, &out, &p->in,
						      &req),
			 "weft_neighbor_alltoallv_init: send->type is NULL");
	}
	exchange(p, 0);
	if (wf_contexts(p->job)->nparked)
		wf_sim_fail(rank, "%llu mails wait for sets that never were",
			    (unsigned long long)wf_contexts(p->job)->nparked);
	pair_close(p);
}

/* Each rank in turn, then both, which are refused for reasons of their own. */
static void create_no_region(struct wf_sim_rank *rank, void *arg)
{
	struct pair *p = pair_open(rank);
	int me = wf_sim_rank(rank);
	struct weft_region *region = NULL;
	struct weft_comm *world;

	(void)arg;
	if (!p || create(p, &p->graph))
		return;
	world = weft_job_world(p->job);
	for (int bad = 0; bad < 2; bad++)
		says_who(p, me == bad, weft_region_create(
				world, NULL, 8, me == bad ? NULL : &region),
			 "weft_region_create: region_p is NULL");
	if (weft_region_create(world, NULL, me ? SIZE_MAX : 8,
			       me ? &region : NULL) !=
	    (me ? WEFT_ERR_NOMEM : WEFT_ERR_ARG))
		wf_sim_fail(rank, "both: %s", weft_error_text(p->job));
	says(p, me ? "no room for" : "region_p is NULL");
	if (weft_region_create(world, NULL, 8, &region) ||
	    weft_region_free(&region))
		wf_sim_fail(rank, "the next: %s", weft_error_text(p->job));
	pair_close(p);
}

/* A refused blocking call does not wait for the other end. */
static void refused_at_once(struct wf_sim_rank *rank, void *arg)
{
	struct pair *p = pair_open(rank);
	uint64_t start, until;

	(void)arg;
	if (!p || create(p, &p->graph)) {
		wf_sim_fail(rank, "no graph");
		return;
	}
	exchange(p, 0);
	start = wf_sim_now(rank);
	until = start + SECOND;
	if (wf_sim_rank(rank) == 0)
		p->out.type = NULL;
	else
		while (wf_sim_now(rank) < until)
			wf_sim_idle(rank, until);
	if (weft_neighbor_alltoallv(p->graph, &p->out, &p->in) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "not refused");
	if (wf_sim_rank(rank) == 0 && wf_sim_now(rank) >= until)
		wf_sim_fail(rank, "it waited for the other end");
	p->out.type = &weft_type_byte;
	for (int round = 1; round < 6; round++)
		exchange(p, round);
	pair_close(p);
}

/* What no memory holds is refused at both ranks; the next one works. */
static void too_many_elements(struct wf_sim_rank *rank, void *arg)
{
	struct pair *p = pair_open(rank);
	double one = 1, sum = 0;

	(void)arg;
	if (!p || create(p, &p->graph)) {
		wf_sim_fail(rank, "no graph");
		return;
	}
	if (weft_allreduce(p->graph, &one,
			   weft_part(&sum, SIZE_MAX / 8, &weft_type_double),
			   &weft_op_sum) != WEFT_ERR_RANGE)
		wf_sim_fail(rank, "2^64 bytes");
	if (weft_allreduce(p->graph, &one,
			   weft_part(&sum, SIZE_MAX / 16, &weft_type_double),
			   &weft_op_sum) != WEFT_ERR_NOMEM)
		wf_sim_fail(rank, "2^63 bytes");
	/* a call that was refused at one rank was not made there */
	if (wf_sim_rank(rank) == 0 &&
	    weft_allreduce(p->graph, &one, weft_part(&sum, 1, NULL),
			   &weft_op_sum) !=
	    WEFT_ERR_ARG)
		wf_sim_fail(rank, "no type");
	if (weft_allreduce(p->graph, &one,
			   weft_part(&sum, 1, &weft_type_double),
			   &weft_op_sum) || sum != 2)
		wf_sim_fail(rank, "the next: %g", sum);
	pair_close(p);
}

/* Children of children, until their parent has no id to give. */
static void descend(struct wf_sim_rank *rank, void *arg)
{
	struct pair *p = pair_open(rank);
	struct weft_edges none = { 0, NULL, NULL };
	struct weft_comm *comm[80];
	struct wf_cid_space *ids;
	int n = 0, status = WEFT_OK;

	(void)arg;
	if (!p || create(p, &p->graph)) {
		wf_sim_fail(rank, "no graph");
		return;
	}
	/* Nor has anybody else. */
	ids = &wf_contexts(p->job)->ids;
	ids->mint_next = ids->mint_end;
	for (; !status && n < 80; n++)
		status = weft_graph_create_adjacent(n ? comm[n - 1] : p->graph,
						    &none, &none, NULL, false,
						    &comm[n]);
	if (status != WEFT_ERR_NOMEM)
		wf_sim_fail(rank, "%d deep: %s", n, weft_status_name(status));
	for (n--; n--;)
		if (weft_comm_free(&comm[n]))
			wf_sim_fail(rank, "cannot free child %d", n);
	pair_close(p);
}

/* What is active is neither started nor freed, as if it was not touched. */
static void touch(struct pair *p, struct weft_request *req, bool persistent)
{
	struct weft_request *held = req;
	bool done = true;

	if (weft_request_test(req, &done) || done)
		wf_sim_fail(p->rank, "complete without the other end");
	if (weft_request_start(req) != WEFT_ERR_REQUEST)
		wf_sim_fail(p->rank, "started twice");
	says(p, persistent ? "active: wait for it" : "is not persistent");
	if (weft_request_free(&held) != WEFT_ERR_REQUEST || held != req)
		wf_sim_fail(p->rank, "freed while active");
	says(p, "weft_request_free: the request is active");
	if (*weft_request_error(req))
		wf_sim_fail(p->rank, "an active request has failed");
}

/* Rank 1 comes a second later, so that the request of rank 0 is active. */
static int start_late(struct pair *p, bool persistent,
		      struct weft_request **req_p)
{
	uint64_t until = wf_sim_now(p->rank) + SECOND;
	int status = WEFT_OK;

	if (persistent)
		status = weft_neighbor_alltoallv_init(p->graph, &p->out,
						      &p->in, req_p);
	while (wf_sim_rank(p->rank) == 1 && wf_sim_now(p->rank) < until)
		wf_sim_idle(p->rank, until);
	if (status)
		return status;
	return persistent ? weft_request_start(*req_p) :
		weft_ineighbor_alltoallv(p->graph, &p->out, &p->in,
					 req_p);
}

static void touch_active(struct wf_sim_rank *rank, void *arg)
{
	struct pair *p = pair_open(rank);

	(void)arg;
	if (!p || create(p, &p->graph)) {
		wf_sim_fail(rank, "no graph");
		return;
	}
	for (int round = 0; round < 4; round++) {
		bool persistent = round % 2;
		struct weft_request *req = NULL;
		int status = start_late(p, persistent, &req);

		if (!status && wf_sim_rank(rank) == 0)
			touch(p, req, persistent);
		if (status || weft_request_wait(req) ||
		    weft_request_free(&req) || weft_barrier(p->graph))
			wf_sim_fail(rank, "round %d: %s", round,
				    weft_error_text(p->job));
	}
	exchange(p, 9);
	pair_close(p);
}

static void run(void (*program)(struct wf_sim_rank *rank, void *arg))
{
	static char *env[] = { "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=256",
			       "WEFT_ARENA_MAX=64m", NULL };

	sim_flow_seeds(2, 30, env, program, NULL);
}

static void graphs(void)
{
	run(create_without_place);
}

static void requests(void)
{
	run(init_refused);
}

static void regions(void)
{
	run(create_no_region);
}

static void blocking(void)
{
	run(refused_at_once);
}

static void elements(void)
{
	run(too_many_elements);
}

static void active(void)
{
	run(touch_active);
}

static void children(void)
{
	run(descend);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a graph without a place for it at one rank", graphs },
		{ "requests that are refused at each rank", requests },
		{ "regions that are refused at each rank", regions },
		{ "a refused call returns at once", blocking },
		{ "more elements than any memory holds", elements },
		{ "an active request is left alone", active },
		{ "children until the ids are used up", children }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
