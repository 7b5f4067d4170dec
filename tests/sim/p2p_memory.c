/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched messages where memory is short: a call that fails changes nothing,
 * and a message that finds no place ends those that wait for it at both ends.
 */
#include "tests/fail_malloc.h"
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 100000,
	ALLOCATIONS = 11		/* behind them are the simulator's */
};

/* ---- calls ---- */

static char content[20000];

/* One message to the own rank, with the n-th allocation failing. */
static int send_short(const struct scene *s, size_t bytes, long n)
{
	static char into[sizeof(content)];
	struct weft_request *req[2] = { NULL };
	int status, failed;

	memset(into, 0, sizeof(into));
	fail_malloc_once(n);
	status = weft_irecv(s->world, into, bytes, &weft_type_byte,
			    weft_from(0, 3), &req[0]);
	failed = status;
	if (!status)
		failed = weft_isend(s->world, content, bytes, &weft_type_byte,
				    weft_to(0, 3), &req[1]);
	for (int i = 1; i >= 0; i--) {
		if (!req[i])
			continue;
		if (failed && i == 0)
			ok(s, weft_request_cancel(req[0]), "cancel");
		status = weft_request_wait(req[i]);
		failed = failed ? failed : status;
		ok(s, weft_request_free(&req[i]), "free");
	}
	fail_malloc_at(0);
	if (!failed && memcmp(into, content, bytes))
		wf_sim_fail(s->rank, "other content");
	return failed;
}

static int failed, lost;

static void run_calls(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 8, 3000, 20000 };
	uint64_t dice = *(uint64_t *)arg;
	size_t bytes = lengths[dice / ALLOCATIONS];
	struct scene s;
	int status;

	memset(content, 'c', sizeof(content));
	if (!start(&s, rank))
		return;
	status = send_short(&s, bytes, 1 + (long)(dice % ALLOCATIONS));
	failed += status != WEFT_OK;
	if (status)
		expect(&s, status, WEFT_ERR_NOMEM, "");
	lost += send_short(&s, bytes, 1000) != WEFT_OK;
	stop(&s);
}

static void calls(void)
{
	failed = lost = 0;
	for (uint64_t dice = 0; dice < 3 * ALLOCATIONS; dice++)
		if (!run(1, dice, run_calls))
			return;
	TAP_CHECK(failed >= 10);
	TAP_EQUAL(lost, 0);
}

/* ---- messages that come ---- */

/* What has come after some time without progress finds no memory. */
static void starve(struct scene *s)
{
	uint64_t until = wf_sim_now(s->rank) + 5000000;

	while (wf_sim_now(s->rank) < until)
		wf_sim_idle(s->rank, until);
	fail_malloc_at(1);
	ok(s, weft_job_progress(s->job), "progress");
	fail_malloc_at(0);
}

/* Who does not listen yet has a place for short mails. */
static void send_two(const struct scene *s, size_t bytes, bool listens)
{
	int wanted = listens ? WEFT_ERR_NOMEM : WEFT_OK;

	linger(s);		/* the other one has left the barrier */
	expect(s, weft_ssend(s->world, content, bytes, &weft_type_byte,
			     weft_to(1, 2)), wanted, "was lost there");
	expect(s, weft_send(s->world, content, 8, &weft_type_byte,
			    weft_to(1, 2)), wanted, "was lost there");
	ok(s, weft_send(s->world, content, 8, &weft_type_byte, weft_to(2, 2)),
	   "send");
}

static void take_two(struct scene *s, bool listens)
{
	int wanted = listens ? WEFT_ERR_NOMEM : WEFT_OK;
	static char at[sizeof(content)];
	struct weft_request *req = NULL;

	if (listens)
		ok(s, weft_irecv(s->world, at, 8, &weft_type_byte,
				 weft_from(0, 7), &req), "irecv");
	starve(s);
	expect(s, weft_recv(s->world, at, sizeof(at), &weft_type_byte,
			    weft_from(0, 2), NULL), wanted, "was lost here");
	expect(s, weft_recv(s->world, at, 8, &weft_type_byte,
			    weft_from(WEFT_ANY_SOURCE, 2), NULL), wanted,
	       "was lost here");
	if (req)
		expect(s, weft_request_wait(req), wanted, "was lost here");
	ok(s, weft_request_free(&req), "free");
	ok(s, weft_send(s->world, content, 8, &weft_type_byte, weft_to(2, 2)),
	   "send");
}

static void lose(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	bool listens = dice / 2 % 2;
	struct scene s;
	char at[8];

	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	switch (wf_sim_rank(rank)) {
	case 0:
		send_two(&s, dice % 2 ? 8 : 20000, listens);
		break;
	case 1:
		take_two(&s, listens);
		break;
	default:
		for (int from = 0; from < 2; from++)
			ok(&s, weft_recv(s.world, at, 8, &weft_type_byte,
					 weft_from(from, 2), NULL), "recv");
	}
	stop(&s);
}

