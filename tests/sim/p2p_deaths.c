/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank is killed at each of its events, in each call of matched messages that
 * waits: those with it end, those of the living arrive, and what was asked for
 * is given back.
 */
#include <stdlib.h>
#include <weft/buffered.h>
#include <weft/mprobe.h>
#include <weft/persistent.h>
#include "tests/sim/death_scene.h"

enum {
	MOST = 70000,			/* bytes of a message */
	NEVER = 100			/* a tag that nobody sends */
};

/* ---- one message each, to the right ---- */

static struct weft_request *send_right(const struct mourner *m)
{
	struct weft_request *req = NULL;

	ok(&m->s, weft_isend(m->s.world, m->out, m->n, &weft_type_byte,
			     weft_to(m->right, m->tag), &req), "isend");
	return req;
}

static struct weft_request *receive(const struct mourner *m, int k, int from)
{
	struct weft_request *req = NULL;

	ok(&m->s, weft_irecv(m->s.world, m->in[k], m->n, &weft_type_byte,
			     weft_from(from, m->tag), &req), "irecv");
	return req;
}

/* What came, and nothing else. */
static void check(const struct mourner *m, int k, int from)
{
	if (m->in[k][0] != from + 1 || m->in[k][m->n - 1] != from + 1)
		wf_sim_fail(m->s.rank, "%s: other content from rank %d",
			    m->death->call->name, from);
}

/* It is complete: how, and that is all. */
static bool give_back(const struct mourner *m, int other,
		      struct weft_request **req_p)
{
	bool good = judge(m, other, weft_request_wait(*req_p), *req_p);

	ok(&m->s, weft_request_free(req_p), "free");
	return good;
}

static void finish_left(const struct mourner *m, struct weft_request *req)
{
	if (give_back(m, m->left, &req))
		check(m, 0, m->left);
}

static void finish_right(const struct mourner *m, struct weft_request *req)
{
	give_back(m, m->right, &req);
}

static void receive_left(const struct mourner *m)
{
	if (judged(m, m->left, bytes_from(&m->s, m->in[0], m->n, m->left,
					  m->tag, NULL)))
		check(m, 0, m->left);
}

static void do_recv(struct mourner *m)
{
	struct weft_request *out = send_right(m);

	receive_left(m);
	finish_right(m, out);
}

/* A death fails it, whoever sends: and then the message is still there. */
static void do_recv_any(struct mourner *m)
{
	struct weft_request *out = send_right(m);

	if (judged(m, WEFT_ANY_SOURCE,
		   bytes_from(&m->s, m->in[0], m->n, WEFT_ANY_SOURCE, m->tag,
			      NULL)))
		check(m, 0, m->left);
	else
		receive_left(m);
	finish_right(m, out);
}

static void do_irecv_any(struct mourner *m)
{
	struct weft_request *out = send_right(m);
	struct weft_request *in = receive(m, 0, WEFT_ANY_SOURCE);

	if (give_back(m, WEFT_ANY_SOURCE, &in))
		check(m, 0, m->left);
	else
		receive_left(m);
	finish_right(m, out);
}

static void do_send(struct mourner *m)
{
	struct weft_request *in = receive(m, 0, m->left);

	judged(m, m->right, bytes_to(&m->s, m->out, m->n, m->right, m->tag));
	finish_left(m, in);
}

static void do_ssend(struct mourner *m)
{
	struct weft_request *in = receive(m, 0, m->left);

	judged(m, m->right, weft_ssend(m->s.world, m->out, m->n,
				       &weft_type_byte,
				       weft_to(m->right, m->tag)));
	finish_left(m, in);
}

static void do_probe(struct mourner *m)
{
	struct weft_request *out = send_right(m);

	judged(m, m->left, weft_probe(m->s.world, weft_from(m->left, m->tag),
				      NULL));
	receive_left(m);
	finish_right(m, out);
}

/* Either the message or the cancel is first, and it is complete. */
static void do_cancel(struct mourner *m)
{
	struct weft_request *out = send_right(m), *in = receive(m, 0, m->left);
	struct weft_message_status got = { .cancelled = false };

	judged(m, WEFT_ANY_SOURCE, weft_job_progress(m->s.job));
	ok(&m->s, weft_request_cancel(in), "cancel");
	if (judge(m, m->left, weft_request_wait(in), in))
		ok(&m->s, weft_request_status(in, &got), "received");
	ok(&m->s, weft_request_free(&in), "free");
	if (got.cancelled)
		receive_left(m);
	finish_right(m, out);
}

