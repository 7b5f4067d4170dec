/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mails that leave late, because what is owed before them cannot go: by then
 * the exchange that a question or an answer was about may be over, and another
 * have its place.
 */
#include "job/job.h"
#include "job/peer.h"
#include "tests/fail_malloc.h"
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
	expect(p, weft_ineighbor_alltoallv(p->flow->graph, &p->out,
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
	struct sim_flow_shape shape = { sim_edges_all, bytes, MOST, 0 };

	sim_flow_seeds(2, 100, env, late_answer, &shape);
}

/* Until a time, after which an allocation fails. */
struct gate {
	struct wf_owed owed;
	struct weft_job *job;
	uint64_t until;
	long fails;
};

static bool is_open(struct wf_owed *owed)
{
	return wf_job_now(wf_container(owed, struct gate, owed)->job) >=
	       wf_container(owed, struct gate, owed)->until;
}

static uint16_t nothing(struct wf_owed *owed, struct wf_mail *head,
			void *payload)
{
	(void)owed;
	(void)payload;
	head->kind = WF_MAIL_KINDS;	/* which is dropped */
	return 0;
}

static void opened(struct wf_owed *owed, int status)
{
	(void)status;
	fail_malloc_once(wf_container(owed, struct gate, owed)->fails);
}

static void gate_shut(struct gate *g, struct weft_job *job, int rank)
{
	g->owed = (struct wf_owed){
		.ready = is_open, .build = nothing, .settled = opened
	};
	g->job = job;
	g->until = wf_job_now(job) + 500 * MS;
	wf_owe(wf_peer_get(job, rank), &g->owed);
}

enum {
	VALUES = 200
};

/*
 * Rank 0 sends a message of several mails, of which rank 1 wants less.  The
 * answer that tells so leaves before the last of them.
 */
static void lost_message(struct wf_sim_rank *rank, void *arg)
{
	long *fails = arg;
	struct gate gate = { .fails = *fails };
	int64_t v[VALUES] = { 0 };
	int me = wf_sim_rank(rank), status;
	struct weft_job *job;

	if (wf_sim_job_open(rank, &job)) {
		wf_sim_fail(rank, "cannot open the job");
		return;
	}
	status = weft_barrier(weft_job_world(job));
	if (status)
		wf_sim_fail(rank, "no barrier");
	if (!me)
		gate_shut(&gate, job, 1);
	status = weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
				weft_part(v, me ? 1 : VALUES, &weft_type_int64),
				&weft_op_sum);
	if (status != WEFT_ERR_TRUNCATE && status != WEFT_ERR_SIZE)
		wf_sim_fail(rank, "%s", weft_status_name(status));
	for (int round = 0; round < 12; round++) {
		v[0] = me + round;
		status = weft_allreduce(weft_job_world(job), WEFT_IN_PLACE,
					weft_part(v, 1, &weft_type_int64),
					&weft_op_sum);
		/* the allocation may be one of these */
		if (status == WEFT_ERR_NOMEM && round < 2)
			continue;
		if (status || v[0] != 1 + 2 * round)
			wf_sim_fail(rank, "round %d: %s", round,
				    weft_status_name(status));
	}
	fail_malloc_once(0);
	if (weft_job_close(job))
		wf_sim_fail(rank, "cannot close the job");
}

static void losses(void)
{
	for (long fails = 0; fails < 8; fails++) {
		if (sim_flow_seeds(2, 10, env, lost_message, &fails))
			continue;
		tap_diag("allocation %ld", fails);
		return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "an answer about the exchange that had its place", answers },
		{ "an answer before the message, which is lost", losses }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
