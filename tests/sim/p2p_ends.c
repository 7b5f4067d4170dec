/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How matched messages end that do not simply arrive: cut off, cancelled, of
 * nobody, in a communicator that was freed, from a rank that dies or leaves.
 */
#include <stdlib.h>
#include "tests/sim/p2p_scene.h"

/* ---- cut off ---- */

enum {
	LONG = 100000
};

static void cut(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 9, 1500, 8000, 8193, LONG, 5, 5 };
	char *at = malloc(LONG);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct weft_message_status got = { .bytes = 1 };
		bool none = i == 2 || lengths[i] == 5;
		size_t room = none ? 0 : lengths[i] / 2 + i;

		memset(at, wf_sim_rank(rank) ? 'a' : 'b', LONG);
		if (wf_sim_rank(rank) == 0) {
			ok(&s, bytes_to(&s, at, lengths[i], 1, 3), "send");
			continue;
		}
		if (i % 2)
			linger(&s);
		expect(&s, bytes_from(&s, room ? at : NULL, room, 0, 3, &got),
		       WEFT_ERR_TRUNCATE, "enlarge the buffer");
		expect(&s, got.error, WEFT_ERR_TRUNCATE, "enlarge");
		if (got.bytes != lengths[i] || got.source || got.tag != 3)
			wf_sim_fail(rank, "it does not say what was cut off");
		if ((room && at[room - 1] != 'b') || at[room] != 'a')
			wf_sim_fail(rank, "not what fits");
	}
	stop(&s);
	free(at);
}

static void truncation(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, cut))
			return;
}

/* ---- cancelled ---- */

static void take_back(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *first = NULL, *second = NULL;
	struct weft_message_status got = { .bytes = 7 };
	char at[2] = { 'x', 'y' };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_barrier(s.world), "barrier");
		ok(&s, bytes_to(&s, "z", 1, 1, 4), "send");
		stop(&s);
		return;
	}
	ok(&s, weft_irecv(s.world, at, 1, &weft_type_byte,
			  weft_from(WEFT_ANY_SOURCE, 4), &first), "irecv");
	ok(&s, weft_irecv(s.world, at + 1, 1, &weft_type_byte,
			  weft_from(0, WEFT_ANY_TAG), &second), "irecv");
	expect(&s, weft_request_status(first, &got), WEFT_ERR_REQUEST,
	       "active");
	ok(&s, weft_request_cancel(first), "cancel");
	ok(&s, weft_request_wait(first), "wait");
	ok(&s, weft_request_status(first, &got), "received");
	if (!got.cancelled || at[0] != 'x')
		wf_sim_fail(rank, "it was not cancelled");
	ok(&s, weft_barrier(s.world), "barrier");
	ok(&s, weft_request_wait(second), "wait");
	/* too late */
	ok(&s, weft_request_cancel(second), "cancel");
	ok(&s, weft_request_status(second, &got), "received");
	if (got.cancelled || got.bytes != 1 || got.error || at[1] != 'z')
		wf_sim_fail(rank, "the other one does not get it");
	ok(&s, weft_request_free(&first), "free");
	ok(&s, weft_request_free(&second), "free");
	stop(&s);
}

static void cancelled(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, take_back))
			return;
}

/* ---- of nobody, and what is refused ---- */

