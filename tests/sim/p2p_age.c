/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who receives message after message, and waits for none of them for long, is
 * not taken for one that waits: it looks for nobody's death, and so connects to
 * nobody from whom nothing comes, also while a receive from somebody else stays
 * posted all the time.  Who does wait for long for anybody does.
 */
#include "job/peer.h"
#include "tests/sim/p2p_scene.h"

enum {
	MESSAGES = 100,
	PAUSE_NS = 10000000,		/* in all five times WF_LIVE_AGE_MS */
	LONG_NS = 500000000,
	BESIDE = 1			/* tag of the receive beside them */
};

enum kind { SHORT, LONG, SHORT_BESIDE };

static void pause_for(const struct scene *s, uint64_t ns)
{
	uint64_t end = wf_sim_now(s->rank) + ns;

	while (wf_sim_now(s->rank) < end)
		wf_sim_idle(s->rank, end);
}

/* Did this rank ever begin to connect to that one? */
static bool has_met(const struct scene *s, int rank)
{
	const struct wf_peer *peer = wf_peer_find(s->job, rank);

	return peer && peer->state != WF_PEER_NEW;
}

static void answer_all(const struct scene *s, int n)
{
	struct weft_received got = { .source = 1 };
	char word[8];

	for (int i = 0; i < n; i++) {
		ok(s, bytes_from(s, word, sizeof(word), WEFT_ANY_SOURCE, 0,
				 &got), "recv");
		ok(s, bytes_to(s, word, sizeof(word), got.source, 0), "send");
	}
}

static void ask(const struct scene *s, int n, uint64_t pause)
{
	char word[8] = "";

	for (int i = 0; i < n; i++) {
		pause_for(s, pause);
		ok(s, bytes_to(s, word, sizeof(word), 0, 0), "send");
		ok(s, bytes_from(s, word, sizeof(word), 0, 0, NULL), "recv");
	}
}

/* All the time somebody waits for rank 1. */
static void answer_beside(const struct scene *s, int n)
{
	struct weft_request *req;
	char word[8];

	ok(s, weft_irecv(s->world, word, sizeof(word), &weft_type_byte,
			 weft_from(1, BESIDE), &req), "irecv");
	answer_all(s, n);
	ok(s, weft_request_wait(req), "wait");
}

static void serve(struct wf_sim_rank *rank, void *arg)
{
	enum kind kind = *(enum kind *)arg;
	bool waits = kind == LONG;
	int n = waits ? 1 : MESSAGES;
	struct scene s;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		if (kind == SHORT_BESIDE)
			answer_beside(&s, n);
		else
			answer_all(&s, n);
		if (has_met(&s, 2) != waits)
			wf_sim_fail(rank, "it has%s connected to rank 2",
				    waits ? " not" : "");
	} else if (wf_sim_rank(rank) == 1) {
		ask(&s, n, waits ? LONG_NS : PAUSE_NS);
		if (kind == SHORT_BESIDE)
			ok(&s, bytes_to(&s, "", 1, 0, BESIDE), "send");
		if (has_met(&s, 2))
			wf_sim_fail(rank, "its waits are all short, and it "
				    "looked for the next rank of its node");
	}
	stop(&s);
}

static void run_three(enum kind kind)
{
	struct wf_sim_options options;

	for (uint64_t seed = 1; seed <= 5; seed++) {
		wf_sim_options_init(&options, 3, seed);
		sim_flow_run(&options, serve, &kind);
	}
}

static void never_long(void)
{
	run_three(SHORT);
}

static void beside(void)
{
	run_three(SHORT_BESIDE);
}

static void long_once(void)
{
	run_three(LONG);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "many short waits", never_long },
		{ "many short waits beside a long one", beside },
		{ "a long one", long_once }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
