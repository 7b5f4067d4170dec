/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several exchanges at a time: the window lets w of a set be in flight and no
 * more, sets do not wait for each other, and ranks may start them in different
 * orders.
 */
#include "plan/request_run.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	QUEUED = 16,
	WINDOW = 2,		/* of the calls on a graph */
	REQUESTS = 4
};

/* To both neighbours of a ring, twice to the next one, and to oneself. */
static int ring(int from, int to, int ranks)
{
	if (from == to)
		return 1;
	return 2 * (to == (from + 1) % ranks) + (from == (to + 1) % ranks);
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, 0, 700, 28, 29, 256, 257 };

	return any[(from + 2 * to + 3 * k + round * shape->variant) % 8];
}

static const struct sim_flow_shape shape = { ring, bytes, 700, 1 };

/* Exchanges of the parcels that have left the queue and are not complete. */
static int in_flight(const struct sim_parcel *parcel, int n)
{
	int active = 0;

	for (int i = 0; i < n; i++) {
		struct weft_request *req = parcel[i].req;

		active += req &&
			  wf_run_request(req)->run.state == WF_RUN_ACTIVE;
	}
	return active;
}

/* Tests a request; true: it is complete, and its bytes were checked. */
static bool test_one(struct sim_parcel *p)
{
	bool done = false;
	int status;

	if (!p->req)
		return false;
	status = weft_request_test(p->req, &done);
	if (status)
		wf_sim_fail(p->flow->rank, "exchange %d: %s", p->round,
			    weft_status_name(status));
	if (done)
		sim_parcel_wait(p);
	return done;
}

static void watch(struct sim_flow *flow, struct sim_parcel *parcel,
		  int *most)
{
	int active = in_flight(parcel, QUEUED);

	if (active > WINDOW)
		wf_sim_fail(flow->rank, "%d exchanges in flight", active);
	if (active > *most)
		*most = active;
}

static void queue(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel *parcel = calloc(QUEUED, sizeof(*parcel));
	struct wf_random random;
	struct sim_flow flow;
	int left = QUEUED;

	wf_random_init(&random, wf_sim_seed(rank));
	if (!parcel || !sim_flow_join(&flow, &shape, rank))
		return;
	for (int i = 0; i < QUEUED; i++) {
		if (!sim_parcel_init(&parcel[i], &flow, i % 2))
			return;
		sim_parcel_start(&parcel[i], i);
		watch(&flow, parcel, arg);
	}
	while (left) {
		left -= test_one(&parcel[wf_random_below(&random, QUEUED)]);
		watch(&flow, parcel, arg);
	}
	for (int i = 0; i < QUEUED; i++)
		sim_parcel_fini(&parcel[i]);
	free(parcel);
	sim_flow_part(&flow);
}

static void never_more_than_the_window(void)
{
	int most = 0;

	for (int ranks = 1; ranks <= 6; ranks++)
		if (!sim_flow_seeds(ranks, 15, sim_small_env, queue, &most))
			return;
	TAP_EQUAL(most, WINDOW);
}

/* Rounds on two graphs, started and waited for in orders of one's own. */
static void swap(struct wf_sim_rank *rank, void *arg)
{
	struct sim_flow flow[2];
	struct sim_parcel parcel[2];
	int me = wf_sim_rank(rank);

	(void)arg;
	if (!sim_flow_join(&flow[0], &shape, rank) ||
	    !sim_flow_open(&flow[1], &shape, rank, flow[0].job))
		return;
	for (int g = 0; g < 2; g++)
		if (!sim_parcel_init(&parcel[g], &flow[g], g))
			return;
	for (int i = 0; i < QUEUED; i++) {
		int first = (me + i) % 2, awaited = (me + i / 2) % 2;

		sim_parcel_start(&parcel[first], i);
		sim_parcel_start(&parcel[1 - first], i);
		sim_parcel_wait(&parcel[awaited]);
		sim_parcel_wait(&parcel[1 - awaited]);
	}
	sim_parcel_fini(&parcel[0]);
	sim_parcel_fini(&parcel[1]);
	sim_flow_close(&flow[1]);
	sim_flow_part(&flow[0]);
}

static void opposite_orders(void)
{
	for (int ranks = 2; ranks <= 5; ranks++)
		if (!sim_flow_seeds(ranks, 15, sim_small_env, swap, NULL))
			return;
}

static void start_again(struct sim_parcel *p, int round)
{
	sim_parcel_fill(p, round);
	if (weft_request_start(p->req))
		wf_sim_fail(p->flow->rank, "cannot start: %s",
			    weft_error_text(p->flow->job));
}

static void complete(struct sim_parcel *p)
{
	if (weft_request_wait(p->req))
		wf_sim_fail(p->flow->rank, "cannot wait: %s",
			    weft_error_text(p->flow->job));
	sim_parcel_check(p);
}

/* All requests and a nonblocking call in flight, in any order at each rank. */
static void shuffled_round(struct sim_parcel *parcel, int round,
			   struct wf_random *random)
{
	int order[REQUESTS + 1];

	for (int i = 0; i <= REQUESTS; i++) {
		int at = (int)wf_random_below(random, (uint64_t)i + 1);

		order[i] = order[at];
		order[at] = i;
	}
	for (int i = 0; i <= REQUESTS; i++) {
		if (order[i] == REQUESTS)
			sim_parcel_start(&parcel[REQUESTS], round);
		else
			start_again(&parcel[order[i]], round * 5 + order[i]);
	}
	for (int i = REQUESTS; i >= 0; i--) {
		int which = (order[i] + round) % (REQUESTS + 1);

		if (which == REQUESTS)
			sim_parcel_wait(&parcel[REQUESTS]);
		else
			complete(&parcel[which]);
	}
}

static bool make_requests(struct sim_flow *flow, struct sim_parcel *parcel)
{
	for (int i = 0; i <= REQUESTS; i++) {
		struct sim_parcel *p = &parcel[i];

		if (!sim_parcel_init(p, flow, i % 2))
			return false;
		if (i == REQUESTS)
			break;
		p->sizes = i;
		sim_parcel_fill(p, i);
		if (weft_neighbor_alltoallv_init(flow->graph, &p->out, &p->in,
						 &p->req)) {
			wf_sim_fail(flow->rank, "no request: %s",
				    weft_error_text(flow->job));
			return false;
		}
	}
	return true;
}

static void shuffle(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel parcel[REQUESTS + 1];
	struct wf_random random;
	struct sim_flow flow;

	(void)arg;
	wf_random_init(&random, wf_sim_seed(rank));
	if (!sim_flow_join(&flow, &shape, rank) ||
	    !make_requests(&flow, parcel))
		return;
	for (int round = 0; round < 8; round++)
		shuffled_round(parcel, round, &random);
	for (int i = 0; i < REQUESTS; i++)
		if (weft_request_free(&parcel[i].req))
			wf_sim_fail(rank, "cannot free a request");
	for (int i = 0; i <= REQUESTS; i++)
		sim_parcel_fini(&parcel[i]);
	sim_flow_part(&flow);
}

static void persistent_in_any_order(void)
{
	for (int ranks = 1; ranks <= 5; ranks++)
		if (!sim_flow_seeds(ranks, 15, sim_small_env, shuffle, NULL))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "never more than the window in flight",
		  never_more_than_the_window },
		{ "two graphs started in opposite orders", opposite_orders },
		{ "persistent requests in any order", persistent_in_any_order }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