/* What is no receive: a send stays, all else is refused. */
static void cancel_others(const struct scene *s)
{
	struct weft_message_status got;
	struct weft_request *req = NULL;

	ok(s, weft_isend(s->world, "q", 1, &weft_type_byte, weft_to(0, 2),
			 &req), "isend");
	ok(s, weft_request_cancel(req), "cancel a send");
	ok(s, weft_probe(s->world, weft_from(0, WEFT_ANY_TAG), &got), "probe");
	if (got.source || got.tag != 2 || got.bytes != 1)
		wf_sim_fail(s->rank, "not the message to itself");
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_status(req, &got), "status");
	if (got.kind != WEFT_MESSAGE_SENT || got.cancelled || got.error)
		wf_sim_fail(s->rank, "a send was cancelled");
	ok(s, weft_request_free(&req), "free");
	ok(s, weft_ibarrier(s->world, &req), "ibarrier");
	expect(s, weft_request_cancel(req), WEFT_ERR_REQUEST,
	       "of no message");
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_free(&req), "free");
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_message_status got = { .source = 5 };
	struct scene s;
	bool found = false;
	char at[4];

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, bytes_to(&s, at, 4, WEFT_PROC_NULL, 0), "send to nobody");
	ok(&s, bytes_from(&s, at, 4, WEFT_PROC_NULL, 0, &got),
	   "receive from nobody");
	ok(&s, weft_probe(s.world, weft_from(WEFT_PROC_NULL, 0), &got),
	   "probe");
	if (got.source != WEFT_PROC_NULL || got.tag != WEFT_ANY_TAG ||
	    got.bytes)
		wf_sim_fail(rank, "something of nobody");
	ok(&s, weft_iprobe(s.world, weft_from(WEFT_ANY_SOURCE, WEFT_ANY_TAG),
			   &found, &got), "iprobe");
	if (found)
		wf_sim_fail(rank, "a message that nobody has sent");
	expect(&s, bytes_to(&s, at, 4, 1, 0), WEFT_ERR_RANGE, "the rank is 1");
	expect(&s, bytes_to(&s, at, 4, 0, -1), WEFT_ERR_RANGE, "the tag is -1");
	expect(&s, bytes_to(&s, NULL, 4, 0, 0), WEFT_ERR_ARG, "data is NULL");
	expect(&s, weft_send(s.world, at, 4, NULL, weft_to(0, 0)), WEFT_ERR_ARG,
	       "type is NULL");
	expect(&s, weft_send(s.world, at, SIZE_MAX / 8, &weft_type_double,
			     weft_to(0, 0)),
	       WEFT_ERR_RANGE, "2305843009213693951 elements of 8 bytes");
	expect(&s, weft_send(s.world, at, (size_t)-5, &weft_type_double,
			     weft_to(0, 0)),
	       WEFT_ERR_RANGE, "the count is -5, below 0");
	expect(&s, bytes_from(&s, at, 4, -5, 0, NULL), WEFT_ERR_RANGE,
	       "the rank is -5");
	expect(&s, bytes_from(&s, at, 4, 0, -4, NULL), WEFT_ERR_RANGE,
	       "the tag is -4");
	expect(&s, bytes_from(&s, NULL, 4, 0, 0, NULL), WEFT_ERR_ARG,
	       "data is NULL");
	expect(&s, weft_recv(s.world, at, 4, NULL, weft_from(0, 0), NULL),
	       WEFT_ERR_ARG, "type is NULL");
	expect(&s, weft_recv(s.world, at, SIZE_MAX, &weft_type_double,
			     weft_from(0, 0), NULL), WEFT_ERR_RANGE,
	       "the count is -1, below 0");
	expect(&s, weft_irecv(s.world, at, 4, &weft_type_byte,
			      weft_from(0, 0), NULL),
	       WEFT_ERR_ARG, "req_p is NULL");
	expect(&s, weft_isend(s.world, at, 4, &weft_type_byte,
			      weft_to(0, 0), NULL),
	       WEFT_ERR_ARG, "req_p is NULL");
	expect(&s, weft_probe(s.world, weft_from(1, 0), NULL), WEFT_ERR_RANGE,
	       "the rank is 1");
	cancel_others(&s);
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