/* ---- both at once ---- */

static void do_sendrecv(struct mourner *m)
{
	struct weft_outgoing out = {
		m->out, m->n, &weft_type_byte, weft_to(m->right, m->tag)
	};
	struct weft_incoming in = {
		m->in[0], m->n, &weft_type_byte, weft_from(m->left, m->tag)
	};
	int victim = m->death->victim;
	bool both = m->left != victim && m->right != victim;

	/* one status for both halves */
	judged(m, both ? m->left : WEFT_ANY_SOURCE,
	       weft_sendrecv(m->s.world, &out, &in, NULL));
	if (m->left != victim)
		check(m, 0, m->left);
}

static void do_replace(struct mourner *m)
{
	struct weft_incoming data = {
		m->in[0], m->n, &weft_type_byte, weft_from(m->left, m->tag)
	};

	memset(m->in[0], m->me + 1, m->n);
	judged(m, WEFT_ANY_SOURCE,
	       weft_sendrecv_replace(m->s.world, &data,
				     weft_to(m->right, m->tag), NULL));
	if (m->left != m->death->victim)
		check(m, 0, m->left);
}

/* ---- matched probes ---- */

static void do_mprobe(struct mourner *m)
{
	struct weft_request *out = send_right(m);
	struct weft_message *msg = NULL;

	if (judged(m, m->left,
		   weft_mprobe(m->s.world, weft_from(m->left, m->tag), &msg,
			       NULL)) &&
	    judged(m, m->left, weft_mrecv(&msg, m->in[0], m->n,
					  &weft_type_byte, NULL)))
		check(m, 0, m->left);
	finish_right(m, out);
}

/* Of anybody: a message that it has taken is that of the left one. */
static void do_mprobe_any(struct mourner *m)
{
	struct weft_request *out = send_right(m), *in = NULL;
	struct weft_message *msg = NULL;

	if (judged(m, WEFT_ANY_SOURCE,
		   weft_mprobe(m->s.world, weft_from(WEFT_ANY_SOURCE, m->tag),
			       &msg, NULL))) {
		ok(&m->s, weft_imrecv(&msg, m->in[0], m->n, &weft_type_byte,
				      &in), "imrecv");
		finish_left(m, in);
	} else {
		receive_left(m);
	}
	finish_right(m, out);
}

/* Which tells of no death: a receive beside it does, also of one that left. */
static struct weft_message *improbe_until(const struct mourner *m,
					  struct weft_request *watch)
{
	struct weft_message *msg = NULL;
	bool over = false;

	for (;;) {
		ok(&m->s, weft_improbe(m->s.world, weft_from(m->left, m->tag),
				       &msg, NULL), "improbe");
		if (msg || over)
			return msg;
		(void)!weft_request_test(watch, &over);
	}
}

static void do_improbe(struct mourner *m)
{
	struct weft_request *out = send_right(m), *watch = NULL, *in = NULL;
	struct weft_message *msg;
	char at;

	ok(&m->s, weft_irecv(m->s.world, &at, 1, &weft_type_byte,
			     weft_from(m->left, NEVER), &watch), "irecv");
	msg = improbe_until(m, watch);
	if (msg) {
		ok(&m->s, weft_imrecv(&msg, m->in[0], m->n, &weft_type_byte,
				      &in), "imrecv");
		finish_left(m, in);
	} else {
		judge(m, m->left, weft_request_wait(watch), watch);
	}
	ok(&m->s, weft_request_cancel(watch), "cancel");
	(void)!weft_request_wait(watch);
	ok(&m->s, weft_request_free(&watch), "free");
	finish_right(m, out);
}

/* ---- many requests: of both, to both ---- */

enum {
	MANY = 4
};

static int other_of(const struct mourner *m, int k)
{
	return k % 2 ? m->right : m->left;
}

