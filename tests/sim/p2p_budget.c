/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a receiver holds of messages that no receive has taken: so many, and so
 * much content, of one sender.  Who has used up its messages gets more while
 * somebody waits for a message of it, as often as that happens.
 */
#include <stdlib.h>
#include "tests/sim/p2p_scene.h"

enum {
	MANY = 1500			/* more than it does */
};

/* Long enough for as many mails. */
static void linger_long(const struct scene *s)
{
	for (int i = 0; i < 10; i++)
		linger(s);
}

static void hold_messages(struct scene *s)
{
	size_t held;

	linger_long(s);
	held = wf_p2p_of(s->world)->match.messages[WF_MATCH_ALL].count;
	if (held != WF_P2P_MESSAGES)
		wf_sim_fail(s->rank, "it holds %d", (int)held);
	for (int i = 0; i < 600; i++)
		ok(s, bytes_from(s, NULL, 0, 0, 1, NULL), "recv");
	linger_long(s);
	held = wf_p2p_of(s->world)->match.messages[WF_MATCH_ALL].count;
	if (held != MANY - 600)
		wf_sim_fail(s->rank, "it gets no more: %d", (int)held);
	for (int i = 600; i < MANY; i++)
		ok(s, bytes_from(s, NULL, 0, 0, 1, NULL), "recv");
}

/* One that was cancelled asks for nothing any more. */
static void post_and_cancel(struct scene *s)
{
	struct weft_request *req = NULL;

	ok(s, weft_irecv(s->world, NULL, 0, &weft_type_byte, weft_from(0, 9),
			 &req), "irecv");
	ok(s, weft_request_cancel(req), "cancel");
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_free(&req), "free");
}

/* Nothing is in front of the first beyond the budget, or all that can be. */
static bool first_alone;

static void send_beyond(const struct scene *s, struct weft_request **req)
{
	for (int i = 0; i < MANY; i++) {
		bool alone = first_alone && i == WF_P2P_MESSAGES;

		if (alone)
			linger_long(s);
		ok(s, (alone ? weft_issend : weft_isend)(
			s->world, NULL, 0, &weft_type_byte, weft_to(1, 1),
			&req[i]), "send");
	}
}

static void overfill(struct wf_sim_rank *rank, void *arg)
{
	static char content[1000], got[1000];
	struct weft_request **req = calloc(MANY, sizeof(*req));
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 1)
		post_and_cancel(&s);
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 0)
		send_beyond(&s, req);
	if (wf_sim_rank(rank) == 1)
		hold_messages(&s);
	for (int i = 0; wf_sim_rank(rank) == 0 && i < MANY; i++) {
		ok(&s, weft_request_wait(req[i]), "wait");
		ok(&s, weft_request_free(&req[i]), "free");
	}
	ok(&s, weft_barrier(s.world), "barrier");
	for (int i = 0; wf_sim_rank(rank) == 0 && i < 100; i++)
		ok(&s, weft_isend(s.world, content, 1000, &weft_type_byte,
				  weft_to(1, 1), &req[i]), "isend");
	linger_long(&s);
	if (wf_sim_rank(rank) == 0 &&
	    pair_of(&s, 1)->content > WF_P2P_CONTENT)
		wf_sim_fail(rank, "more content than is held");
	for (int i = 0; i < 100; i++) {
		if (wf_sim_rank(rank)) {
			ok(&s, bytes_from(&s, got, 1000, 0, 1, NULL), "recv");
			continue;
		}
		ok(&s, weft_request_wait(req[i]), "wait");
		ok(&s, weft_request_free(&req[i]), "free");
	}
	stop(&s);
	free(req);
}

static void budget(void)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		first_alone = seed % 2;
		if (!run(2, seed, overfill))
			return;
	}
}

/* ---- out of messages, and somebody waits for one that has not left ---- */

enum {
	ROUNDS = 3,
	FILLING = 1, AWAITED = 2	/* tags */
};

/* All that may leave is held; only then the one comes that is awaited. */
static int filling_of(int round)
{
	return WF_P2P_MESSAGES - (round > 0);
}

static void fill_and_tell(const struct scene *s)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < filling_of(round); i++)
			ok(s, bytes_to(s, NULL, 0, 1, FILLING), "send");
		ok(s, bytes_to(s, NULL, 0, 1, AWAITED), "send");
	}
}

/* The receive is there before its sender has run out, or behind that. */
static void await_each(const struct scene *s, uint64_t dice)
{
	int from = dice % 2 ? 0 : WEFT_ANY_SOURCE;

	for (int round = 0; round < ROUNDS; round++) {
		if (dice / 2 % 2)
			linger_long(s);
		ok(s, bytes_from(s, NULL, 0, from, AWAITED, NULL), "recv");
	}
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < filling_of(round); i++)
			ok(s, bytes_from(s, NULL, 0, 0, FILLING, NULL),
			   "recv");
}

static void run_out(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0)
		fill_and_tell(&s);
	else
		await_each(&s, *(uint64_t *)arg);
	stop(&s);
}

static void asks_each_time(void)
{
	for (uint64_t seed = 1; seed <= 4; seed++)
		if (!run(2, seed, run_out))
			return;
}

/* ---- what leaves at once ---- */

enum {
	PIECES = 100, PIECE = 1000	/* more than is held */
};

/* There is room for each in the ring: only the budget can keep it back. */
static void send_slowly(const struct scene *s)
{
	static char content[PIECE];
	struct weft_request *req[PIECES];

	for (int i = 0; i < PIECES; i++) {
		ok(s, weft_isend(s->world, content, PIECE, &weft_type_byte,
				 weft_to(1, 1), &req[i]), "isend");
		linger(s);
		if (pair_of(s, 1)->content > WF_P2P_CONTENT)
			wf_sim_fail(s->rank, "it sends %d bytes",
				    (int)pair_of(s, 1)->content);
	}
	ok(s, weft_request_wait_all(req, PIECES, NULL), "wait");
	for (int i = 0; i < PIECES; i++)
		ok(s, weft_request_free(&req[i]), "free");
}

static void hold_content(struct wf_sim_rank *rank, void *arg)
{
	char got[PIECE];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 0) {
		send_slowly(&s);
		stop(&s);
		return;
	}
	for (int i = 0; i < PIECES; i++)
		linger(&s);
	for (int i = 0; i < PIECES; i++)
		ok(&s, bytes_from(&s, got, PIECE, 0, 1, NULL), "recv");
	stop(&s);
}

static void content_at_once(void)
{
	run(2, 1, hold_content);
}

/* ---- what leaves within the call ---- */

enum {
	WITHIN_CALL = 2048		/* bytes: weft_p2p(3) */
};

static bool received;

/* Its sender makes no call meanwhile. */
static void send_and_compute(struct wf_sim_rank *rank, void *arg)
{
	static char content[WITHIN_CALL], got[WITHIN_CALL];
	struct weft_request *req = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	linger(&s);
	if (wf_sim_rank(rank)) {
		ok(&s, bytes_from(&s, got, WITHIN_CALL, 0, 1, NULL), "recv");
		received = true;
		stop(&s);
		return;
	}
	ok(&s, weft_isend(s.world, content, WITHIN_CALL, &weft_type_byte,
			  weft_to(1, 1), &req), "isend");
	while (!received)
		wf_sim_idle(rank, 0);
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free");
	stop(&s);
}

static void within_the_call(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		received = false;
		if (!run(2, seed, send_and_compute))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a budget of messages and content", budget },
		{ "who is out of messages asks each time", asks_each_time },
		{ "content that leaves at once counts", content_at_once },
		{ "2 KiB leave within the call", within_the_call }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
