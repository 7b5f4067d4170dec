/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A send and a receive with one request: refused without having sent anything,
 * complete when both are, with the status of the receive, and waited for among
 * others.
 */
#include <stdlib.h>
#include "tests/fail_malloc.h"
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 100000,
	ALLOCATIONS = 10
};

static struct weft_outgoing out_of(const void *data, size_t n, int to)
{
	return (struct weft_outgoing){
		data, n, &weft_type_byte, weft_to(to, 1)
	};
}

static struct weft_incoming into(void *data, size_t n, int from)
{
	return (struct weft_incoming){
		data, n, &weft_type_byte, weft_from(from, 1)
	};
}

static bool has_come(const struct scene *s)
{
	bool found = true;

	ok(s, weft_iprobe(s->world, weft_from(WEFT_ANY_SOURCE, WEFT_ANY_TAG),
			  &found, NULL), "iprobe");
	return found;
}

/* ---- what is refused ---- */

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	char a[4] = "abc", b[4] = "xyz";
	struct weft_outgoing out = out_of(a, 4, 0), bad_out = out_of(a, 4, 3);
	struct weft_incoming in = into(b, 4, 0), bad_in = into(b, 4, -7);
	struct weft_request *req = (struct weft_request *)a;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	expect(&s, weft_isendrecv(s.world, NULL, &in, &req), WEFT_ERR_ARG,
	       "weft_isendrecv: send is NULL");
	if (req)
		wf_sim_fail(rank, "a request of an error");
	expect(&s, weft_isendrecv(s.world, &out, NULL, &req), WEFT_ERR_ARG,
	       "recv is NULL");
	expect(&s, weft_isendrecv(s.world, &out, &in, NULL), WEFT_ERR_ARG,
	       "req_p is NULL");
	expect(&s, weft_isendrecv(s.world, &bad_out, &in, &req),
	       WEFT_ERR_RANGE, "weft_isendrecv: send: the rank is 3");
	expect(&s, weft_isendrecv(s.world, &out, &bad_in, &req),
	       WEFT_ERR_RANGE, "weft_isendrecv: recv: the rank is -7");
	expect(&s, weft_isendrecv_replace(s.world, NULL, out.to, &req),
	       WEFT_ERR_ARG, "weft_isendrecv_replace: data is NULL");
	expect(&s, weft_isendrecv_replace(s.world, &in, bad_out.to, &req),
	       WEFT_ERR_RANGE, "the rank is 3");
	if (has_come(&s) || strcmp(b, "xyz"))
		wf_sim_fail(rank, "something was sent");
	stop(&s);
}

static void refused(void)
{
	run(1, 1, refuse);
}

static int failed;

static void starve(struct wf_sim_rank *rank, void *arg)
{
	uint64_t dice = *(uint64_t *)arg;
	char data[8] = "12345678";
	struct weft_incoming in = into(data, 8, 0);
	struct weft_request *req = NULL;
	struct scene s;
	int status;

	if (!start(&s, rank))
		return;
	fail_malloc_once(1 + (long)dice);
	status = weft_isendrecv_replace(s.world, &in, weft_to(0, 1), &req);
	fail_malloc_at(0);
	failed += status != WEFT_OK;
	if (status && (status != WEFT_ERR_NOMEM || has_come(&s) || req))
		wf_sim_fail(rank, "%s, and something was done",
			    weft_status_name(status));
	if (status)
		ok(&s, weft_isendrecv_replace(s.world, &in, weft_to(0, 1),
					      &req), "again");
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free");
	if (memcmp(data, "12345678", 8))
		wf_sim_fail(rank, "other content");
	stop(&s);
}

static void no_memory(void)
{
	failed = 0;
	for (uint64_t dice = 0; dice < ALLOCATIONS; dice++)
		if (!run(1, dice, starve))
			return;
	TAP_CHECK(failed >= 4);
}

/* ---- in a ring ---- */

