/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers of communicators, automatic ones, and flushes: whose buffer a message
 * takes, that memory of the library goes with its message, and that who waits
 * for a buffer waits for what was in it then, and for no more.
 */
#include <stdlib.h>
#include <weft/buffered.h>
#include "p2p/p2p_buffer.h"
#include "tests/fail_malloc.h"
#include "tests/sim/p2p_scene.h"

enum {
	LONG = 20000,			/* leaves when its receive is there */
	ROOM = LONG + WEFT_BSEND_OVERHEAD
};

static int bsend(struct weft_comm *comm, const void *data, size_t n, int tag)
{
	return weft_bsend(comm, data, n, &weft_type_byte, weft_to(1, tag));
}

static void receive(const struct scene *s, struct weft_comm *comm, int tag)
{
	char *at = malloc(LONG);

	ok(s, weft_recv(comm, at, LONG, &weft_type_byte, weft_from(0, tag),
			NULL), "recv");
	free(at);
}

static void word(const struct scene *s, int from, int to)
{
	if (wf_sim_rank(s->rank) == from)
		ok(s, bytes_to(s, NULL, 0, to, 99), "word");
	else
		ok(s, bytes_from(s, NULL, 0, from, 99, NULL), "word");
}

/* ---- whose ---- */

/* Room for one in each; the job's is left when the own one is there. */
static void send_from_both(const struct scene *s, struct weft_comm *comm)
{
	char *own = malloc(ROOM), *jobs = malloc(ROOM);
	char *data = calloc(1, LONG);
	size_t bytes;
	void *at;

	ok(s, weft_buffer_attach(s->job, jobs, ROOM), "attach");
	ok(s, weft_comm_buffer_attach(comm, own, ROOM), "attach");
	expect(s, weft_comm_buffer_attach(comm, own, 5), WEFT_ERR_ARG,
	       "weft_comm_buffer_attach: one of ");
	ok(s, bsend(comm, data, LONG, 1), "bsend");
	expect(s, bsend(comm, data, LONG, 2), WEFT_ERR_BUFFER, "no room");
	ok(s, bsend(s->world, data, LONG, 1), "bsend");
	expect(s, bsend(s->world, data, LONG, 2), WEFT_ERR_BUFFER, "no room");
	word(s, 0, 1);
	ok(s, weft_comm_buffer_detach(comm, &at, &bytes), "detach");
	if (at != own || bytes != ROOM)
		wf_sim_fail(s->rank, "another buffer");
	word(s, 0, 1);
	ok(s, weft_buffer_flush(s->job), "flush");
	/* the job's, as there is none of its own */
	ok(s, bsend(comm, data, LONG, 2), "bsend");
	expect(s, bsend(s->world, data, LONG, 2), WEFT_ERR_BUFFER, "no room");
	word(s, 0, 1);
	ok(s, weft_buffer_detach(s->job, &at, &bytes), "detach");
	expect(s, weft_comm_buffer_detach(comm, &at, &bytes), WEFT_ERR_ARG,
	       "weft_comm_buffer_detach: no buffer is attached");
	/* it goes with the communicator, when all has left */
	ok(s, weft_comm_buffer_attach(comm, own, ROOM), "attach");
	ok(s, bsend(comm, data, LONG, 3), "bsend");
	word(s, 0, 1);
	ok(s, weft_comm_disconnect(&comm), "disconnect");
	free(own);
	free(jobs);
	free(data);
}

static void own_first(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &comm), "dup");
	if (wf_sim_rank(rank) == 0) {
		send_from_both(&s, comm);
	} else {
		word(&s, 0, 1);
		receive(&s, comm, 1);
		word(&s, 0, 1);
		receive(&s, s.world, 1);
		word(&s, 0, 1);
		receive(&s, comm, 2);
		word(&s, 0, 1);
		receive(&s, comm, 3);
		ok(&s, weft_comm_disconnect(&comm), "disconnect");
	}
	stop(&s);
}

static void whose(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, own_first))
			return;
}

/* ---- automatic ---- */

/* However much; and none of it stays. */
static void take_as_needed(const struct scene *s)
{
	char *data = calloc(1, LONG);
	void *at = NULL;
	size_t bytes = 7;

	ok(s, weft_buffer_attach(s->job, WEFT_BUFFER_AUTOMATIC, 7), "attach");
	for (int i = 0; i < 20; i++)
		ok(s, bsend(s->world, data, i % 2 ? LONG : 10, i), "bsend");
	/* behind its request */
	fail_malloc_at(2);
	expect(s, bsend(s->world, data, 10, 50), WEFT_ERR_NOMEM,
	       "weft_bsend: no memory for 10 bytes");
	fail_malloc_at(0);
	word(s, 0, 1);
	ok(s, weft_buffer_detach(s->job, &at, &bytes), "detach");
	if (at != WEFT_BUFFER_AUTOMATIC || bytes)
		wf_sim_fail(s->rank, "another buffer");
	free(data);
}

static void automatic(struct wf_sim_rank *rank, void *arg)
{
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	if (wf_sim_rank(rank) == 0) {
		take_as_needed(&s);
	} else {
		word(&s, 0, 1);
		for (int i = 0; i < 20; i++)
			receive(&s, s.world, i);
	}
	stop(&s);
}

static void as_needed(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, automatic))
			return;
}

/* ---- flushes ---- */

