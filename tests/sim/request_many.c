/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for many requests: all of them, any of them, some; with gaps, with
 * errors, of several kinds.
 */
#include <string.h>
#include "tests/sim/scene.h"

enum {
	MANY = 8
};

static void take(const struct scene *s, int tag, char *at, size_t n,
		 struct weft_request **req_p)
{
	ok(s, weft_irecv(s->world, at, n, &weft_type_byte, weft_from(0, tag),
			 req_p), "irecv");
}

/* Rank 0 sends tag by tag what the others await, each after a word of them. */
static void serve(const struct scene *s, int rounds)
{
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < MANY; i++) {
			int tag = (i * 3 + 1) % MANY;

			if (r == 1)
				ok(s, weft_recv(s->world, NULL, 0,
						&weft_type_byte,
						weft_from(1, 99), NULL),
				   "word");
			ok(s, weft_send(s->world, "12345678", 4,
					&weft_type_byte, weft_to(1, tag)),
			   "send");
		}
}

static void free_all(const struct scene *s, struct weft_request **req, int n)
{
	ok(s, weft_request_free_all(req, n), "free all");
	for (int i = 0; i < n; i++)
		if (req[i])
			wf_sim_fail(s->rank, "one that was freed is there");
	ok(s, weft_request_free_all(req, n), "free none");
}

/* All, one of which is too long for its memory. */
static void want_all(const struct scene *s)
{
	struct weft_request *req[MANY + 1] = { NULL };
	int status[MANY + 1], first;
	char at[MANY][4];
	bool done = true;

	for (int i = 0; i < MANY; i++)
		take(s, i, at[i], i == 2 || i == 5 ? 3 : 4, &req[i]);
	first = weft_request_test_all(req, MANY + 1, &done, status);
	if (!done && first)
		wf_sim_fail(s->rank, "an error of some that are active");
	first = weft_request_wait_all(req, MANY + 1, status);
	if (first != WEFT_ERR_TRUNCATE ||
	    !strstr(weft_error_text(s->job), "tag 2,"))
		wf_sim_fail(s->rank, "not the first error: %s",
			    weft_error_text(s->job));
	for (int i = 0; i <= MANY; i++)
		if (status[i] != (i == 2 || i == 5 ? WEFT_ERR_TRUNCATE :
						     WEFT_OK))
			wf_sim_fail(s->rank, "a status of another one");
	first = weft_request_test_all(req, MANY + 1, &done, NULL);
	if (!done || first != WEFT_ERR_TRUNCATE)
		wf_sim_fail(s->rank, "complete no more");
	free_all(s, req, MANY + 1);
}

static void ask(const struct scene *s)
{
	ok(s, weft_send(s->world, NULL, 0, &weft_type_byte, weft_to(0, 99)),
	   "word");
}

/* One by one, in the order in which they are sent. */
static void want_any(const struct scene *s)
{
	struct weft_request *req[MANY] = { NULL };
	char at[MANY][4];
	int index = 5;

	ok(s, weft_request_wait_any(req, MANY, &index), "none");
	if (index != -1)
		wf_sim_fail(s->rank, "one of none");
	for (int i = 0; i < MANY; i++)
		take(s, i, at[i], 4, &req[i]);
	ok(s, weft_request_test_any(req, MANY, &index), "test");
	if (index != -1)
		wf_sim_fail(s->rank, "one that was not sent");
	for (int i = 0; i < MANY; i++) {
		ask(s);
		ok(s, weft_request_wait_any(req, MANY, &index), "any");
		if (index != (i * 3 + 1) % MANY)
			wf_sim_fail(s->rank, "another one");
		if (index >= 0)
			ok(s, weft_request_free(&req[index]), "free");
	}
}

static void want_some(const struct scene *s)
{
	struct weft_request *req[MANY] = { NULL };
	int index[MANY], count, left = MANY;
	char at[MANY][4];

	for (int i = 0; i < MANY; i++)
		take(s, i, at[i], 4, &req[i]);
	while (left) {
		ok(s, weft_request_wait_some(req, MANY, index, &count, NULL),
		   "some");
		if (!count)
			wf_sim_fail(s->rank, "none");
		for (int i = 0; i < count; i++)
			ok(s, weft_request_free(&req[index[i]]), "free");
		left = count ? left - count : 0;
	}
	count = 7;
	ok(s, weft_request_test_some(req, MANY, index, &count, NULL),
	   "none left");
	if (count)
		wf_sim_fail(s->rank, "some of none");
}

