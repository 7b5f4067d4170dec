/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that a probe takes: nobody else receives them, they count as not
 * received until they are, and whatever ends meanwhile they end once.
 */
#include <stdlib.h>
#include "tests/fail_malloc.h"
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 100000
};

static char content[LONG];

static struct weft_message *take(const struct scene *s, int from, int tag)
{
	struct weft_message *msg = NULL;

	ok(s, weft_mprobe(s->world, weft_from(from, tag), &msg, NULL),
	   "mprobe");
	return msg;
}

static int receive(struct weft_message **message_p, void *data, size_t n,
		   struct weft_message_status *got)
{
	return weft_mrecv(message_p, data, n, &weft_type_byte, got);
}

/* ---- whose it is ---- */

/* Two alike; the one that is taken is nobody else's. */
static void take_first(struct wf_sim_rank *rank, void *arg)
{
	struct weft_message *msg, *none;
	struct weft_message_status got = { .bytes = 9 };
	struct scene s;
	char at;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, bytes_to(&s, "a", 1, 1, 4), "send");
		ok(&s, bytes_to(&s, "b", 1, 1, 4), "send");
		stop(&s);
		return;
	}
	msg = none = take(&s, WEFT_ANY_SOURCE, WEFT_ANY_TAG);
	ok(&s, bytes_from(&s, &at, 1, 0, 4, NULL), "recv");
	if (at != 'b')
		wf_sim_fail(rank, "a receive gets what was taken");
	ok(&s, weft_improbe(s.world, weft_from(0, WEFT_ANY_TAG), &none, &got),
	   "improbe");
	if (none || got.bytes != 9)
		wf_sim_fail(rank, "a probe finds what was taken");
	ok(&s, receive(&msg, &at, 1, &got), "mrecv");
	if (msg || at != 'a' || got.source || got.tag != 4 || got.bytes != 1)
		wf_sim_fail(rank, "not what was taken");
	stop(&s);
}

static void taken(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, take_first))
			return;
}

/* ---- of nobody, and what is refused ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_message *msg = NULL, *copy;
	struct weft_message_status got = { .source = 5 };
	struct weft_request *req = NULL;
	struct scene s;
	char at[4];

	(void)arg;
	if (!start(&s, rank))
		return;
	msg = take(&s, WEFT_PROC_NULL, 0);
	ok(&s, receive(&msg, at, 4, &got), "mrecv of nobody");
	if (got.source != WEFT_PROC_NULL || got.tag != WEFT_ANY_TAG ||
	    got.bytes)
		wf_sim_fail(rank, "something of nobody");
	ok(&s, weft_improbe(s.world, weft_from(WEFT_PROC_NULL, 0), &msg, NULL),
	   "improbe");
	ok(&s, weft_imrecv(&msg, at, 4, &weft_type_byte, &req), "imrecv");
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free");
	expect(&s, weft_mprobe(s.world, weft_from(1, 0), &msg, NULL),
	       WEFT_ERR_RANGE, "weft_mprobe: the rank is 1");
	expect(&s, weft_improbe(s.world, weft_from(0, -5), &msg, NULL),
	       WEFT_ERR_RANGE, "weft_improbe: the tag is -5");
	expect(&s, weft_mprobe(s.world, weft_from(0, 0), NULL, NULL),
	       WEFT_ERR_ARG, NULL);
	expect(&s, receive(&msg, at, 4, NULL), WEFT_ERR_ARG, NULL);
	ok(&s, bytes_to(&s, "abc", 4, 0, 1), "send");
	msg = copy = take(&s, 0, 1);
	/* it is still there */
	expect(&s, receive(&msg, NULL, 4, NULL), WEFT_ERR_ARG, "data is NULL");
	expect(&s, weft_mrecv(&msg, at, 4, NULL, NULL), WEFT_ERR_ARG,
	       "type is NULL");
	expect(&s, weft_imrecv(&msg, at, 4, &weft_type_byte, NULL),
	       WEFT_ERR_ARG, "req_p is NULL");
	expect(&s, receive(&msg, at, 2, &got), WEFT_ERR_TRUNCATE,
	       "enlarge the buffer");
	if (got.bytes != 4 || at[1] != 'b' || msg)
		wf_sim_fail(rank, "not what fits");
	expect(&s, receive(&copy, at, 4, NULL), WEFT_ERR_ARG, NULL);
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

/* ---- what a receiver holds ---- */

