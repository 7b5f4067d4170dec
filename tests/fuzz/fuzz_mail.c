/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target: the mails of peers that have the key and say what they like.
 *
 * Three simulated ranks open a job, a graph and its collectives as they should.
 * Then rank 0 gets mails that the others never sent, between exchanges that it
 * starts and completes.  In the end the others die: whatever they had said,
 * each call of rank 0 returns then, with WEFT_OK or an error.
 *
 * That memory of the others is written at places which they named wrongly is
 * their own doing: what the simulator says of it is no finding.
 */
#include <string.h>

#include <weft.h>
#include "comm/comm.h"
#include "job/job.h"
#include "plan/edge.h"
#include "tests/fuzz/fuzz.h"
#include "tests/sim/sim_flow.h"

enum {
	RANKS = 3,
	MOST = 5000,			/* bytes of a message */
	PARCELS = 2,
	TIME = 1000000,			/* ns */
	MOST_RECORDS = 64,
	COMPARED = 4,			/* in the first byte */
	PORT_COLL = 250,		/* of a record; above: as it follows */
	CONTEXT_RAW = 3
};

struct input {
	const uint8_t *at;
	size_t left;
	uint64_t until;			/* the others live; 0: not known yet */
};

/* All there is, and zeros. */
static void take(struct input *in, void *to, size_t n)
{
	size_t have = n < in->left ? n : in->left;

	memset(to, 0, n);
	if (have)
		memcpy(to, in->at, have);
	in->at += have;
	in->left -= have;
}

static uint8_t take_byte(struct input *in)
{
	uint8_t byte;

	take(in, &byte, 1);
	return byte;
}

/* Both ways with the first, two edges; from the other one way. */
static int edges(int from, int to, int ranks)
{
	(void)ranks;
	if (from == 2 || to == 2)
		return from == 2 && to == 0;
	return from == to ? to == 0 : 1 + from;
}

static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	static const size_t by_round[] = { 0, 8, 500, 3000, 28, 1024, 5000,
					   1 };

	(void)shape;
	(void)from;
	(void)to;
	(void)k;
	return by_round[round % 8];
}

static const struct sim_flow_shape shape = { edges, bytes, MOST, 0 };

static void let_pass(struct sim_flow *flow, uint64_t ns)
{
	uint64_t until = wf_sim_now(flow->rank) + ns;

	while (wf_sim_now(flow->rank) < until) {
		FUZZ_CHECK(weft_job_progress(flow->job) <= 0);
		wf_sim_idle(flow->rank, wf_sim_now(flow->rank) + TIME / 20);
	}
}

/* Of a collective's mail: an epoch that is never mailed, 16 bytes into it. */
static bool is_too_late(const struct wf_mail *head, const char *payload)
{
	uint64_t epoch = 0;

	if (head->kind != WF_MAIL_COLL || head->word != WF_PORT_COLL ||
	    head->length < 16 + sizeof(epoch))
		return false;
	memcpy(&epoch, payload + 16, sizeof(epoch));
	return epoch >= WF_MAILED_EPOCHS;
}

static void deliver(struct weft_job *job, struct wf_peer *peer,
		    const struct wf_mail *head, const char *payload)
{
	uint64_t dropped = job->mailbox.dropped;

	/* Nothing is delivered before the peer is connected. */
	if (!peer->ep || !wf_peer_is_there(peer))
		return;
	wf_mail_deliver(job, peer->ep, head, payload);
	if (head->context == weft_job_world(job)->id)
		FUZZ_CHECK(!is_too_late(head, payload) ||
			   job->mailbox.dropped > dropped);
}

/* Its payload has a block of its own, so that a read behind it is seen. */
static void mail(struct sim_flow *flow, struct input *in, uint8_t how)
{
	struct wf_peer *peer = wf_peer_get(flow->job, 1 + (how >> 3 & 1));
	const uint64_t ids[] = {
		weft_job_world(flow->job)->id,
		flow->graph ? flow->graph->id : 2, 1
	};
	struct wf_mail head = { .kind = take_byte(in) };
	unsigned context = how >> 4 & 3;
	uint16_t length;
	char *payload;

	head.word = take_byte(in);
	if (head.word > PORT_COLL)
		take(in, &head.word, sizeof(head.word));
	else if (head.word == PORT_COLL)
		head.word = WF_PORT_COLL;
	if (context == CONTEXT_RAW)
		take(in, &head.context, sizeof(head.context));
	else
		head.context = ids[context];
	take(in, &length, sizeof(length));
	head.length = length % (WF_MAIL_LONGEST + 1);
	payload = malloc(head.length ? head.length : 1);
	FUZZ_CHECK(payload && peer);
	take(in, payload, head.length);
	deliver(flow->job, peer, &head, payload);
	free(payload);
}

