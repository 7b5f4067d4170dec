/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short messages that wait for room leave several in a mail, as each mail may
 * cost a round trip: in their order, each with its tag and content, and within
 * the budget of their sender.
 */
#include <string.h>
#include "tests/sim/p2p_scene.h"

enum {
	MANY = 600,
	LONGEST = 40,
	OTHER = 97,		/* each so many-th goes elsewhere, */
	SYNCHRONOUS = 53,	/* or awaits an answer */
	PIECE = 300		/* bytes, of which more wait than are held */
};

/* ---- few mails ---- */

static void send_all(const struct scene *s, struct weft_comm *other)
{
	static char content[MANY][LONGEST];
	static struct weft_request *req[MANY];
	uint64_t before = wf_sim_own_messages(s->rank);

	for (int i = 0; i < MANY; i++) {
		struct weft_comm *comm = i % OTHER ? s->world : other;
		struct weft_envelope to = weft_to(1, i % 3);
		size_t n = (size_t)(i % LONGEST);

		memset(content[i], i, LONGEST);
		ok(s, i % SYNCHRONOUS ?
		      weft_isend(comm, content[i], n, &weft_type_byte, to,
				 &req[i]) :
		      weft_issend(comm, content[i], n, &weft_type_byte, to,
				  &req[i]), "isend");
	}
	ok(s, weft_request_wait_all(req, MANY, NULL), "wait");
	ok(s, weft_request_free_all(req, MANY), "free");
	if (wf_sim_own_messages(s->rank) - before > MANY / 5)
		wf_sim_fail(s->rank, "%d mails",
			    (int)(wf_sim_own_messages(s->rank) - before));
}

/* In the order of each communicator and tag. */
static void receive_all(const struct scene *s, struct weft_comm *other)
{
	char got[LONGEST], want[LONGEST];

	for (int i = 0; i < 3 * MANY; i++) {
		int at = i % MANY, tag = i / MANY;
		struct weft_message_status of;

		if (at % 3 != tag)
			continue;
		ok(s, weft_recv(at % OTHER ? s->world : other, got, LONGEST,
				&weft_type_byte, weft_from(0, tag), &of),
		   "recv");
		memset(want, at, LONGEST);
		if (of.bytes != (uint64_t)(at % LONGEST) ||
		    memcmp(got, want, of.bytes))
			wf_sim_fail(s->rank, "message %d is another one", at);
	}
}

static void exchange(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *other = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &other), "dup");
	ok(&s, weft_barrier(other), "barrier");
	if (wf_sim_rank(rank) == 0)
		send_all(&s, other);
	else
		receive_all(&s, other);
	ok(&s, weft_comm_free(&other), "free");
	stop(&s);
}

static void few_mails(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		if (!run(2, seed, exchange))
			return;
}

/* ---- within the budget ---- */

static void hold(struct wf_sim_rank *rank, void *arg)
{
	static char content[PIECE];
	static struct weft_request *req[MANY];
	bool sends = wf_sim_rank(rank) == 0;
	char got[PIECE];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; sends && i < MANY; i++)
		ok(&s, weft_isend(s.world, content, PIECE, &weft_type_byte,
				  weft_to(1, 1), &req[i]), "isend");
	for (int i = 0; i < 50; i++)
		linger(&s);
	if (sends && (pair_of(&s, 1)->content > WF_P2P_CONTENT ||
		      pair_of(&s, 1)->content + PIECE <= WF_P2P_CONTENT))
		wf_sim_fail(rank, "%d bytes have left",
			    (int)pair_of(&s, 1)->content);
	ok(&s, weft_barrier(s.world), "barrier");
	for (int i = 0; !sends && i < MANY; i++)
		ok(&s, bytes_from(&s, got, PIECE, 0, 1, NULL), "recv");
	if (sends) {
		ok(&s, weft_request_wait_all(req, MANY, NULL), "wait");
		ok(&s, weft_request_free_all(req, MANY), "free");
	}
	stop(&s);
}

static void within_budget(void)
{
	run(2, 1, hold);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "short ones that wait share mails", few_mails },
		{ "no more content than is held", within_budget }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