static void refuse(const struct scene *s)
{
	struct weft_request *req[1] = { NULL };
	bool done;
	int i;

	if (weft_request_wait_all(NULL, 1, NULL) != WEFT_ERR_ARG ||
	    weft_request_wait_all(req, -1, NULL) != WEFT_ERR_ARG ||
	    weft_request_test_all(req, 1, NULL, NULL) != WEFT_ERR_ARG ||
	    weft_request_wait_any(req, 1, NULL) != WEFT_ERR_ARG ||
	    weft_request_test_any(NULL, 1, &i) != WEFT_ERR_ARG ||
	    weft_request_wait_some(req, 1, NULL, &i, NULL) != WEFT_ERR_ARG ||
	    weft_request_test_some(req, 1, &i, NULL, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(s->rank, "a wrong argument is taken");
	ok(s, weft_request_wait_all(NULL, 0, NULL), "of none");
	ok(s, weft_request_test_all(req, 1, &done, &i), "of none");
	if (!done || i)
		wf_sim_fail(s->rank, "none is not complete");
}

/* ---- whose error it is ---- */

static struct weft_comm *called;
static int calls;

static void see(struct weft_comm *comm, int status, const char *text, void *arg)
{
	(void)status;
	(void)text;
	(void)arg;
	called = comm;
	calls++;
}

/* One of the second communicator fails: that is asked what to do. */
static void ask_second(const struct scene *s, struct weft_comm *const *comm)
{
	struct weft_request *req[2] = { NULL };
	int index = 0, count = 0, found[2];
	char at[2][4];
	bool done;

	for (int i = 0; i < 2; i++)
		ok(s, weft_irecv(comm[i], at[i], (size_t)(4 - i),
				 &weft_type_byte, weft_from(0, 0), &req[i]),
		   "irecv");
	calls = 0;
	if (weft_request_wait_all(req, 2, NULL) != WEFT_ERR_TRUNCATE ||
	    weft_request_test_all(req, 2, &done, NULL) != WEFT_ERR_TRUNCATE ||
	    weft_request_wait_any(req + 1, 1, &index) != WEFT_ERR_TRUNCATE ||
	    weft_request_test_some(req, 2, found, &count, NULL) !=
	    WEFT_ERR_TRUNCATE)
		wf_sim_fail(s->rank, "no error");
	if (calls != 4 || called != comm[1] || count != 2)
		wf_sim_fail(s->rank, "%d calls, of another one", calls);
	for (int i = 0; i < 2; i++)
		ok(s, weft_request_free(&req[i]), "free");
}

static void of_two(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_errhandler errors = {
		.kind = WEFT_ERRORS_CALL, .call = see
	};
	struct weft_comm *comm[2] = { NULL };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 2; i++) {
		ok(&s, weft_comm_dup(s.world, &comm[i]), "dup");
		ok(&s, weft_comm_set_errhandler(comm[i], &errors), "set");
		if (wf_sim_rank(rank) == 0)
			ok(&s, weft_send(comm[i], "1234", 4, &weft_type_byte,
					 weft_to(1, 0)), "send");
	}
	if (wf_sim_rank(rank) == 1)
		ask_second(&s, comm);
	for (int i = 0; i < 2; i++)
		ok(&s, weft_comm_free(&comm[i]), "free");
	stop(&s);
}

static void handlers(void)
{
	run(2, 1, of_two);
}

/* A request that was freed is one by mistake. */
static void use_freed(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL, *freed;
	struct scene s;
	int index;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_isend(s.world, "12", 2, &weft_type_byte, weft_to(0, 0),
			  &req), "isend");
	freed = req;
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free");
	if (weft_request_wait_all(&freed, 1, NULL) != WEFT_ERR_ARG ||
	    weft_request_wait_any(&freed, 1, &index) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "a freed one is taken");
	stop(&s);
}