/* Long ones, which wait for their receives: they arrive all the same. */
static void cancel_sends(struct wf_sim_rank *rank, void *arg)
{
	struct weft_message_status got;
	struct weft_request *req[2];
	char *at = calloc(1, LONG);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_isend(s.world, at, LONG, &weft_type_byte,
				  weft_to(1, 1), &req[0]), "isend");
		ok(&s, weft_send_init(s.world, at, LONG, &weft_type_byte,
				      weft_to(1, 1), &req[1]), "send_init");
		ok(&s, weft_request_cancel(req[1]), "cancel before a start");
		ok(&s, weft_request_start(req[1]), "start");
	}
	for (int i = 0; i < 2; i++) {
		if (wf_sim_rank(rank)) {
			ok(&s, bytes_from(&s, at, LONG, 0, 1, &got), "recv");
			continue;
		}
		ok(&s, weft_request_cancel(req[i]), "cancel");
		ok(&s, weft_request_wait(req[i]), "wait");
		ok(&s, weft_request_status(req[i], &got), "status");
		if (got.cancelled || got.kind != WEFT_MESSAGE_SENT)
			wf_sim_fail(rank, "a send was cancelled");
		ok(&s, weft_request_free(&req[i]), "free");
	}
	stop(&s);
	free(at);
}

static void sends(void)
{
	run(2, 1, cancel_sends);
}

/* ---- in a communicator that was freed ---- */

/* One is freed with messages in it, the other before they come. */
static void leave_behind(struct wf_sim_rank *rank, void *arg)
{
	static const char content[20000];
	struct weft_request *req[6] = { NULL };
	uint64_t dice = *(uint64_t *)arg;
	struct weft_comm *dup = NULL;
	char got[8];
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	if (wf_sim_rank(rank) == 0) {
		for (int i = 0; i < 5; i++)
			ok(&s, weft_isend(dup, content, 400 * (size_t)i,
					  &weft_type_byte, weft_to(1, i),
				      &req[i]),
			   "isend");
		ok(&s, weft_issend(dup, content,
				   dice / 2 % 2 ? 2000 : 20000, &weft_type_byte,
				   weft_to(1, 5), &req[5]), "issend");
	} else if (dice % 2) {
		linger(&s);
		ok(&s, weft_recv(dup, got, 8, &weft_type_byte,
				 weft_from(0, 0), NULL),
		   "recv");
	}
	if (wf_sim_rank(rank) == 1)
		ok(&s, weft_comm_free(&dup), "free");
	for (int i = 0; wf_sim_rank(rank) == 0 && i < 6; i++) {
		expect(&s, weft_request_wait(req[i]), i == 5 ? WEFT_ERR_GRAPH :
		       WEFT_OK, i == 5 ? "freed the communicator" : NULL);
		ok(&s, weft_request_free(&req[i]), "free");
	}
	if (dup)
		ok(&s, weft_comm_free(&dup), "free");
	/* and all others go on */
	if (wf_sim_rank(rank) == 0)
		ok(&s, bytes_to(&s, "a", 1, 1, 1), "send");
	else
		ok(&s, bytes_from(&s, got, 1, 0, 1, NULL), "recv");
	stop(&s);
}

static void freed(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++)
		if (!run(2, seed, leave_behind))
			return;
}

/* ---- deaths ---- */

static int heard;

/* Those of the living arrive, whatever becomes of those with the victim. */
static void go_round(const struct scene *s, int victim, size_t n)
{
	int size = weft_comm_size(s->world), me = weft_comm_rank(s->world);
	char *out = malloc(n + 1), *in = malloc(n * (size_t)size + 1);
	struct weft_request *req[64];
	int k = 0;

	memset(out, me + 1, n);
	for (int r = 0; r < size; r++)
		ok(s, weft_irecv(s->world, in + n * (size_t)r, n,
				 &weft_type_byte, weft_from(r, 9), &req[k++]),
		   "irecv");
	for (int r = 0; r < size; r++)
		ok(s, weft_isend(s->world, out, n, &weft_type_byte,
				 weft_to(r, 9), &req[k++]), "isend");
	for (int i = 0; i < k; i++) {
		int status = weft_request_wait(req[i]), r = i % size;

		if (r != victim || status != WEFT_ERR_PEER)
			ok(s, status, "wait");
		if (r != victim && i < size && n && in[n * (size_t)r] != r + 1)
			wf_sim_fail(s->rank, "other content");
		ok(s, weft_request_free(&req[i]), "free");
	}
	free(out);
	free(in);
}

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 0, 8, 3000, 20000, 90000 };
	int victim = *(int *)arg, status;
	char name[16];
	struct scene s;
	char at;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 5; i++)
		go_round(&s, victim, lengths[i]);
	snprintf(name, sizeof(name), "rank %d ", victim);
	if (wf_sim_rank(rank) == victim)
		for (;;)
			linger(&s);
	status = bytes_from(&s, &at, 1, victim, 8, NULL);
	expect(&s, status, WEFT_ERR_PEER, name);
	expect(&s, bytes_from(&s, &at, 1, WEFT_ANY_SOURCE, 8, NULL),
	       WEFT_ERR_PEER, name);
	expect(&s, weft_probe(s.world, weft_from(victim, 8), NULL),
	       WEFT_ERR_PEER, name);
	expect(&s, weft_ssend(s.world, &at, 1, &weft_type_byte,
			     weft_to(victim, 8)),
	       WEFT_ERR_PEER, name);
	heard++;
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	run_deaths(150, &heard, lose_one);
}