static void messages(void)
{
	for (uint64_t seed = 1; seed <= 16; seed++)
		if (!run(3, seed, lose))
			return;
}

/* What rank 0 has sent is lost: no matter where it is no member. */
static void lose_outside(struct wf_sim_rank *rank, void *arg)
{
	int me = wf_sim_rank(rank);
	struct weft_comm *sub;
	char at[8] = "";
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_split(s.world, me > 0, me, &sub), "split");
	if (me == 0) {
		linger(&s);
		ok(&s, bytes_to(&s, at, 8, 1, 2), "send");
	} else if (me == 1) {
		expect(&s, weft_iprobe(s.world, weft_from(0, 7), &(bool){ 0 },
				       NULL), WEFT_OK, "");
		starve(&s);
		expect(&s, bytes_from(&s, at, 8, WEFT_ANY_SOURCE, 2, NULL),
		       WEFT_ERR_NOMEM, "was lost here");
		ok(&s, bytes_to(&s, at, 8, 2, 3), "send");
		ok(&s, weft_recv(sub, at, 8, &weft_type_byte,
				 weft_from(WEFT_ANY_SOURCE, 2), NULL), "recv");
	} else {
		ok(&s, bytes_from(&s, at, 8, 1, 3, NULL), "recv");
		ok(&s, weft_send(sub, at, 8, &weft_type_byte, weft_to(0, 2)),
		   "send");
	}
	ok(&s, weft_comm_free(&sub), "free");
	stop(&s);
}

static void outside(void)
{
	for (uint64_t seed = 1; seed <= 16; seed++)
		if (!run(3, seed, lose_outside))
			return;
}

static int broken;

/* It ends, well where nothing came in that pass. */
static void end_either_way(const struct scene *s, struct weft_request **req)
{
	int status = weft_request_wait(*req);

	broken += status != WEFT_OK;
	if (status)
		expect(s, status, WEFT_ERR_NOMEM, "memory");
	ok(s, weft_request_free(req), "free");
}

/* One is lost when the one before it, a long one, has just been accepted. */
static void lose_the_second(struct scene *s, char *at)
{
	uint64_t until = wf_sim_now(s->rank) + 5000000;
	struct weft_request *req = NULL;

	ok(s, weft_irecv(s->world, at, LONG, &weft_type_byte, weft_from(0, 1),
			 &req), "irecv");
	while (wf_sim_now(s->rank) < until)
		wf_sim_idle(s->rank, until);
	fail_malloc_at(2);
	ok(s, weft_job_progress(s->job), "progress");
	fail_malloc_at(0);
	end_either_way(s, &req);
	ok(s, weft_send(s->world, at, 1, &weft_type_byte, weft_to(2, 3)),
	   "send");
}

static void send_and_lose(struct scene *s, char *at)
{
	struct weft_request *req = NULL;

	ok(s, weft_send(s->world, at, 8, &weft_type_byte, weft_to(1, 0)),
	   "send");
	linger(s);
	ok(s, weft_isend(s->world, at, LONG, &weft_type_byte, weft_to(1, 1),
			 &req), "isend");
	ok(s, weft_send(s->world, at, 8, &weft_type_byte, weft_to(1, 2)),
	   "send");
	end_either_way(s, &req);
	/* the receiver ends by itself, and not because this rank leaves */
	ok(s, weft_recv(s->world, at, 1, &weft_type_byte, weft_from(2, 3),
			NULL), "recv");
}

static void lose_behind(struct wf_sim_rank *rank, void *arg)
{
	char *at = calloc(1, LONG);
	struct scene s;

	(void)arg;
	if (!at || !start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	switch (wf_sim_rank(rank)) {
	case 0:
		send_and_lose(&s, at);
		break;
	case 1:
		ok(&s, weft_recv(s.world, at, 8, &weft_type_byte,
				 weft_from(0, 0), NULL), "recv");
		lose_the_second(&s, at);
		break;
	default:
		ok(&s, weft_recv(s.world, at, 1, &weft_type_byte,
				 weft_from(1, 3), NULL), "recv");
		ok(&s, weft_send(s.world, at, 1, &weft_type_byte,
				 weft_to(0, 3)), "send");
	}
	free(at);
	stop(&s);
}

static void behind_long(void)
{
	broken = 0;
	for (uint64_t seed = 1; seed <= 16; seed++)
		if (!run(3, seed, lose_behind))
			return;
	TAP_CHECK(broken >= 8);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no memory in a call", calls },
		{ "no memory for what comes", messages },
		{ "no memory for what comes from outside", outside },
		{ "no memory for what comes behind a long one", behind_long }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
