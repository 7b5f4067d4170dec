/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent sends and receives: a start knows nothing of the one before, and
 * requests that are given up while they are active end by themselves.
 */
#include <stdlib.h>
#include <weft/persistent.h>
#include "tests/fail_malloc.h"
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 100000
};

static char content[LONG];

static struct weft_request *sender(const struct scene *s,
				   struct weft_comm *comm, size_t n, int to)
{
	struct weft_request *req = NULL;

	ok(s, weft_send_init(comm, content, n, &weft_type_byte, weft_to(to, 1),
			     &req), "send_init");
	return req;
}

static struct weft_request *receiver(const struct scene *s,
				     struct weft_comm *comm, void *data,
				     size_t n, int from)
{
	struct weft_request *req = NULL;

	ok(s, weft_recv_init(comm, data, n, &weft_type_byte,
			     weft_from(from, 1), &req), "recv_init");
	return req;
}

static void begin(const struct scene *s, struct weft_request *req)
{
	ok(s, weft_request_start(req), "start");
}

static void give_up(const struct scene *s, struct weft_request **req_p)
{
	ok(s, weft_request_free(req_p), "free");
	if (*req_p)
		wf_sim_fail(s->rank, "it is still there");
}

/* ---- inactive ones ---- */

static void expect_nothing(const struct scene *s,
			   const struct weft_request *req)
{
	struct weft_message_status got = { .source = 5 };

	ok(s, weft_request_status(req, &got), "received");
	if (got.source != WEFT_PROC_NULL || got.tag != WEFT_ANY_TAG ||
	    got.bytes || got.cancelled)
		wf_sim_fail(s->rank, "something was received");
}

static void do_nothing(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[3] = { NULL };
	struct scene s;
	bool done = false;
	char at = 'x';

	(void)arg;
	if (!start(&s, rank))
		return;
	req[0] = sender(&s, s.world, 1, 0);
	req[2] = receiver(&s, s.world, &at, 1, WEFT_ANY_SOURCE);
	ok(&s, weft_request_wait(req[0]), "wait");
	ok(&s, weft_request_test(req[2], &done), "test");
	ok(&s, weft_request_wait_all(req, 3, NULL), "wait_all");
	ok(&s, weft_request_cancel(req[2]), "cancel");
	expect_nothing(&s, req[2]);
	if (!done || at != 'x')
		wf_sim_fail(rank, "it was active");
	give_up(&s, &req[0]);
	/* and to nobody, from nobody, they are as soon as they are started */
	req[0] = sender(&s, s.world, 1, WEFT_PROC_NULL);
	req[1] = receiver(&s, s.world, &at, 1, WEFT_PROC_NULL);
	for (int i = 0; i < 2; i++) {
		ok(&s, weft_request_start_all(req, 2), "start_all");
		ok(&s, weft_request_test_all(req, 3, &done, NULL), "test_all");
		expect_nothing(&s, req[1]);
	}
	/* the job takes those that are left */
	stop(&s);
}

static void inactive(void)
{
	run(1, 1, do_nothing);
}

/* ---- what is refused ---- */

