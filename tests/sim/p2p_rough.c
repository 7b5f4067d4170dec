/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched messages between ranks that do not play along: close, die or free
 * what others still use, lose messages, answer what nobody has asked.
 */
#include <stdlib.h>
#include "job/liveness.h"
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 20000
};

static char content[LONG];

static void send_off(const struct scene *s, struct weft_comm *comm, size_t n,
		     struct weft_request **req_p)
{
	ok(s, weft_issend(comm, content, n, &weft_type_byte, weft_to(1, 1),
			  req_p), "issend");
}

static void finish(const struct scene *s, struct weft_request *req, int wanted)
{
	expect(s, weft_request_wait(req), wanted, NULL);
	ok(s, weft_request_free(&req), "free");
}

/* ---- nobody receives it ---- */

static void close_on_it(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		send_off(&s, s.world, LONG, &req);
		finish(&s, req, WEFT_ERR_PEER);
	} else {
		linger(&s);
		ok(&s, weft_probe(s.world, weft_from(0, 1), NULL), "probe");
	}
	stop(&s);
}

/* The communicator is freed when its sender is dead already. */
static void free_behind_dead(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	struct weft_comm *dup = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	if (wf_sim_rank(rank) == 0) {
		send_off(&s, dup, 1, &req);
		linger(&s);
		wf_sim_die(rank);
	}
	ok(&s, weft_probe(dup, weft_from(0, 1), NULL), "probe");
	await_news(&s);
	ok(&s, weft_comm_free(&dup), "free");
	(void)!weft_job_close(s.job);
}

/* It comes before its context, which is freed while another call holds it. */
static void free_while_held(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *dup = NULL, *child = NULL;
	struct weft_request *req = NULL, *made = NULL;
	struct scene s;
	bool found;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_iprobe(s.world, weft_from(0, 1), &found, NULL), "iprobe");
	if (wf_sim_rank(rank))
		linger(&s);
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	if (wf_sim_rank(rank) == 0)
		send_off(&s, dup, 1, &req);
	ok(&s, weft_comm_idup(dup, &child, &made), "idup");
	if (wf_sim_rank(rank))
		ok(&s, weft_comm_free(&dup), "free");
	finish(&s, made, WEFT_OK);
	if (req)
		finish(&s, req, WEFT_ERR_GRAPH);
	if (dup)
		ok(&s, weft_comm_free(&dup), "free");
	ok(&s, weft_comm_free(&child), "free");
	stop(&s);
}

static void not_received(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		run(2, seed, close_on_it);
		run(2, seed, free_while_held);
		run_death(seed, free_behind_dead);
	}
}

/* ---- deaths ---- */

/* It was cut off, and does not come at all. */
static void die_behind_cut(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	struct scene s;
	static char at[LONG];

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		send_off(&s, s.world, LONG, &req);
		linger(&s);
		wf_sim_die(rank);
	}
	ok(&s, weft_probe(s.world, weft_from(0, 1), NULL), "probe");
	await_news(&s);
	expect(&s, weft_recv(s.world, at, LONG / 2, &weft_type_byte,
			     weft_from(0, 1), NULL), WEFT_ERR_PEER, NULL);
	(void)!weft_job_close(s.job);
}

static void wait_until(struct wf_sim_rank *rank, uint64_t ns)
{
	uint64_t until = wf_sim_now(rank) + ns;

	while (wf_sim_now(rank) < until)
		wf_sim_idle(rank, until);
}

/* What the dead has sent lies there, and nobody has looked at it so far. */
static void die_behind_sent(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	struct scene s;
	char at;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_send(s.world, "m", 1, &weft_type_byte,
				 weft_to(1, 1)), "send");
		wait_until(rank, 500000);
		wf_sim_die(rank);
	}
	wait_until(rank, 2000000);
	ok(&s, weft_irecv(s.world, &at, 1, &weft_type_byte, weft_from(0, 1),
			  &req), "irecv");
	wf_live_told_by_node(s.job, 0, false);
	finish(&s, req, WEFT_OK);
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	run_death(1, die_behind_cut);
	run_death(1, die_behind_sent);
}

/* ---- lost ones ---- */

/* Some of many are on their way when the receiver says so. */
static void lose_of_many(struct wf_sim_rank *rank, void *arg)
{
	enum { MANY = 200 };
	struct weft_request *req[MANY] = { NULL };
	int lost = 0;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; wf_sim_rank(rank) == 0 && i < MANY; i++)
		ok(&s, weft_isend(s.world, content, 100, &weft_type_byte,
				  weft_to(1, i), &req[i]), "isend");
	if (wf_sim_rank(rank) == 1) {
		ok(&s, weft_probe(s.world, weft_from(0, 10), NULL), "probe");
		wf_pair_lose(pair_of(&s, 0));
		linger(&s);
		stop(&s);
		return;
	}
	for (int i = 0; i < MANY; i++) {
		int status = weft_request_wait(req[i]);

		if (status)
			expect(&s, status, WEFT_ERR_NOMEM, NULL);
		lost += status != WEFT_OK;
		ok(&s, weft_request_free(&req[i]), "free");
	}
	if (!lost || lost > MANY - 10)
		wf_sim_fail(rank, "%d are lost", lost);
	stop(&s);
}

/* A long one came before: its sender has given it up. */
static void lose_behind_long(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	static char at[LONG];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		send_off(&s, s.world, LONG, &req);
		finish(&s, req, WEFT_ERR_NOMEM);
	} else {
		ok(&s, weft_probe(s.world, weft_from(0, 1), NULL), "probe");
		wf_pair_lose(pair_of(&s, 0));
		linger(&s);
		expect(&s, weft_recv(s.world, at, LONG, &weft_type_byte,
				     weft_from(0, 1), NULL), WEFT_ERR_NOMEM,
		       NULL);
	}
	ok(&s, weft_barrier(s.world), "barrier");
	stop(&s);
}