static void begin_many(const struct mourner *m, struct weft_request **req)
{
	for (int k = 0; k < 2; k++)
		req[k] = receive(m, k, other_of(m, k));
	for (int k = 2; k < MANY; k++)
		ok(&m->s, weft_isend(m->s.world, m->out, m->n,
				     &weft_type_byte,
				     weft_to(other_of(m, k), m->tag), &req[k]),
		   "isend");
}

static void end_one(const struct mourner *m, int k, struct weft_request **req)
{
	if (give_back(m, other_of(m, k), &req[k]) && k < 2)
		check(m, k, other_of(m, k));
}

/* Each has the status that the call has told; the first error is its own. */
static void end_all(const struct mourner *m, struct weft_request **req,
		    const int *told, int first)
{
	for (int k = 0; k < MANY; k++) {
		if (told[k] != weft_request_wait(req[k]))
			wf_sim_fail(m->s.rank, "another status of %d", k);
		if (told[k] && first)
			judged(m, other_of(m, k), first);
		if (told[k])
			first = WEFT_OK;
		end_one(m, k, req);
	}
	if (first)
		wf_sim_fail(m->s.rank, "an error of none");
}

static void do_wait_all(struct mourner *m)
{
	struct weft_request *req[MANY];
	int told[MANY], first;

	begin_many(m, req);
	first = weft_request_wait_all(req, MANY, told);
	end_all(m, req, told, first);
}

static void do_test_all(struct mourner *m)
{
	struct weft_request *req[MANY];
	int told[MANY], first = 0;
	bool done = false;

	begin_many(m, req);
	while (!done)
		first = weft_request_test_all(req, MANY, &done, told);
	end_all(m, req, told, first);
}

static void by_any(struct mourner *m, bool wait)
{
	struct weft_request *req[MANY];

	begin_many(m, req);
	for (int left = MANY, k; left;) {
		int status = (wait ? weft_request_wait_any :
				     weft_request_test_any)(req, MANY, &k);

		if (k < 0)
			continue;
		judged(m, other_of(m, k), status);
		end_one(m, k, req);
		left--;
	}
}

static void do_wait_any(struct mourner *m)
{
	by_any(m, true);
}

static void do_test_any(struct mourner *m)
{
	by_any(m, false);
}

static void by_some(struct mourner *m, bool wait)
{
	struct weft_request *req[MANY];
	int at[MANY], count;

	begin_many(m, req);
	for (int left = MANY; left; left -= count) {
		int status = (wait ? weft_request_wait_some :
				     weft_request_test_some)(req, MANY, at,
							     &count, NULL);

		judged(m, WEFT_ANY_SOURCE, status);
		for (int i = 0; i < count; i++)
			end_one(m, at[i], req);
	}
}

static void do_wait_some(struct mourner *m)
{
	by_some(m, true);
}

static void do_test_some(struct mourner *m)
{
	by_some(m, false);
}

/* ---- started again and again ---- */

static void prepare(const struct mourner *m, struct weft_request **req)
{
	for (int k = 0; k < 2; k++)
		ok(&m->s, weft_recv_init(m->s.world, m->in[k], m->n,
					 &weft_type_byte,
					 weft_from(other_of(m, k), m->tag),
					 &req[k]), "recv_init");
	for (int k = 2; k < MANY; k++)
		ok(&m->s, (k % 2 ? weft_ssend_init : weft_send_init)
			  (m->s.world, m->out, m->n, &weft_type_byte,
			   weft_to(other_of(m, k), m->tag), &req[k]), "init");
}

/* An error of a start is what the wait for it tells. */
static void do_start_all(struct mourner *m)
{
	struct weft_request *req[MANY];
	int told[MANY];

	prepare(m, req);
	for (int i = 0; i < 2; i++) {
		ok(&m->s, weft_request_start_all(req, MANY), "start_all");
		judged(m, WEFT_ANY_SOURCE,
		       weft_request_wait_all(req, MANY, told));
		for (int k = 0; k < MANY; k++)
			if (judge(m, other_of(m, k), told[k], req[k]) && k < 2)
				check(m, k, other_of(m, k));
	}
	for (int k = 0; k < MANY; k++)
		end_one(m, k, req);
}

