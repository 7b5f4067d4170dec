/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests that are looked at stay as they are: what they have received is
 * told, also of failed ones, as often as one asks; a persistent one stays
 * active, nobody is told of an error, and those that are inactive are left out.
 */
#include <weft/peek.h>
#include <weft/persistent.h>
#include "tests/sim/p2p_scene.h"

enum {
	MANY = 5			/* receives, the last one of another
					   rank's word */
};

static int calls;

static void see(struct weft_comm *comm, int status, const char *text, void *arg)
{
	(void)comm;
	(void)status;
	(void)text;
	(void)arg;
	calls++;
}

static void watch(const struct scene *s)
{
	const struct weft_errhandler errors = {
		.kind = WEFT_ERRORS_CALL, .call = see
	};

	calls = 0;
	ok(s, weft_comm_set_errhandler(s->world, &errors), "set");
}

static void expect_nobody(const struct scene *s,
			  const struct weft_message_status *got)
{
	if (got->source != WEFT_PROC_NULL || got->tag != WEFT_ANY_TAG ||
	    got->bytes || got->error || got->kind != WEFT_MESSAGE_NONE)
		wf_sim_fail(s->rank, "a message of what is left out");
}

/* ---- one ---- */

/* Nobody has heard of it, and a test tells of it. */
static void expect_end(const struct scene *s, struct weft_request *req,
		       int error)
{
	bool done = false;

	if (calls || !*weft_request_error(req) != !error)
		wf_sim_fail(s->rank, "it is told already");
	if (weft_request_is_persistent(req) && !weft_request_is_active(req))
		wf_sim_fail(s->rank, "it is active no more");
	if (weft_request_test(req, &done) != error || !done ||
	    calls != (error ? 1 : 0))
		wf_sim_fail(s->rank, "not told in the end");
	calls = 0;
}

/* Looked at thrice, and then tested. */
static void look_often(const struct scene *s, struct weft_request *req,
		       int error)
{
	struct weft_message_status got;
	bool done = false;

	while (!done)
		ok(s, weft_request_peek(req, &done, &got), "peek");
	for (int i = 0; i < 2; i++) {
		ok(s, weft_request_peek(req, &done, i ? &got : NULL), "peek");
		if (!done || got.source || got.tag != 7 || got.bytes != 4 ||
		    got.error != error || got.kind != WEFT_MESSAGE_RECEIVED)
			wf_sim_fail(s->rank, "not what it has received");
	}
	expect_end(s, req, error);
}

static void one(struct wf_sim_rank *rank, void *arg)
{
	struct weft_message_status got;
	struct weft_request *req;
	struct scene s;
	char at[4];
	bool done;

	(void)arg;
	if (!start(&s, rank))
		return;
	watch(&s);
	ok(&s, weft_recv_init(s.world, at, 4, &weft_type_byte, weft_from(0, 7),
			      &req), "recv_init");
	for (int i = 0; i < 2; i++) {
		done = false;
		ok(&s, weft_request_peek(req, &done, &got), "peek");
		expect_nobody(&s, &got);
		if (!done)
			wf_sim_fail(rank, "an inactive one is under way");
		ok(&s, weft_request_start(req), "start");
		ok(&s, weft_request_peek(req, &done, &got), "peek");
		if (done)
			wf_sim_fail(rank, "complete too early");
		ok(&s, bytes_to(&s, "1234", 4, 0, 7), "send");
		look_often(&s, req, WEFT_OK);
	}
	ok(&s, weft_request_free(&req), "free");
	ok(&s, weft_irecv(s.world, at, 3, &weft_type_byte, weft_from(0, 7),
			  &req), "irecv");
	ok(&s, bytes_to(&s, "1234", 4, 0, 7), "send");
	look_often(&s, req, WEFT_ERR_TRUNCATE);
	if (weft_request_is_persistent(req) || weft_request_is_persistent(NULL))
		wf_sim_fail(rank, "it is persistent");
	expect(&s, weft_request_peek(req, NULL, NULL), WEFT_ERR_ARG,
	       "weft_request_peek: done_p is NULL");
	expect(&s, weft_request_peek(NULL, &done, NULL), WEFT_ERR_ARG, NULL);
	ok(&s, weft_request_free(&req), "free");
	stop(&s);
}

static void single(void)
{
	run(1, 1, one);
}

/* ---- many ---- */