static void start(struct sim_parcel *p, int round)
{
	int status;

	if (p->req || !p->flow->graph)
		return;
	sim_parcel_fill(p, round);
	status = weft_ineighbor_alltoallv(p->flow->graph, &p->out,
					  &p->in, &p->req);
	FUZZ_CHECK(status <= 0);
	if (status)
		p->req = NULL;
}

static void finish(struct sim_parcel *p, bool wait)
{
	bool done = true;
	int status;

	if (!p->req)
		return;
	status = wait ? weft_request_wait(p->req) :
			weft_request_test(p->req, &done);
	FUZZ_CHECK(status <= 0);
	if (status || done)
		FUZZ_CHECK(weft_request_free(&p->req) <= 0);
}

static void free_graph(struct sim_flow *flow, const struct sim_parcel *p)
{
	if (flow->graph && !p[0].req && !p[1].req)
		FUZZ_CHECK(weft_comm_free(&flow->graph) <= 0);
}

static void step(struct sim_flow *flow, struct input *in, struct sim_parcel *p)
{
	uint8_t how = take_byte(in);

	switch (how & 7) {
	case 5:
		start(&p[how >> 3 & 1], how >> 4);
		break;
	case 6:
		if (how >> 3 == 31)
			free_graph(flow, p);
		else
			let_pass(flow, TIME / 10 * (1 + (how >> 3)));
		break;
	case 7:
		finish(&p[how >> 3 & 1], false);
		break;
	default:
		mail(flow, in, how);
	}
}

static void victim(struct sim_flow *flow, struct input *in,
		   struct sim_parcel *p)
{
	for (int i = 0; i < MOST_RECORDS && in->left; i++)
		step(flow, in, p);
	let_pass(flow, TIME);
	in->until = wf_sim_now(flow->rank) + TIME;
	FUZZ_CHECK(weft_barrier(weft_job_world(flow->job)) <= 0);
	for (int i = 0; i < PARCELS; i++)
		finish(&p[i], true);
	free_graph(flow, p);
	for (int i = 0; i < PARCELS; i++)
		sim_parcel_fini(&p[i]);
	FUZZ_CHECK(weft_job_close(flow->job) <= 0);
}

static void other(struct sim_flow *flow, const struct input *in)
{
	while (!in->until || wf_sim_now(flow->rank) < in->until)
		let_pass(flow, TIME / 10);
	wf_sim_die(flow->rank);
}

static void program(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p[PARCELS];
	struct input *in = arg;
	struct sim_flow flow;
	int rounds = in->left ? in->at[0] % 4 : 0;

	if (wf_sim_rank(rank))
		wf_sim_doom(rank);
	FUZZ_CHECK(sim_flow_join(&flow, &shape, rank));
	for (int i = 0; i < PARCELS; i++)
		FUZZ_CHECK(sim_parcel_init(&p[i], &flow, false));
	for (int round = 0; round < rounds; round++)
		sim_parcel_exchange(&p[0], round);
	FUZZ_CHECK(!weft_barrier(weft_job_world(flow.job)));
	/* all have begun, and none looks at the first byte any more */
	let_pass(&flow, TIME);
	if (flow.me) {
		for (int i = 0; i < PARCELS; i++)
			sim_parcel_fini(&p[i]);
		other(&flow, in);
	}
	take_byte(in);
	victim(&flow, in, p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char check[] = "WEFT_CHECK=1";
	static char *settings[] = {
		"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=64",
		"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", "WEFT_LOG=error",
		check, NULL
	};
	struct input in = { data, size, 0 };
	struct wf_sim_options options;
	struct wf_sim_result result;

	/* ranks that compare their calls have marks */
	check[sizeof(check) - 2] = size && data[0] & COMPARED ? '2' : '1';
	wf_sim_options_init(&options, RANKS, 1);
	options.ranks_per_node = 1;
	options.environ = settings;
	FUZZ_CHECK(!wf_sim_run(&options, program, &in, &result));
	FUZZ_CHECK(!result.hung && result.finished == 1);
	return 0;
}