/* A synchronous one, and content, wait until it is received. */
static void count(struct wf_sim_rank *rank, void *arg)
{
	size_t n = *(uint64_t *)arg % 2 ? 3000 : LONG;
	struct weft_request *req = NULL;
	struct weft_message *msg;
	struct scene s;
	uint64_t before;
	bool done;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_issend(s.world, content, n, &weft_type_byte,
				   weft_to(1, 1), &req), "issend");
		ok(&s, weft_barrier(s.world), "barrier");
		linger(&s);
		ok(&s, weft_request_test(req, &done), "test");
		if (done)
			wf_sim_fail(rank, "it was not received");
		ok(&s, weft_barrier(s.world), "barrier");
		ok(&s, weft_request_wait(req), "wait");
		ok(&s, weft_request_free(&req), "free");
	} else {
		char *at = malloc(n);

		before = pair_of(&s, 0)->taken;
		msg = take(&s, 0, 1);
		ok(&s, weft_barrier(s.world), "barrier");
		ok(&s, weft_barrier(s.world), "barrier");
		if (pair_of(&s, 0)->taken != before)
			wf_sim_fail(rank, "it counts as received");
		ok(&s, receive(&msg, at, n, NULL), "mrecv");
		if (pair_of(&s, 0)->taken != before + 1 ||
		    pair_of(&s, 0)->content_taken != (n == LONG ? 0 : n))
			wf_sim_fail(rank, "it does not");
		free(at);
	}
	stop(&s);
}

static void counted(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, count))
			return;
}

/* ---- no memory ---- */

static int failed;

static void starve(struct wf_sim_rank *rank, void *arg)
{
	bool waits = *(uint64_t *)arg % 2;
	struct weft_message *msg = NULL;
	struct scene s;
	int status;
	char at;

	if (!start(&s, rank))
		return;
	ok(&s, bytes_to(&s, "a", 1, 0, 1), "send");
	ok(&s, weft_probe(s.world, weft_from(0, 1), NULL), "probe");
	for (int i = 0; i < 3; i++) {
		struct weft_message *hog;

		/* what is spare is used up */
		ok(&s, weft_mprobe(s.world, weft_from(WEFT_PROC_NULL, 0), &hog,
				   NULL), "mprobe");
	}
	fail_malloc_at(1);
	status = (waits ? weft_mprobe : weft_improbe)(
		s.world, weft_from(0, 1), &msg, NULL);
	fail_malloc_at(0);
	expect(&s, status, WEFT_ERR_NOMEM, "no memory for a request");
	failed += status != WEFT_OK;
	msg = take(&s, 0, 1);
	ok(&s, receive(&msg, &at, 1, NULL), "mrecv");
	stop(&s);
}

static void no_memory(void)
{
	failed = 0;
	for (uint64_t seed = 1; seed <= 2; seed++)
		run(1, seed, starve);
	TAP_EQUAL(failed, 2);
}

/* ---- what ends meanwhile ---- */

/* Its communicator is freed, and it is received; or the job closes on it. */
static void outlive(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 0, 100, 3000, LONG };
	uint64_t dice = *(uint64_t *)arg;
	size_t n = lengths[dice % 4];
	bool closes = dice / 4 % 2;
	struct weft_request *req = NULL;
	struct weft_message *msg = NULL;
	struct weft_comm *dup = NULL;
	char *at = malloc(LONG);
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_issend(dup, content, n, &weft_type_byte,
				   weft_to(1, 1), &req), "issend");
		expect(&s, weft_request_wait(req), closes ? WEFT_ERR_PEER :
		       WEFT_OK, "has closed its job");
		ok(&s, weft_request_free(&req), "free");
		ok(&s, weft_comm_free(&dup), "free");
	} else {
		ok(&s, weft_mprobe(dup, weft_from(0, 1), &msg, NULL),
		   "mprobe");
		if (dice / 8 % 2)
			linger(&s);
		ok(&s, weft_comm_free(&dup), "free");
		if (!closes)
			ok(&s, receive(&msg, at, n, NULL), "mrecv");
	}
	stop(&s);
	free(at);
}

/* The first of many is whole, or not, when its sender dies. */
static void outlive_sender(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 100, 8000, LONG };
	size_t n = lengths[*(uint64_t *)arg % 3];
	struct weft_request *req = NULL;
	struct weft_message *msg;
	struct scene s;
	char *at;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_isend(s.world, content, n, &weft_type_byte,
				  weft_to(1, 1), &req), "isend");
		linger(&s);
		wf_sim_die(rank);
	}
	at = malloc(LONG);
	msg = take(&s, 0, 1);
	linger(&s);
	await_news(&s);
	expect(&s, receive(&msg, at, n, NULL), n == LONG ? WEFT_ERR_PEER :
	       WEFT_OK, "rank 0 ");
	free(at);
	(void)!weft_job_close(s.job);
}

static void ends(void)
{
	for (uint64_t seed = 0; seed < 16; seed++)
		if (!run(2, seed, outlive))
			return;
	for (uint64_t seed = 0; seed < 6; seed++)
		run_death(seed, outlive_sender);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "it is nobody else's", taken },
		{ "nobody, and what is refused", refused },
		{ "it counts as not received", counted },
		{ "no memory", no_memory },
		{ "what ends meanwhile", ends }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