static void peek_all(const struct scene *s, struct weft_request **req,
		     bool wanted)
{
	struct weft_message_status got[MANY + 2];
	bool done = !wanted;

	do
		ok(s, weft_request_peek_all(req, MANY + 2, &done, got), "all");
	while (wanted && !done);
	if (done != wanted)
		wf_sim_fail(s->rank, "not all");
	if (!done)
		return;
	expect_nobody(s, &got[MANY]);
	expect_nobody(s, &got[MANY + 1]);
	for (int i = 0; i < MANY; i++)
		if (got[i].tag != i || got[i].bytes != (uint64_t)i + 1 ||
		    got[i].error != (i == 3 ? WEFT_ERR_TRUNCATE : WEFT_OK))
			wf_sim_fail(s->rank, "not message %d", i);
}

/* The second one, then that and the last one, then all. */
static void look(const struct scene *s, struct weft_request **req)
{
	struct weft_message_status got[MANY + 2];
	int index[MANY + 2], first = -1, n = 0;

	while (first < 0)
		ok(s, weft_request_peek_any(req, MANY + 2, &first, got),
		   "any");
	if (first != 1 || got[0].tag != 1)
		wf_sim_fail(s->rank, "any: %d", first);
	peek_all(s, req, false);
	ok(s, bytes_to(s, NULL, 0, 0, 99), "word");
	while (n < 2)
		ok(s, weft_request_peek_some(req, MANY + 2, index, &n, got),
		   "some");
	if (n != 2 || index[0] != 1 || index[1] != MANY - 1 ||
	    got[1].tag != MANY - 1)
		wf_sim_fail(s->rank, "some: %d", n);
	ok(s, bytes_to(s, NULL, 0, 0, 99), "word");
	peek_all(s, req, true);
	peek_all(s, req, true);
	ok(s, weft_request_peek_any(req + MANY, 2, &first, NULL), "none");
	ok(s, weft_request_peek_some(req + MANY, 2, index, &n, NULL), "none");
	if (first != -1 || n || calls)
		wf_sim_fail(s->rank, "something of none");
	if (weft_request_wait_all(req, MANY + 2, NULL) != WEFT_ERR_TRUNCATE ||
	    calls != 1)
		wf_sim_fail(s->rank, "not told in the end");
}

static void receive(const struct scene *s)
{
	struct weft_request *req[MANY + 2] = { NULL };
	char at[MANY + 1][MANY];

	watch(s);
	for (int i = 0; i < MANY; i++)
		ok(s, weft_irecv(s->world, at[i], i == 3 ? 2 : MANY,
				 &weft_type_byte, weft_from(0, i), &req[i]),
		   "irecv");
	ok(s, weft_recv_init(s->world, at[MANY], 1, &weft_type_byte,
			     weft_from(0, 50), &req[MANY + 1]), "recv_init");
	look(s, req);
	ok(s, weft_request_free_all(req, MANY + 2), "free");
}

static void send(const struct scene *s, int tag)
{
	ok(s, bytes_to(s, "12345", (size_t)tag + 1, 1, tag), "send");
}

static void many(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank)) {
		receive(&s);
	} else {
		send(&s, 1);
		ok(&s, bytes_from(&s, NULL, 0, 1, 99, NULL), "word");
		send(&s, MANY - 1);
		ok(&s, bytes_from(&s, NULL, 0, 1, 99, NULL), "word");
		send(&s, 0);
		send(&s, 3);
		send(&s, 2);
	}
	stop(&s);
}

static void several(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++)
		if (!run(2, seed, many))
			return;
}

/* ---- what is refused, or of none ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req[2] = { NULL };
	struct weft_message_status got[2];
	int i = 3, n = 3;
	struct scene s;
	bool done;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (weft_request_peek_all(NULL, 1, &done, NULL) != WEFT_ERR_ARG ||
	    weft_request_peek_all(req, 2, NULL, NULL) != WEFT_ERR_ARG ||
	    weft_request_peek_any(req, 2, NULL, NULL) != WEFT_ERR_ARG ||
	    weft_request_peek_some(req, 2, NULL, &n, NULL) != WEFT_ERR_ARG ||
	    weft_request_peek_some(req, 2, &i, NULL, NULL) != WEFT_ERR_ARG ||
	    weft_request_peek_some(req, -1, &i, &n, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "a wrong argument is taken");
	ok(&s, weft_request_peek_all(req, 2, &done, got), "all of none");
	ok(&s, weft_request_peek_any(req, 2, &i, NULL), "any of none");
	ok(&s, weft_request_peek_some(req, 0, NULL, &n, NULL), "some of none");
	if (!done || i != -1 || n)
		wf_sim_fail(rank, "something of none");
	expect_nobody(&s, &got[1]);
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "one", single },
		{ "all, any, some", several },
		{ "what is refused", refused }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