static void freed(void)
{
	run(1, 1, use_freed);
}

/* ---- persistent ones that are not started, or were told of ---- */

/* Two receives from oneself, of 4 bytes; messages to them; and an exchange. */
struct pair {
	struct weft_request *req[3];
	char at[2][4];
};

static void say(const struct scene *s, int tag, size_t n)
{
	ok(s, weft_send(s->world, "12345678", n, &weft_type_byte,
			weft_to(0, tag)), "send");
}

/* Nothing is awaited: no call waits, or tells of what was told. */
static void all_are_left_out(const struct scene *s, const struct pair *p)
{
	int index[3] = { 5, 5, 5 }, count = 5, status[3] = { 5, 5, 5 };
	bool done = false;

	for (int i = 0; i < 3; i++)
		if (weft_request_is_active(p->req[i]))
			wf_sim_fail(s->rank, "request %d is active", i);
	ok(s, weft_request_wait_any(p->req, 3, index), "any");
	ok(s, weft_request_wait_some(p->req, 3, index + 1, &count, status),
	   "some");
	if (index[0] != -1 || count || status[0] != 5)
		wf_sim_fail(s->rank, "one of none");
	ok(s, weft_request_wait_all(p->req, 3, status), "all");
	ok(s, weft_request_test_all(p->req, 3, &done, NULL), "all");
	if (!done || status[0] || status[1] || status[2])
		wf_sim_fail(s->rank, "all of none");
}

static void start_only(const struct scene *s, const struct pair *p, int i)
{
	ok(s, weft_request_start(p->req[i]), "start");
	if (!weft_request_is_active(p->req[i]) ||
	    weft_request_is_active(p->req[!i]))
		wf_sim_fail(s->rank, "another one is active");
}

/* Each kind of call tells once, of the one that was started. */
static void tell_once(const struct scene *s, const struct pair *p)
{
	int index[3] = { 5, 5, 5 }, count = 5, status[3] = { 5, 5, 5 };
	bool done = false;

	start_only(s, p, 1);
	say(s, 1, 4);
	ok(s, weft_request_wait_any(p->req, 3, index), "any");
	if (index[0] != 1)
		wf_sim_fail(s->rank, "any: %d", index[0]);
	all_are_left_out(s, p);
	start_only(s, p, 0);
	ok(s, weft_request_test_some(p->req, 3, index, &count, status),
	   "some");
	if (count)
		wf_sim_fail(s->rank, "some without a message");
	say(s, 0, 5);
	if (weft_request_wait_some(p->req, 3, index, &count, status) !=
	    WEFT_ERR_TRUNCATE || count != 1 || index[0] ||
	    status[0] != WEFT_ERR_TRUNCATE)
		wf_sim_fail(s->rank, "some: %d, %d", count, index[0]);
	all_are_left_out(s, p);
	start_only(s, p, 0);
	say(s, 0, 5);
	if (weft_request_wait_all(p->req, 3, NULL) != WEFT_ERR_TRUNCATE)
		wf_sim_fail(s->rank, "all: no error");
	all_are_left_out(s, p);
	start_only(s, p, 1);
	say(s, 1, 4);
	ok(s, weft_request_wait_all(p->req, 3, NULL), "all");
	all_are_left_out(s, p);
	start_only(s, p, 0);
	say(s, 0, 4);
	while (!done)
		ok(s, weft_request_test(p->req[0], &done), "test");
	all_are_left_out(s, p);
	start_only(s, p, 1);
	say(s, 1, 4);
	ok(s, weft_request_wait(p->req[1]), "wait");
	all_are_left_out(s, p);
	ok(s, weft_request_start(p->req[2]), "start an exchange");
	ok(s, weft_request_wait_any(p->req, 3, index), "any");
	if (index[0] != 2)
		wf_sim_fail(s->rank, "not the exchange: %d", index[0]);
	all_are_left_out(s, p);
}

