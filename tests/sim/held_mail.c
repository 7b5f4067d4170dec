/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mails that leave late, because what is owed before them cannot go: by then
 * the exchange that a question or an answer was about may be over, and another
 * have its place.
 */
#include "job/job.h"
#include "job/peer.h"
#include "tests/sim/sim_flow.h"
#include "tests/tap.h"

enum {
	MOST = 600,
	MS = 1000000,
	ROUNDS = 16,
	SHORT_ROUND = 4,		/* takes less than is sent */
	WRONG_ROUND = SHORT_ROUND + 4	/* has its place: 2w later */
};

static char *env[] = {
	"WEFT_LINE_MAX=28", "WEFT_SLOT_MAX=1024", "WEFT_CHUNK=64",
	"WEFT_ARENA=64k", "WEFT_ARENA_MAX=64m", NULL
};

static int both(int from, int to, int ranks)
{
	(void)ranks;
	return from != to;
}

/* Lines, and slots from the wrong round on; back lines alone. */
static size_t bytes(const struct sim_flow_shape *shape, int from, int to,
		    int k, int round)
{
	(void)shape;
	(void)to;
	(void)k;
	return from || round < WRONG_ROUND ? 8 : 500;
}

/* As a full ring does: nothing leaves that is owed after it. */
struct held {
	struct wf_owed owed;
	struct wf_peer *peer;
};

static bool never(struct wf_owed *owed)
{
	(void)owed;
	return false;
}

static void hold(struct held *h, struct sim_flow *f)
{
	*h = (struct held){ .owed = { .ready = never } };
	h->peer = wf_peer_get(f->job, 1 - f->me);
	wf_owe(h->peer, &h->owed);
}

static void let_go(struct held *h)
{
	wf_owe_not(&h->owed);
}

static void expect(struct sim_parcel *p, int status, int wanted)
{
	if (status != wanted)
		wf_sim_fail(p->flow->rank, "round %d: %s, not %s: %s",
			    p->round, weft_status_name(status),
			    weft_status_name(wanted),
			    weft_error_text(p->flow->job));
}

/* Sends more than is taken, late; has to answer when that is over. */
static void answer(struct sim_parcel *p, struct held *mails)
{
	sim_parcel_fill(p, SHORT_ROUND);
	p->send_bytes[0] = 20;
	hold(mails, p->flow);
	sim_flow_compute(p->flow, 400 * MS);
	expect(p, weft_neighbor_alltoallv(p->flow->graph, &p->out, &p->in),
	       WEFT_OK);
	for (int round = SHORT_ROUND + 1; round < WRONG_ROUND; round++)
		sim_parcel_exchange(p, round);
	/* it waits for larger slots when the answer leaves */
	sim_parcel_fill(p, WRONG_ROUND);
	p->send_bytes[0] = 400;
	expect(p, weft_neighbor_alltoallv_start(p->flow->graph, &p->out,
						&p->in, &p->req), WEFT_OK);
	let_go(mails);
	sim_flow_settle(p->flow);
	expect(p, weft_request_wait(p->req), WEFT_OK);
	expect(p, weft_request_free(&p->req), WEFT_OK);
}

/* Asks, and hears of that round by the message itself. */
static void ask(struct sim_parcel *p, struct held *mails)
{
	hold(mails, p->flow);
	sim_parcel_fill(p, SHORT_ROUND);
	expect(p, weft_neighbor_alltoallv(p->flow->graph, &p->out, &p->in),
	       WEFT_ERR_TRUNCATE);
	let_go(mails);
	sim_flow_settle(p->flow);
	for (int round = SHORT_ROUND + 1; round < WRONG_ROUND; round++)
		sim_parcel_exchange(p, round);
	sim_flow_compute(p->flow, 50 * MS);
	sim_parcel_fill(p, WRONG_ROUND);
	expect(p, weft_neighbor_alltoallv(p->flow->graph, &p->out, &p->in),
	       WEFT_ERR_SIZE);
}

static void late_answer(struct wf_sim_rank *rank, void *arg)
{
	struct sim_parcel p;
	struct sim_flow flow;
	struct held mails;

	if (!sim_flow_join(&flow, arg, rank) ||
	    !sim_parcel_init(&p, &flow, false))
		return;
	for (int round = 0; round < SHORT_ROUND; round++)
		sim_parcel_exchange(&p, round);
	sim_flow_settle(&flow);
	if (flow.me)
		ask(&p, &mails);
	else
		answer(&p, &mails);
	for (int round = WRONG_ROUND + 1; round < ROUNDS; round++)
		sim_parcel_exchange(&p, round);
	sim_parcel_fini(&p);
	sim_flow_part(&flow);
}

static void answers(void)
{
	struct sim_flow_shape shape = { both, bytes, MOST, 0 };

	sim_flow_seeds(2, 100, env, late_answer, &shape);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "an answer about the exchange that had its place", answers }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