/* Twice at a time: into other memory, and into that which is sent. */
static void turn(const struct scene *s, size_t n)
{
	int me = weft_comm_rank(s->world), size = weft_comm_size(s->world);
	int to = (me + 1) % size, from = (me + size - 1) % size;
	char *given = malloc(n), *got = calloc(1, n), *both = malloc(n);
	struct weft_outgoing out = out_of(given, n, to);
	struct weft_incoming in = into(got, n, from);
	struct weft_incoming data = into(both, n, from);
	struct weft_request *req[2];
	struct weft_message_status status;

	memset(given, 1 + me, n);
	memset(both, 101 + me, n);
	ok(s, weft_isendrecv(s->world, &out, &in, &req[0]), "isendrecv");
	data.from.tag = 2;
	ok(s, weft_isendrecv_replace(s->world, &data, weft_to(to, 2),
				     &req[1]), "isendrecv_replace");
	ok(s, weft_request_wait_all(req, 2, NULL), "wait");
	for (int i = 0; i < 2; i++) {
		ok(s, weft_request_status(req[i], &status), "status");
		if (status.source != from || status.tag != 1 + i ||
		    status.bytes != n || status.error || status.cancelled ||
		    status.kind != WEFT_MESSAGE_RECEIVED)
			wf_sim_fail(s->rank, "not the status of the receive");
	}
	if (got[0] != 1 + from || got[n - 1] != 1 + from ||
	    both[0] != 101 + from || both[n - 1] != 101 + from)
		wf_sim_fail(s->rank, "other content of %zu bytes", n);
	ok(s, weft_request_free_all(req, 2), "free");
	free(given);
	free(got);
	free(both);
}

static void with_nobody(const struct scene *s)
{
	char a = 1, b = 2;
	struct weft_outgoing to_none = out_of(&a, 1, WEFT_PROC_NULL);
	struct weft_incoming of_none = into(&b, 1, WEFT_PROC_NULL);
	struct weft_request *req = NULL;
	struct weft_message_status got;
	bool done = false;

	ok(s, weft_isendrecv(s->world, &to_none, &of_none, &req), "nobody");
	ok(s, weft_request_test(req, &done), "test");
	ok(s, weft_request_status(req, &got), "status");
	if (!done || got.source != WEFT_PROC_NULL || got.bytes || b != 2)
		wf_sim_fail(s->rank, "something of nobody");
	ok(s, weft_request_free(&req), "free");
}

static void ring(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 1, 900, 9000, LONG };
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	with_nobody(&s);
	for (int i = 0; i < 4; i++)
		turn(&s, lengths[i]);
	stop(&s);
}

static void rings(void)
{
	run_seeds(20, 5, ring);
}

/* ---- one half ---- */

/* Rank 1 gets more than it has room for, and frees what it never waits for. */
static void halves(struct wf_sim_rank *rank, void *arg)
{
	size_t n = *(uint64_t *)arg % 2 ? 900 : LONG;
	char *data = calloc(2, n);
	struct weft_outgoing out = out_of(data, n, !wf_sim_rank(rank));
	struct weft_incoming in = into(data + n, n, !wf_sim_rank(rank));
	struct weft_message_status got;
	struct weft_request *req;
	struct scene s;

	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank))
		in.n = n / 2;
	ok(&s, weft_isendrecv(s.world, &out, &in, &req), "isendrecv");
	if (wf_sim_rank(rank)) {
		expect(&s, weft_request_wait(req), WEFT_ERR_TRUNCATE,
		       "enlarge the buffer");
		ok(&s, weft_request_status(req, &got), "status");
		if (got.error != WEFT_ERR_TRUNCATE || got.bytes != n)
			wf_sim_fail(rank, "not the status of the receive");
	} else {
		ok(&s, weft_request_wait(req), "wait");
	}
	ok(&s, weft_request_free(&req), "free");
	ok(&s, weft_isendrecv(s.world, &out, &in, &req), "isendrecv");
	ok(&s, weft_request_free(&req), "free an active one");
	stop(&s);
	free(data);
}

static void one_half(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, halves))
			return;
}

/* ---- deaths ---- */

static int heard;

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 8, 3000, 20000, 90000 };
	int victim = *(int *)arg;
	struct scene s;

	if (!start(&s, rank))
		return;
	for (int i = 0; i < 4; i++) {
		int size = weft_comm_size(s.world);
		int me = weft_comm_rank(s.world), to = (me + 1) % size;
		int from = (me + size - 1) % size, status;
		char *data = malloc(lengths[i]);
		struct weft_incoming in = into(data, lengths[i], from);
		struct weft_request *req = NULL;

		memset(data, me + 1, lengths[i]);
		status = weft_isendrecv_replace(s.world, &in, weft_to(to, 1),
						&req);
		if (!status)
			status = weft_request_wait(req);
		if (status != WEFT_ERR_PEER || (to != victim && from != victim))
			ok(&s, status, "isendrecv_replace");
		if (from != victim && data[lengths[i] - 1] != from + 1)
			wf_sim_fail(rank, "other content");
		ok(&s, weft_request_free(&req), "free");
		free(data);
	}
	while (wf_sim_rank(rank) == victim)
		linger(&s);
	heard++;
	(void)!weft_job_close(s.job);
}

static void deaths(void)
{
	run_deaths(100, &heard, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "what is refused has sent nothing", refused },
		{ "no memory", no_memory },
		{ "in a ring", rings },
		{ "one half of it", one_half },
		{ "deaths at any event", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