static void refuse_twice(struct scene *s, struct weft_request **req)
{
	begin(s, req[0]);
	expect(s, weft_request_start(req[0]), WEFT_ERR_REQUEST,
	       "weft_request_start: the request is active");
	expect(s, weft_request_status(req[0],
				      &(struct weft_message_status){ 0 }),
	       WEFT_ERR_REQUEST, "active");
	/* none is started */
	req[3] = req[0];
	expect(s, weft_request_start_all(req + 1, 3), WEFT_ERR_REQUEST,
	       "request 2 is active");
	ok(s, weft_request_wait(req[1]), "wait");
	ok(s, weft_request_cancel(req[0]), "cancel");
	ok(s, weft_request_wait(req[0]), "wait");
	expect(s, weft_request_start_all(req, 4), WEFT_ERR_REQUEST,
	       "request 3 is active");
	ok(s, weft_request_wait_all(req, 2, NULL), "wait_all");
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[4] = { NULL }, *other = NULL;
	struct weft_envelope to = { 0, 1 };
	struct scene s;
	char at;

	(void)arg;
	if (!start(&s, rank))
		return;
	req[0] = receiver(&s, s.world, &at, 1, 0);
	req[1] = sender(&s, s.world, 1, 0);
	refuse_twice(&s, req);
	ok(&s, weft_isend(s.world, &at, 1, &weft_type_byte,
			  weft_to(WEFT_PROC_NULL, 1), &other), "isend");
	expect(&s, weft_request_start(other), WEFT_ERR_REQUEST,
	       "not persistent");
	req[3] = other;
	expect(&s, weft_request_start_all(req, 4), WEFT_ERR_REQUEST,
	       "request 3 is not persistent");
	expect(&s, weft_request_start_all(NULL, 2), WEFT_ERR_ARG, NULL);
	ok(&s, weft_request_start_all(NULL, 0), "none");
	expect(&s, weft_send_init(s.world, &at, 1, &weft_type_byte, to, NULL),
	       WEFT_ERR_ARG, "weft_send_init: req_p is NULL");
	expect(&s, weft_ssend_init(s.world, &at, 1, NULL, to, &req[2]),
	       WEFT_ERR_ARG, "weft_ssend_init: type is NULL");
	to.rank = 4;
	expect(&s, weft_send_init(s.world, &at, 1, &weft_type_byte, to,
				  &req[2]),
	       WEFT_ERR_RANGE, "weft_send_init: the rank is 4");
	expect(&s, weft_recv_init(s.world, NULL, 1, &weft_type_byte, to,
				  &req[2]),
	       WEFT_ERR_ARG, "weft_recv_init: data is NULL");
	if (req[2])
		wf_sim_fail(rank, "a request of what was refused");
	ok(&s, weft_request_cancel(req[1]), "cancel a send");
	give_up(&s, &other);
	give_up(&s, &req[1]);
	give_up(&s, &req[0]);
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

/* ---- one start behind another ---- */

static const size_t sent_first[] = { LONG, 50, 10 };

/* The first one is cut off, and a later one cancelled. */
static void start_and_fail(const struct scene *s, struct weft_request *req)
{
	struct weft_message_status got;

	for (int i = 0; i < 3; i++) {
		begin(s, req);
		expect(s, weft_request_wait(req), i ? WEFT_OK :
		       WEFT_ERR_TRUNCATE, "enlarge");
		ok(s, weft_request_status(req, &got), "received");
		if (got.source || got.bytes != sent_first[i] ||
		    !weft_request_error(req)[0] != (i > 0))
			wf_sim_fail(s->rank, "what start %d has left", i);
	}
	ok(s, weft_barrier(s->world), "barrier");
	begin(s, req);
	ok(s, weft_request_cancel(req), "cancel");
	ok(s, weft_request_wait(req), "wait");
	ok(s, weft_request_status(req, &got), "received");
	if (!got.cancelled)
		wf_sim_fail(s->rank, "it was not cancelled");
	ok(s, weft_barrier(s->world), "barrier");
}

/* And then more starts than a rank holds messages. */
static void start_often(struct wf_sim_rank *rank, void *arg)
{
	enum { MANY = 1500 };
	struct weft_message_status got = { .bytes = 8 };
	struct weft_request *req;
	struct scene s;
	char at[60];

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		for (int i = 0; i < 3; i++)
			ok(&s, bytes_to(&s, content, sent_first[i], 1, 1),
			   "send");
		req = sender(&s, s.world, 8, 1);
		ok(&s, weft_barrier(s.world), "barrier");
		ok(&s, weft_barrier(s.world), "barrier");
	} else {
		req = receiver(&s, s.world, at, 60, WEFT_ANY_SOURCE);
		start_and_fail(&s, req);
	}
	for (int i = 0; i < MANY; i++) {
		begin(&s, req);
		ok(&s, weft_request_wait(req), "wait");
	}
	if (wf_sim_rank(rank))
		ok(&s, weft_request_status(req, &got), "received");
	if (got.cancelled || got.bytes != 8)
		wf_sim_fail(rank, "what cancelling has left");
	give_up(&s, &req);
	stop(&s);
}

/* Each start of a synchronous one waits. */
static void start_synchronous(struct wf_sim_rank *rank, void *arg)
{
	size_t n = *(uint64_t *)arg % 2 ? 8 : 5000;
	struct weft_request *req = NULL;
	struct scene s;
	char at[5000];
	bool done;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0)
		ok(&s, weft_ssend_init(s.world, content, n, &weft_type_byte,
				       weft_to(1, 1), &req), "ssend_init");
	for (int i = 0; i < 3; i++) {
		if (req) {
			begin(&s, req);
			linger(&s);
			ok(&s, weft_request_test(req, &done), "test");
			if (done)
				wf_sim_fail(rank, "start %d does not wait", i);
		}
		ok(&s, weft_barrier(s.world), "barrier");
		if (req)
			ok(&s, weft_request_wait(req), "wait");
		else
			ok(&s, bytes_from(&s, at, n, 0, 1, NULL), "recv");
	}
	if (req)
		give_up(&s, &req);
	stop(&s);
}

static void starts(void)
{
	for (uint64_t seed = 1; seed <= 6; seed++)
		if (!run(2, seed, start_often) ||
		    !run(2, seed, start_synchronous))
			return;
}

/* ---- no memory ---- */

enum {
	ALLOCATIONS = 6
};

static int failed;