/* By tests; and one that is complete is active until one has told. */
static void test_once(const struct scene *s, const struct pair *p)
{
	int index = -1;
	bool done = false;

	start_only(s, p, 1);
	say(s, 1, 4);
	while (index < 0)
		ok(s, weft_request_test_any(p->req, 3, &index), "test any");
	if (index != 1)
		wf_sim_fail(s->rank, "test any: %d", index);
	all_are_left_out(s, p);
	start_only(s, p, 0);
	say(s, 0, 4);
	ok(s, weft_job_progress(s->job), "progress");
	if (weft_request_start(p->req[0]) != WEFT_ERR_REQUEST ||
	    !weft_request_is_active(p->req[0]))
		wf_sim_fail(s->rank, "started before its end is told");
	while (!done)
		ok(s, weft_request_test_all(p->req, 3, &done, NULL),
		   "test all");
	all_are_left_out(s, p);
}

static void leave_out(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_edges none = { 0, NULL, NULL };
	const struct weft_vec nothing = { .type = &weft_type_byte };
	struct pair p = { .req = { NULL } };
	struct weft_comm *graph;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 2; i++)
		ok(&s, weft_recv_init(s.world, p.at[i], 4, &weft_type_byte,
				      weft_from(0, i), &p.req[i]), "init");
	ok(&s, weft_graph_create_adjacent(s.world, &none, &none, NULL, false,
					  &graph), "graph");
	ok(&s, weft_neighbor_alltoallv_init(graph, &nothing, &nothing,
					    &p.req[2]), "init");
	ok(&s, weft_comm_free(&graph), "free");
	for (int i = 0; i < 3; i++) {
		if (!weft_request_is_persistent(p.req[i]))
			wf_sim_fail(s.rank, "request %d is not persistent", i);
	}
	if (weft_request_is_persistent(NULL))
		wf_sim_fail(s.rank, "nothing is persistent");
	all_are_left_out(&s, &p);
	tell_once(&s, &p);
	test_once(&s, &p);
	ok(&s, weft_request_free_all(p.req, 3), "free");
	stop(&s);
}

static void inactive(void)
{
	run(1, 1, leave_out);
}

/* What a request was for, whatever it is. */
static void expect_kind(const struct scene *s, const struct weft_request *req,
			enum weft_message_kind kind)
{
	struct weft_message_status got = { .tag = 5 };

	ok(s, weft_request_status(req, &got), "status");
	if (got.kind != kind || got.source != WEFT_PROC_NULL ||
	    got.tag != WEFT_ANY_TAG || got.bytes || got.error || got.cancelled)
		wf_sim_fail(s->rank, "it was for another thing than %d", kind);
}

/* All that the library writes, also what is reserved. */
static void expect_zeros(const struct scene *s)
{
	struct weft_message_status got;
	struct weft_contexts contexts;

	memset(&got, 0xff, sizeof(got));
	ok(s, weft_send(s->world, NULL, 0, &weft_type_byte, weft_to(0, 9)),
	   "send");
	ok(s, weft_probe(s->world, weft_from(0, 9), &got), "probe");
	if (got.kind != WEFT_MESSAGE_RECEIVED || got.error || got.reserved[0] ||
	    got.reserved[3])
		wf_sim_fail(s->rank, "a probe tells something else");
	memset(&got, 0xff, sizeof(got));
	ok(s, weft_recv(s->world, NULL, 0, &weft_type_byte, weft_from(0, 9),
			&got), "recv");
	if (got.kind != WEFT_MESSAGE_RECEIVED || got.reserved[0] ||
	    got.reserved[3])
		wf_sim_fail(s->rank, "a receive tells something else");
	memset(&contexts, 0xff, sizeof(contexts));
	ok(s, weft_context_query(s->job, &contexts), "query");
	if (contexts.reserved[0] || contexts.reserved[3])
		wf_sim_fail(s->rank, "what is reserved is not 0");
}