static void lost(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		run(2, seed, lose_of_many);
		run(2, seed, lose_behind_long);
	}
}

/* ---- answers that nobody awaits ---- */

static void answer(const struct scene *s, enum wf_p2p_what what, int status,
		   uint64_t serial)
{
	struct wf_p2p_note note = {
		.what = what, .tag = status, .bytes = 5, .serial = serial
	};
	struct wf_mail head = {
		.kind = WF_MAIL_P2P, .length = sizeof(note)
	};

	wf_mail_deliver(s->job, wf_peer_get(s->job, 1)->ep, &head, &note);
}

/* To all messages of rank 0: those that wait for another one, or for none. */
static void answer_all(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 0, 100, 5000, LONG };
	struct weft_request *req[40];
	static char at[LONG];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	for (int i = 0; i < 40; i++) {
		size_t n = lengths[i / 2 % 4];

		if (wf_sim_rank(rank)) {
			wait_until(rank, 1000000);
			ok(&s, weft_recv(s.world, at, n, &weft_type_byte,
					 weft_from(0, 1), NULL), "recv");
			continue;
		}
		ok(&s, (i % 2 ? weft_issend : weft_isend)(
			s.world, content, n, &weft_type_byte, weft_to(1, 1),
			&req[i]), "send");
	}
	/* some have left, and the other one has not looked */
	for (int i = 0; wf_sim_rank(rank) == 0 && i < 1000; i++)
		ok(&s, weft_job_progress(s.job), "progress");
	for (uint64_t serial = 0; wf_sim_rank(rank) == 0 && serial < 42;
	     serial++) {
		bool is_long = serial && (serial - 1) / 2 % 4 == 3;

		answer(&s, is_long ? WF_P2P_TAKEN : WF_P2P_GO, WEFT_OK,
		       serial);
		answer(&s, is_long ? WF_P2P_TAKEN : WF_P2P_GO, WEFT_ERR_NOMEM,
		       serial);
	}
	for (int i = 0; wf_sim_rank(rank) == 0 && i < 40; i++)
		finish(&s, req[i], WEFT_OK);
	stop(&s);
}

static void answers(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		run(2, seed, answer_all);
}

/* ---- to oneself ---- */

enum {
	MANY = 16,			/* more than the window of a pair */
	MOST = 150000,
	FILL = 8			/* that leave no room for others */
};

struct talk {
	struct scene s;
	char out[MANY][MOST], in[MANY][MOST];
	struct weft_request *sent[MANY], *got[MANY];
};

static void send_to_oneself(struct talk *t, size_t n)
{
	for (int i = 0; i < MANY; i++)
		ok(&t->s, weft_isend(t->s.world, t->out[i], n, &weft_type_byte,
				     weft_to(0, 1), &t->sent[i]), "isend");
}

static void talk_of(struct talk *t, size_t n, int word, bool sends_first)
{
	for (int i = 0; i < MANY; i++) {
		memset(t->out[i], word + i, n);
		memset(t->in[i], 0, n);
	}
	if (sends_first)
		send_to_oneself(t, n);
	for (int i = 0; i < MANY; i++)
		ok(&t->s, weft_irecv(t->s.world, t->in[i], n, &weft_type_byte,
				     weft_from(0, 1), &t->got[i]), "irecv");
	if (!sends_first)
		send_to_oneself(t, n);
	for (int i = MANY - 1; i >= 0; i--) {
		finish(&t->s, t->got[i], WEFT_OK);
		finish(&t->s, t->sent[i], WEFT_OK);
		if (memcmp(t->in[i], t->out[i], n))
			wf_sim_fail(t->s.rank, "message %d is another one", i);
	}
}

static void talk_to_oneself(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 60000, 8, LONG, 1000, 28, MOST };
	struct talk *t = calloc(1, sizeof(*t));
	struct weft_request *fill[FILL];

	(void)arg;
	if (!start(&t->s, rank))
		return;
	for (int i = 0; i < FILL; i++)
		ok(&t->s, weft_isend(t->s.world, content, WF_P2P_SHORT_MAX,
				     &weft_type_byte, weft_to(0, 7), &fill[i]),
		   "isend");
	for (int round = 0; round < 18; round++)
		talk_of(t, lengths[round % 6], 16 * round, round / 6 % 2);
	for (int i = 0; i < FILL; i++) {
		ok(&t->s, weft_recv(t->s.world, t->in, WF_P2P_SHORT_MAX,
				    &weft_type_byte, weft_from(0, 7), NULL),
		   "recv");
		finish(&t->s, fill[i], WEFT_OK);
	}
	stop(&t->s);
	free(t);
}

static void to_oneself(void)
{
	run_seeds(20, 1, talk_to_oneself);
}

/* ---- left to the job ---- */

/* Whoever waits for a request and does not free it leaves it to its job. */
static void leave_requests(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *sent = NULL, *got = NULL;
	struct weft_comm *dup = NULL;
	static char at[LONG];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	ok(&s, weft_irecv(dup, at, LONG, &weft_type_byte, weft_from(0, 1),
			  &got), "irecv");
	ok(&s, weft_isend(dup, content, LONG, &weft_type_byte, weft_to(0, 1),
			  &sent), "isend");
	ok(&s, weft_request_wait(got), "wait");
	ok(&s, weft_request_wait(sent), "wait");
	stop(&s);
}

static void left(void)
{
	run(1, 1, leave_requests);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "nobody receives it", not_received },
		{ "its sender dies", deaths },
		{ "one is lost", lost },
		{ "answers that nobody awaits", answers },
		{ "long ones to oneself", to_oneself },
		{ "requests that are left to the job", left }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