/* A long message to the own rank needs memory at each start. */
static void starve(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	struct weft_request *req[2];
	struct scene s;
	int status;
	char *at;

	if (!start(&s, rank))
		return;
	at = malloc(LONG);
	req[0] = sender(&s, s.world, LONG, 0);
	req[1] = receiver(&s, s.world, at, LONG, 0);
	fail_malloc_once(1 + (long)dice);
	ok(&s, weft_request_start_all(req, 2), "start_all");
	status = weft_request_wait(req[0]);
	fail_malloc_at(0);
	failed += status != WEFT_OK;
	if (status) {
		expect(&s, status, WEFT_ERR_NOMEM, "no memory for 100000");
		ok(&s, weft_request_cancel(req[1]), "cancel");
	}
	(void)!weft_request_wait(req[1]);
	ok(&s, weft_request_start_all(req, 2), "start_all");
	ok(&s, weft_request_wait_all(req, 2, NULL), "wait_all");
	give_up(&s, &req[0]);
	give_up(&s, &req[1]);
	stop(&s);
	free(at);
}

static void no_memory(void)
{
	failed = 0;
	for (uint64_t dice = 0; dice < ALLOCATIONS; dice++)
		if (!run(1, dice, starve))
			return;
	TAP_CHECK(failed >= 2);
}

/* ---- given up ---- */

static bool is_there(const struct scene *s, uint64_t context)
{
	return wf_map_get(&wf_contexts(s->job)->comms, context);
}

/* The communicator is there as long as some request of it is. */
static void free_first(struct wf_sim_rank *rank, void *arg)
{
	bool is_long = *(uint64_t *)arg % 2;
	size_t n = is_long ? LONG : 100;
	struct weft_comm *dup = NULL;
	struct weft_request *req;
	char *at = calloc(1, LONG);
	uint64_t id;
	struct scene s;

	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &dup), "dup");
	id = dup->id;
	memset(content, 'f', LONG);
	req = wf_sim_rank(rank) ? receiver(&s, dup, at, n, WEFT_ANY_SOURCE) :
				  sender(&s, dup, n, 1);
	ok(&s, weft_comm_free(&dup), "free");
	for (int i = 0; i < 2; i++) {
		begin(&s, req);
		ok(&s, weft_request_wait(req), "wait");
	}
	if (wf_sim_rank(rank))
		ok(&s, weft_barrier(s.world), "barrier");
	begin(&s, req);
	give_up(&s, &req);
	if (wf_sim_rank(rank) == 0) {
		if (is_long && !is_there(&s, id))
			wf_sim_fail(rank, "it is gone too early");
		ok(&s, weft_barrier(s.world), "barrier");
	}
	for (int i = 0; i < 20 && is_there(&s, id); i++)
		linger(&s);
	if (is_there(&s, id))
		wf_sim_fail(rank, "its communicator stays");
	if (wf_sim_rank(rank) && at[n - 1] != 'f')
		wf_sim_fail(rank, "the last one was lost");
	stop(&s);
	free(at);
}

/* Sends and receives of all kinds, and then the job is closed. */
static void close_first(struct wf_sim_rank *rank, void *arg)
{
	enum { EACH = 6 };
	static const size_t lengths[] = { 1, 3000, LONG };
	struct weft_request *req[2 * EACH];
	char *at = calloc(EACH, LONG);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < EACH; i++) {
		size_t n = lengths[i % 3];

		req[2 * i] = NULL;
		req[2 * i + 1] = sender(&s, s.world, n, i / 3);
		ok(&s, weft_irecv(s.world, at + (size_t)i * LONG, n,
				  &weft_type_byte, weft_from(i / 3, 1),
				  &req[2 * i]), "irecv");
		begin(&s, req[2 * i + 1]);
	}
	for (int i = 0; i < 2 * EACH; i++)
		give_up(&s, &req[i]);
	stop(&s);
	for (int i = 0; i < EACH; i++)
		if (at[(size_t)i * LONG + lengths[i % 3] - 1] != 'f')
			wf_sim_fail(rank, "message %d was lost", i);
	free(at);
}

static void given_up(void)
{
	memset(content, 'f', LONG);
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, free_first) || !run(2, seed, close_first))
			return;
}

/* ---- deaths ---- */

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[3] = { NULL };
	struct scene s;
	char at;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_barrier(s.world), "barrier");
		wf_sim_die(rank);
	}
	req[0] = receiver(&s, s.world, &at, 1, 0);
	req[1] = receiver(&s, s.world, &at, 1, WEFT_ANY_SOURCE);
	req[2] = sender(&s, s.world, LONG, 0);
	ok(&s, weft_barrier(s.world), "barrier");
	for (int i = 0; i < 3; i++) {
		ok(&s, weft_request_start_all(req, 3), "start_all");
		for (int k = 0; k < 3; k++)
			expect(&s, weft_request_wait(req[k]), WEFT_ERR_PEER,
			       "rank 0 ");
	}
	begin(&s, req[0]);
	for (int k = 0; k < 3; k++)
		give_up(&s, &req[k]);
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		run_death(seed, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "inactive ones", inactive },
		{ "what is refused", refused },
		{ "one start behind another", starts },
		{ "no memory", no_memory },
		{ "given up while they are active", given_up },
		{ "a death", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