/* ---- one that leaves ---- */

static void go_early(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;
	char at[2] = { 0 };

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, bytes_to(&s, "l", 1, 1, 1), "send");
		stop(&s);
		return;
	}
	/* What it has sent is there. */
	ok(&s, bytes_from(&s, at, 1, 0, 1, NULL), "recv");
	expect(&s, bytes_from(&s, at, 1, 0, 1, NULL), WEFT_ERR_PEER,
	       "has closed its job");
	expect(&s, bytes_from(&s, at, 1, WEFT_ANY_SOURCE, 1, NULL),
	       WEFT_ERR_PEER, "has closed its job");
	stop(&s);
}

static void leaves(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, go_early))
			return;
}

/* Whoever is left sends to itself, in an order that the seed says. */
static void talk_to_itself(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	size_t bytes = dice % 3 ? 8 : 20000;
	char *at = calloc(2, bytes);
	struct weft_request *in = NULL, *out = NULL;
	struct scene s;

	if (!at || !start(&s, rank))
		return;
	if (wf_sim_rank(rank) > 0) {
		free(at);
		stop(&s);
		return;
	}
	expect(&s, bytes_from(&s, at, 1, 1, 1, NULL), WEFT_ERR_PEER,
	       "has closed its job");
	expect(&s, bytes_from(&s, at, 1, 2, 1, NULL), WEFT_ERR_PEER,
	       "has closed its job");
	if (dice / 3 % 2)
		ok(&s, weft_isend(s.world, at + bytes, bytes, &weft_type_byte,
				  weft_to(0, 4), &out), "isend");
	ok(&s, weft_irecv(s.world, at, bytes, &weft_type_byte,
			  weft_from(WEFT_ANY_SOURCE, 4), &in), "irecv");
	ok(&s, weft_job_progress(s.job), "progress");
	if (!out)
		ok(&s, weft_isend(s.world, at + bytes, bytes, &weft_type_byte,
				  weft_to(0, 4), &out), "isend");
	ok(&s, weft_request_wait(in), "wait");
	ok(&s, weft_request_wait(out), "wait");
	ok(&s, weft_request_free(&in), "free");
	ok(&s, weft_request_free(&out), "free");
	expect(&s, bytes_from(&s, at, 1, WEFT_ANY_SOURCE, 4, NULL),
	       WEFT_ERR_PEER, "has closed its job");
	free(at);
	stop(&s);
}

static void last_one(void)
{
	for (uint64_t seed = 1; seed <= 24; seed++)
		if (!run(3, seed, talk_to_itself))
			return;
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a message longer than its buffer", truncation },
		{ "a receive is cancelled", cancelled },
		{ "a send is not", sends },
		{ "nobody, and what is refused", refused },
		{ "messages in a communicator that is freed", freed },
		{ "deaths at any event", deaths },
		{ "a rank that leaves", leaves },
		{ "the last one sends to itself", last_one }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