static void tell_kinds(struct wf_sim_rank *rank, void *arg)
{
	struct weft_message_status got;
	struct weft_request *req[4];
	char at[4], data[16384];
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_irecv(s.world, at, 4, &weft_type_byte, weft_from(0, 7),
			  &req[0]), "irecv");
	ok(&s, weft_isend(s.world, "123", 3, &weft_type_byte, weft_to(0, 7),
			  &req[1]), "isend");
	ok(&s, weft_send_init(s.world, data, sizeof(data), &weft_type_byte,
			      weft_to(0, 8), &req[2]), "init");
	ok(&s, weft_ibcast(s.world, weft_part(at, 1, &weft_type_byte), 0,
			   &req[3]),
	   "ibcast");
	ok(&s, weft_request_wait_all(req, 4, NULL), "wait");
	ok(&s, weft_request_status(req[0], &got), "status");
	if (got.kind != WEFT_MESSAGE_RECEIVED || got.source || got.tag != 7 ||
	    got.bytes != 3 || got.error || got.cancelled)
		wf_sim_fail(rank, "a receive is another thing");
	expect_kind(&s, req[1], WEFT_MESSAGE_SENT);
	expect_kind(&s, req[2], WEFT_MESSAGE_SENT);
	expect_kind(&s, req[3], WEFT_MESSAGE_NONE);
	ok(&s, weft_request_free_all(req, 4), "free");
	expect_zeros(&s);
	stop(&s);
}

static void kinds(void)
{
	run(1, 1, tell_kinds);
}

/* ---- freeing ---- */

/*
 * Rank 0 is the root, and waits for a word: what the other has is active.  The
 * first one that stays is the one whose error is told.
 */
static void free_active(const struct scene *s)
{
	struct weft_request *req[5] = { NULL }, *coll[2];
	static char word;	/* the library's when this has returned */
	char at[2][4];

	for (int i = 0; i < 2; i++) {
		ok(s, weft_ibcast(s->world,
				  weft_part(at[i], 4, &weft_type_byte), 0,
				  &coll[i]), "ibcast");
		req[1 + 3 * i] = coll[i];
	}
	ok(s, weft_irecv(s->world, &word, 1, &weft_type_byte, weft_from(1, 0),
			 &req[2]), "irecv");
	req[3] = req[2];
	if (weft_request_free_all(req, 5) != WEFT_ERR_REQUEST ||
	    !strstr(weft_error_text(s->job), "request 1 is active"))
		wf_sim_fail(s->rank, "not refused: %s",
			    weft_error_text(s->job));
	if (req[1] != coll[0] || req[2] || req[3] || req[4] != coll[1])
		wf_sim_fail(s->rank, "another one stays");
	ask(s);
	ok(s, weft_request_wait_all(coll, 2, NULL), "wait");
	ok(s, weft_send(s->world, "1", 1, &weft_type_byte, weft_to(1, 0)),
	   "send");
	req[2] = coll[0];
	ok(s, weft_request_free_all(req, 5), "free all, one of them twice");
	if (req[1] || req[2] || req[4])
		wf_sim_fail(s->rank, "it stays");
}

static void be_root(const struct scene *s)
{
	struct weft_request *req[2] = { NULL };
	char text[] = "123";

	ok(s, weft_recv(s->world, NULL, 0, &weft_type_byte, weft_from(1, 99),
			NULL), "word");
	for (int i = 0; i < 2; i++)
		ok(s, weft_ibcast(s->world, weft_part(text, 4, &weft_type_byte),
				  0, &req[i]), "ibcast");
	ok(s, weft_request_wait_all(req, 2, NULL), "wait");
	ok(s, weft_request_free_all(req, 2), "free");
}

static void two_actives(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = NULL;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 1)
		free_active(&s);
	else
		be_root(&s);
	if (weft_request_free_all(NULL, 1) != WEFT_ERR_ARG ||
	    weft_request_free_all(&req, -1) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "a wrong argument is taken");
	stop(&s);
}

static void actives(void)
{
	run(2, 20, two_actives);
}

static void any_program(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		serve(&s, 3);
	} else {
		refuse(&s);
		want_all(&s);
		want_any(&s);
		want_some(&s);
	}
	stop(&s);
}

static void programs(void)
{
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct wf_sim_options options;

		wf_sim_options_init(&options, 2, seed);
		wf_sim_options_vary(&options);
		if (!sim_flow_run(&options, any_program, NULL))
			return;
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "all, any, some", programs },
		{ "the communicator of the one that failed", handlers },
		{ "a freed one", freed },
		{ "inactive ones are left out", inactive },
		{ "what each was for", kinds },
		{ "active ones freed", actives }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
