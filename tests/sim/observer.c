/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an observer is told: each post once, and its landing once, also where
 * the run ends before; a run with one is the run without.
 */
#include <string.h>

#include "tests/sim/node.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum { MOST = 20000, ROUNDS = 6, BYTES = 400 };

struct seen {
	uint64_t posted, landed, lost, deaths, busy;
	uint64_t fetches;	/* of the posted, gets and atomics */
	int states[MOST + 1];	/* 1: posted, 2: and landed */
	uint64_t wrong;
};

static void posted(void *arg, const struct wf_sim_message *m)
{
	struct seen *seen = arg;

	if (m->number != ++seen->posted || m->number > MOST) {
		seen->wrong++;
		return;
	}
	seen->wrong += m->start_ps > m->end_ps || m->bytes > BYTES;
	seen->states[m->number] = 1;
	seen->fetches += *m->kind == 'g' || *m->kind == 'a';
}

static void landed(void *arg, const struct wf_sim_message *m, bool lands)
{
	struct seen *seen = arg;

	if (lands)
		seen->landed++;
	else
		seen->lost++;
	if (m->number > MOST || seen->states[m->number]++ != 1 ||
	    m->start_ps > m->end_ps)
		seen->wrong++;
}

static void busy(void *arg, int rank, const char *what, uint64_t start_ps,
		 uint64_t end_ps)
{
	struct seen *seen = arg;

	(void)rank;
	seen->busy++;
	seen->wrong += start_ps >= end_ps || !what;
}

static void died(void *arg, int rank, uint64_t time_ps)
{
	struct seen *seen = arg;

	(void)time_ps;
	seen->wrong += rank != 1;
	seen->deaths++;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t any[] = { 8, 200, 0, BYTES - 8 };

	(void)shape;
	return any[(from + 2 * to + 3 * k + round) % 4];
}

static const struct sim_flow_shape ring = { sim_edges_ring, bytes, BYTES, 0 };

static void exchanges(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;

	(void)arg;
	if (!sim_flow_join(&flow, &ring, rank) ||
	    !sim_parcel_init(&p, &flow, true))
		return;
	for (int round = 0; round < ROUNDS; round++)
		sim_parcel_exchange(&p, round);
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

/* For the living what fails, fails. */
static void until_one_dies(struct wf_sim_rank *rank, void *arg)
{
	struct weft_job *job;
	int64_t v = 1;
	int status;

	(void)arg;
	if (wf_sim_job_open(rank, &job))
		return;
	while (!weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
			       weft_part(&v, 1, &weft_type_int64),
			       &weft_op_sum))
		;
	status = weft_job_close(job);
	if (status && status != WEFT_ERR_PEER)
		wf_sim_fail(rank, "cannot close the job");
}

static struct wf_rloc block;		/* of rank 1 */

static void await(struct node *node, struct wf_ep *ep)
{
	while (!wf_ep_done(ep, ep->posted))
		node_wait(node);
}

static void fetch(struct node *node)
{
	struct wf_ep *ep = node->ep[1];
	char bytes[BYTES];
	uint64_t old;

	for (int i = 0; i < ROUNDS; i++) {
		while (ep->ops->get(ep, wf_loc_any(bytes), block, BYTES))
			node_wait(node);
		await(node, ep);
		while (ep->ops->fetch_add(ep, block, 1, &old))
			node_wait(node);
		await(node, ep);
	}
}

/* Rank 0 fetches from rank 1. */
static void fetches(struct wf_sim_rank *rank, void *arg)
{
	struct node node;
	uint64_t at;

	(void)arg;
	if (!node_open(&node, rank))
		return;
	if (!wf_sim_rank(rank)) {
		while (!node.mails)
			node_wait(&node);
		fetch(&node);
	} else if (wf_segment_alloc(&node.segment, BYTES, 64, &at) ||
		   wf_sim_tp.key(&node.dev->arena, at, &block)) {
		wf_sim_fail(rank, "no block");
	} else {
		node_mail(&node, 0, 1, 0);
	}
	node_close(&node);
}

static bool run(struct wf_sim_options *options,
		void (*program)(struct wf_sim_rank *rank, void *arg),
		struct seen *seen, struct wf_sim_result *result_p)
{
	const struct wf_sim_observer observer = {
		seen, posted, landed, busy, died
	};
	struct wf_sim_result alone;

	memset(seen, 0, sizeof(*seen));
	options->environ = sim_small_env;
	if (!TAP_EQUAL(wf_sim_run(options, program, NULL, &alone), WEFT_OK))
		return false;
	options->observer = &observer;
	if (!TAP_EQUAL(wf_sim_run(options, program, NULL, result_p), WEFT_OK))
		return false;
	options->observer = NULL;
	TAP_CHECK(result_p->trace == alone.trace);
	TAP_CHECK(result_p->time_ps == alone.time_ps);
	TAP_EQUAL(seen->wrong, 0);
	TAP_CHECK(seen->posted == result_p->messages + seen->fetches);
	TAP_CHECK(seen->posted == seen->landed + seen->lost);
	return true;
}

static struct seen seen;

static void exchanged(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 5, seed);
		wf_sim_options_vary(&options);
		if (!run(&options, exchanges, &seen, &result))
			return;
		TAP_EQUAL(result.violations, 0);
		TAP_EQUAL(seen.deaths, 0);
		TAP_EQUAL(seen.busy, 0);
	}
}

static void over_a_network(void)
{
	struct wf_sim_options options;
	struct wf_sim_result result;

	wf_sim_options_init(&options, 5, 1);
	options.net = wf_sim_net_find("hdr200");
	options.ranks_per_node = 2;
	if (run(&options, exchanges, &seen, &result))
		TAP_CHECK(seen.busy);
}

static void fetched(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 2, seed);
		if (!run(&options, fetches, &seen, &result))
			return;
		TAP_EQUAL(result.violations, 0);
		TAP_EQUAL(seen.fetches, 2 * ROUNDS);
		TAP_EQUAL(seen.lost, 0);
	}
}

/* In some runs messages of the dead are lost. */
static void a_death(void)
{
	uint64_t lost = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct wf_sim_options options;
		struct wf_sim_result result;

		wf_sim_options_init(&options, 5, seed);
		wf_sim_options_vary(&options);
		options.kill_rank = 1;
		options.kill_event = 300;
		if (!run(&options, until_one_dies, &seen, &result))
			return;
		TAP_EQUAL(result.violations, 0);
		TAP_EQUAL(seen.deaths, 1);
		lost += seen.lost;
	}
	TAP_CHECK(lost);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "posts and landings of exchanges", exchanged },
		{ "posts and landings over a network", over_a_network },
		{ "requests of gets and atomics", fetched },
		{ "what the dead have sent", a_death },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
