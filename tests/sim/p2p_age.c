/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who receives message after message, and waits for none of them for long, is
 * not taken for one that waits: it looks for nobody's death, and so connects to
 * nobody from whom nothing comes, also while a receive from somebody else stays
 * posted all the time.  Who does wait for long for anybody looks for the death
 * of each that may send.
 */
#include "job/liveness.h"
#include "job/peer.h"
#include "p2p/p2p_calls.h"
#include "p2p/p2p_office.h"
#include "tests/sim/p2p_scene.h"

enum {
	MESSAGES = 100,
	PAUSE_NS = 10000000,		/* in all five times WF_LIVE_AGE_MS */
	LONG_NS = 500000000,
	MEMBERS = 6,			/* of a world with parts */
	FOREVER_NS = 2000000000,	/* each is looked for by then */
	BESIDE = 1			/* tag of the receive beside them */
};

enum kind { SHORT, LONG, SHORT_BESIDE };

/* Did this rank ever begin to connect to that one? */
static bool has_met(const struct scene *s, int rank)
{
	const struct wf_peer *peer = wf_peer_find(s->job, rank);

	return peer && peer->state != WF_PEER_NEW;
}

static void answer_all(const struct scene *s, int n)
{
	struct weft_message_status got = { .source = 1 };
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

static bool looked_for[MEMBERS];

static bool note_look(struct wf_peer *peer, char *why, size_t bytes)
{
	(void)why;
	(void)bytes;
	looked_for[peer->rank] = true;
	return false;
}

/* From now on, for whom this rank looks. */
static void note_looks(const struct scene *s)
{
	static struct wf_live_ops live;

	live = *s->job->env.live;
	live.probe = note_look;
	s->job->env.live = &live;
	memset(looked_for, 0, sizeof(looked_for));
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
		note_looks(&s);
		if (kind == SHORT_BESIDE)
			answer_beside(&s, n);
		else
			answer_all(&s, n);
		if (looked_for[2] != waits)
			wf_sim_fail(rank, "it has%s looked for rank 2",
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

/* ---- each of them ---- */

/* Its receive is from anybody, and has to wait. */
static struct weft_request *receive_any(const struct scene *s,
					struct weft_comm *comm)
{
	struct weft_request *req = NULL;

	ok(s, weft_irecv(comm, NULL, 0, &weft_type_byte,
			 weft_from(WEFT_ANY_SOURCE, 0), &req), "irecv");
	return req;
}

static void finish(const struct scene *s, struct weft_request *req)
{
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_free(&req), "free");
}

/* Of two communicators at once: ranks 0, 1 and 2, and ranks 0 and 3. */
static struct weft_comm *make(const struct scene *s, int n, int stride)
{
	struct weft_group *group = range(s, 0, n, stride);
	struct weft_comm *made = NULL;

	ok(s, weft_comm_create(s->world, group, &made), "create");
	ok(s, weft_group_free(&group), "free group");
	return made;
}

static void await_both(const struct scene *s, struct weft_comm *const *comm)
{
	struct weft_request *req[2];

	note_looks(s);
	for (int i = 0; i < 2; i++)
		req[i] = receive_any(s, comm[i]);
	for (int i = 0; i < 2; i++)
		finish(s, req[i]);
	s->job->env.live = &wf_live_told;
	for (int r = 1; r < MEMBERS; r++)
		if (looked_for[r] != (r <= 3))
			wf_sim_fail(s->rank, "it has%s looked for rank %d",
				    r <= 3 ? " not" : "", r);
}

static void wait_for_members(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm[2];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	comm[0] = make(&s, 3, 1);
	comm[1] = make(&s, 2, 3);
	if (wf_sim_rank(rank) == 0)
		await_both(&s, comm);
	else
		pause_for(&s, FOREVER_NS);
	for (int i = 0; i < 2; i++)
		if (comm[i] && weft_comm_rank(comm[i]) == 1)
			ok(&s, weft_send(comm[i], NULL, 0, &weft_type_byte,
					 weft_to(0, 0)), "send");
	for (int i = 0; i < 2; i++)
		if (comm[i])
			ok(&s, weft_comm_free(&comm[i]), "free");
	stop(&s);
}

static void all_members(void)
{
	struct wf_sim_options options;

	wf_sim_options_init(&options, MEMBERS, 1);
	options.ranks_per_node = 1;	/* none looks for the next of a node */
	sim_flow_run(&options, wait_for_members, NULL);
}

/*
 * A probe of one thread has failed, and until that thread goes on another one
 * progresses and receives.
 */
static void receive_beside(const struct scene *s, struct wf_p2p_request *probe)
{
	struct wf_office *office = probe->p2p->office;
	struct wf_round round = { .old = false };
	struct weft_request *req;

	if (office->listener.may_hear(&office->listener, &round) >= 0)
		wf_sim_fail(s->rank, "somebody is waited for");
	ok(s, weft_irecv(s->world, NULL, 0, &weft_type_byte,
			 weft_from(WEFT_ANY_SOURCE, 0), &req), "irecv");
	expect(s, weft_request_wait(req), WEFT_ERR_PEER, NULL);
	ok(s, weft_request_free(&req), "free");
	if (!wf_list_empty(&office->open))
		wf_sim_fail(s->rank, "a communicator is left");
}

static void fail_probe(struct wf_sim_rank *rank, void *arg)
{
	const struct wf_p2p_args a = {
		.call = "weft_probe", .with = weft_from(WEFT_ANY_SOURCE, 1)
	};
	struct wf_p2p_request *probe;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 0)
		wf_sim_die(rank);
	ok(&s, wf_p2p_new(s.world, &a, &probe), "probe");
	wf_office_begin(probe);
	wf_pair_await(probe);
	while (probe->active)
		await_news(&s);
	receive_beside(&s, probe);
	wf_pair_await_not(probe);
	expect(&s, wf_p2p_finish(probe, NULL), WEFT_ERR_PEER, NULL);
	/* behind it there is no text */
	if (weft_job_close(s.job) != WEFT_ERR_PEER)
		wf_sim_fail(rank, "closed without an error");
}

static void failed_probe(void)
{
	run_death(1, fail_probe);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "many short waits", never_long },
		{ "many short waits beside a long one", beside },
		{ "a long one", long_once },
		{ "a long one looks for each member", all_members },
		{ "a failed probe waits for nobody", failed_probe }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
