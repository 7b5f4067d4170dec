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
	for (int i = 0; wf_sim_rank(rank) == 0 && i < MANY; i++)
		ok(&s, weft_isend(s.world, NULL, 0, &weft_type_byte,
				  weft_to(1, 1), &req[i]), "isend");
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
	for (uint64_t seed = 1; seed <= 5; seed++)
		if (!run(2, seed, overfill))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a budget of messages and content", budget }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