static void expect_active(const struct scene *s, struct weft_request *req,
			  bool active)
{
	if (weft_request_is_active(req) != active)
		wf_sim_fail(s->rank, "it is %sover", active ? "" : "not ");
}

/* Of two in the buffer the second one leaves first; a third comes later. */
static void flush(const struct scene *s, struct weft_comm *comm)
{
	struct weft_request *req[3] = { NULL };
	struct weft_message_status got;
	char *data = calloc(1, LONG);

	ok(s, weft_comm_buffer_iflush(comm, &req[0]), "iflush");
	expect_active(s, req[0], false);
	ok(s, weft_request_free(&req[0]), "free");
	ok(s, bsend(comm, data, LONG, 1), "bsend");
	ok(s, bsend(comm, data, LONG, 2), "bsend");
	ok(s, weft_comm_buffer_iflush(comm, &req[0]), "iflush");
	ok(s, weft_comm_buffer_iflush(comm, &req[1]), "iflush");
	ok(s, bsend(comm, data, LONG, 3), "bsend");
	ok(s, weft_comm_buffer_iflush(comm, &req[2]), "iflush");
	ok(s, weft_request_free(&req[1]), "give up");
	word(s, 0, 1);
	word(s, 1, 0);
	linger(s);
	expect_active(s, req[0], true);
	word(s, 0, 1);
	ok(s, weft_request_wait(req[0]), "wait");
	ok(s, weft_request_status(req[0], &got), "status");
	if (got.kind != WEFT_MESSAGE_NONE || *weft_request_error(req[0]))
		wf_sim_fail(s->rank, "it is a message");
	expect_active(s, req[2], true);
	word(s, 0, 1);
	ok(s, weft_comm_buffer_flush(comm), "flush");
	expect_active(s, req[2], false);
	ok(s, weft_request_free(&req[0]), "free");
	/* the last one is left, and goes with the job */
	free(data);
}

static void be_flushed(struct wf_sim_rank *rank, void *arg)
{
	struct weft_comm *comm;
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_comm_dup(s.world, &comm), "dup");
	if (wf_sim_rank(rank) == 0) {
		ok(&s, weft_comm_buffer_attach(comm, WEFT_BUFFER_AUTOMATIC, 0),
		   "attach");
		flush(&s, comm);
	} else {
		word(&s, 0, 1);
		receive(&s, comm, 2);
		word(&s, 1, 0);
		word(&s, 0, 1);
		receive(&s, comm, 1);
		word(&s, 0, 1);
		receive(&s, comm, 3);
	}
	ok(&s, weft_comm_free(&comm), "free");
	stop(&s);
}

static void refuse(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req = (struct weft_request *)rank;
	struct scene s;
	char buffer[100];

	(void)arg;
	if (!start(&s, rank))
		return;
	expect(&s, weft_buffer_flush(s.job), WEFT_ERR_ARG,
	       "weft_buffer_flush: no buffer is attached");
	expect(&s, weft_comm_buffer_flush(s.world), WEFT_ERR_ARG,
	       "weft_comm_buffer_flush: no buffer is attached");
	expect(&s, weft_comm_buffer_iflush(s.world, &req), WEFT_ERR_ARG,
	       "no buffer is attached");
	if (req)
		wf_sim_fail(rank, "a request of an error");
	ok(&s, weft_buffer_attach(s.job, buffer, 100), "attach");
	expect(&s, weft_buffer_iflush(s.job, NULL), WEFT_ERR_ARG,
	       "weft_buffer_iflush: req_p is NULL");
	expect(&s, weft_comm_buffer_flush(s.world), WEFT_ERR_ARG, NULL);
	ok(&s, weft_buffer_iflush(s.job, &req), "iflush");
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free");
	if (weft_buffer_flush(NULL) != WEFT_ERR_ARG ||
	    weft_comm_buffer_flush(NULL) != WEFT_ERR_ARG ||
	    weft_comm_buffer_attach(NULL, buffer, 1) != WEFT_ERR_ARG ||
	    weft_comm_buffer_detach(s.world, NULL, NULL) != WEFT_ERR_ARG)
		wf_sim_fail(rank, "NULL is taken");
	stop(&s);
}

static void flushes(void)
{
	run(1, 1, refuse);
	for (uint64_t seed = 1; seed <= 10; seed++)
		if (!run(2, seed, be_flushed))
			return;
}

/* ---- deaths ---- */

static void lose_one(struct wf_sim_rank *rank, void *arg)
{
	struct weft_request *req;
	char *data = calloc(1, LONG);
	struct scene s;

	(void)arg;
	if (!start(&s, rank))
		return;
	ok(&s, weft_barrier(s.world), "barrier");
	if (wf_sim_rank(rank) == 0) {
		linger(&s);
		wf_sim_die(rank);
	}
	ok(&s, weft_comm_buffer_attach(s.world, WEFT_BUFFER_AUTOMATIC, 0),
	   "attach");
	ok(&s, weft_bsend(s.world, data, LONG, &weft_type_byte,
			  weft_to(0, 1)), "bsend");
	ok(&s, weft_comm_buffer_iflush(s.world, &req), "iflush");
	ok(&s, weft_request_wait(req), "wait");
	ok(&s, weft_request_free(&req), "free");
	(void)!weft_job_close(s.job);
	free(data);
}

static void deaths(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		run_death(seed, lose_one);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "whose buffer", whose },
		{ "memory as it is needed", as_needed },
		{ "flushes", flushes },
		{ "a peer dies", deaths }
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