static void do_start(struct mourner *m)
{
	struct weft_request *req[MANY];

	prepare(m, req);
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < MANY; k++)
			ok(&m->s, weft_request_start(req[k]), "start");
		for (int k = MANY - 1; k >= 0; k--)
			judge(m, other_of(m, k), weft_request_wait(req[k]),
			      req[k]);
	}
	for (int k = 0; k < MANY; k++)
		end_one(m, k, req);
}

/* ---- what leaves later ---- */

static void do_bsend(struct mourner *m)
{
	size_t bytes = m->n + 2 * WEFT_BSEND_OVERHEAD, got_bytes = 0;
	char *buffer = malloc(bytes);
	struct weft_request *in = receive(m, 0, m->left);
	void *got = NULL;

	ok(&m->s, weft_buffer_attach(m->s.job, buffer, bytes), "attach");
	judged(m, m->right, weft_bsend(m->s.world, m->out, m->n,
				       &weft_type_byte,
				       weft_to(m->right, m->tag)));
	ok(&m->s, weft_buffer_detach(m->s.job, &got, &got_bytes), "detach");
	if (got != buffer || got_bytes != bytes)
		wf_sim_fail(m->s.rank, "another buffer");
	free(buffer);
	finish_left(m, in);
}

/* Given up while they are active: the close of the job waits for them. */
static void do_give_up(struct mourner *m)
{
	static char content[MOST], place[3][MOST];
	struct weft_request *req = NULL;

	ok(&m->s, weft_irecv(m->s.world, place[m->me], m->n, &weft_type_byte,
			     weft_from(m->left, m->tag), &req), "irecv");
	ok(&m->s, weft_request_free(&req), "free");
	ok(&m->s, weft_issend(m->s.world, content, m->n, &weft_type_byte,
			      weft_to(m->right, m->tag), &req), "issend");
	ok(&m->s, weft_request_free(&req), "free");
}

/* ---- all of them ---- */

static const struct death_call calls[] = {
	{ "recv", do_recv }, { "recv of anybody", do_recv_any },
	{ "irecv of anybody", do_irecv_any }, { "send", do_send },
	{ "ssend", do_ssend }, { "probe", do_probe }, { "cancel", do_cancel },
	{ "sendrecv", do_sendrecv }, { "sendrecv_replace", do_replace },
	{ "mprobe, mrecv", do_mprobe },
	{ "mprobe of anybody, imrecv", do_mprobe_any },
	{ "improbe, imrecv", do_improbe }, { "wait_all", do_wait_all },
	{ "test_all", do_test_all }, { "wait_any", do_wait_any },
	{ "test_any", do_test_any }, { "wait_some", do_wait_some },
	{ "test_some", do_test_some }, { "start_all", do_start_all },
	{ "start", do_start }, { "bsend, detach", do_bsend },
	{ "given up, close", do_give_up }
};

static void play(struct mourner *m, size_t n)
{
	static char memory[3][3 * MOST];	/* of one run after another */
	char *at = memory[m->me];

	m->n = n;
	m->out = at;
	m->in[0] = at + n;
	m->in[1] = at + 2 * n;
	m->tag++;
	memset(at, m->me + 1, n);
	memset(at + n, 0, 2 * n);
	m->death->call->run(m);
}

static bool has_requests(const struct wf_office *office)
{
	struct wf_list *at = office->requests.next;

	/* spare ones have no communicator */
	while (at != &office->requests &&
	       !wf_container(at, struct wf_p2p_request, link)->base.comm)
		at = at->next;
	return at != &office->requests;
}

/* The living have nothing left to wait for. */
static void look_around(const struct mourner *m)
{
	const struct wf_office *office = wf_office_of(m->s.job);

	if (office->active || has_requests(office) ||
	    !wf_list_empty(&office->begin) || office->waited)
		wf_sim_fail(m->s.rank, "%s: something is kept",
			    m->death->call->name);
}

static void mourn(struct wf_sim_rank *rank, void *arg)
{
	static const size_t lengths[] = { 8, MOST, 3000 };
	struct mourner m;

	if (!mourner_open(&m, rank, arg))
		return;
	for (int i = 0; i < 3; i++)
		play(&m, lengths[i]);
	if (m.death->call->run != do_give_up)
		look_around(&m);
	mourner_close(&m);
}

static void every_call(void)
{
	run_every_death(calls, TAP_COUNT(calls), mourn);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a death at every event of every call", every_call }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
