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
		ok(s, weft_request_wait_some(req, MANY, index, &count),
		   "some");
		if (!count)
			wf_sim_fail(s->rank, "none");
		for (int i = 0; i < count; i++)
			ok(s, weft_request_free(&req[index[i]]), "free");
		left = count ? left - count : 0;
	}
	count = 7;
	ok(s, weft_request_test_some(req, MANY, index, &count), "none left");
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
	    weft_request_wait_some(req, 1, NULL, &i) != WEFT_ERR_ARG ||
	    weft_request_test_some(req, 1, &i, NULL) != WEFT_ERR_ARG)
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
	    weft_request_test_some(req, 2, found, &count) !=
	    WEFT_ERR_TRUNCATE)
		wf_sim_fail(s->rank, "no error");
	if (calls != 4 || called != comm[1] || count != 2)
		wf_sim_fail(s->rank, "%d calls, of another one", calls);
	for (int i = 0; i < 2; i++)
		ok(s, weft_request_free(&req[i]), "free");
}

static void of_two(struct wf_sim_rank *rank, void *arg)
{
	const struct weft_errors errors = { WEFT_ON_ERROR_CALL, see, NULL };
	struct weft_comm *comm[2] = { NULL };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	for (int i = 0; i < 2; i++) {
		ok(&s, weft_comm_dup(s.world, &comm[i]), "dup");
		ok(&s, weft_comm_set_errors(comm[i], &errors), "set");
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
		ok(s, weft_ibcast(s->world, at[i], 4, &weft_type_byte, 0,
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
		ok(s, weft_ibcast(s->world, text, 4, &weft_type_byte, 0,
				  &req[i]), "ibcast");
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
		{ "active ones freed", actives }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
