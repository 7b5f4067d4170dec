/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of a job in which one after another is killed while the first two
 * wait for it, each time in another call of matched messages; p2p.t starts it
 * with as many ranks as are to die, and two.
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft.h>

enum {
	LIVING = 2,
	ROUNDS = 10,
	MOST = 300000,			/* bytes */
	MANY = 4			/* requests */
};

static struct weft_job *job;
static struct weft_comm *world;
static int me, n, failures;

static void check(bool good, const char *call, const char *what)
{
	if (good)
		return;
	printf("# rank %d: %s: %s: %s\n", me, call, what,
	       weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void ok(int status, const char *what)
{
	check(status == WEFT_OK, weft_status_name(status), what);
}

/* ---- one that will die ---- */

static size_t bytes_of(int round)
{
	static const size_t lengths[] = { 8, 5000, MOST };

	return lengths[round % 3];
}

/* A message from each of the living, and one to each, until it is enough. */
static void live_and_die(char *out, char *in)
{
	struct weft_request *req[MANY];
	int rounds = ROUNDS + me % 3;

	ok(weft_recv(world, NULL, 0, &weft_type_byte, weft_from(0, 1), NULL),
	   "its turn");
	for (int i = 0;; i++) {
		size_t bytes = bytes_of(i);

		for (int r = 0; r < LIVING; r++) {
			ok(weft_irecv(world, in + (size_t)r * MOST, bytes,
				      &weft_type_byte, weft_from(r, 2),
				      &req[r]), "irecv");
			/* whoever is second gets nothing in the last round */
			if (i == rounds && r != me % 2)
				continue;
			ok(weft_isend(world, out, bytes, &weft_type_byte,
				      weft_to(r, 2), &req[LIVING + r]),
			   "isend");
		}
		if (i == rounds)
			kill(getpid(), SIGKILL);
		ok(weft_request_wait_all(req, MANY, NULL), "wait_all");
		for (int k = 0; k < MANY; k++)
			ok(weft_request_free(&req[k]), "free");
	}
}

/* ---- those that wait for it ---- */

/* A round: a message to the victim, one from it, or the error of either. */
struct round {
	int victim;
	size_t bytes;
	char *out, *in, *own;
	struct weft_request *req[MANY];
};

/* With it, and one with itself, which arrives. */
static void begin_many(struct round *r)
{
	for (int k = 0; k < MANY; k += 2) {
		int other = k ? me : r->victim;

		ok(weft_irecv(world, k ? r->own : r->in, r->bytes,
			      &weft_type_byte, weft_from(other, 2),
			      &r->req[k]), "irecv");
		ok(weft_isend(world, r->out, r->bytes, &weft_type_byte,
			      weft_to(other, 2), &r->req[k + 1]), "isend");
	}
}

/* The first error of those that are left. */
static int end_many(struct round *r)
{
	int first = WEFT_OK;

	for (int k = 0; k < MANY; k++) {
		int status = r->req[k] ? weft_request_wait(r->req[k]) : WEFT_OK;

		if (k >= 2)
			ok(status, "with itself");
		first = first ? first : status;
		ok(weft_request_free(&r->req[k]), "free");
	}
	return first;
}

static int do_wait_all(struct round *r)
{
	int status;

	begin_many(r);
	status = weft_request_wait_all(r->req, MANY, NULL);
	return status == end_many(r) ? status : WEFT_ERR_ARG;
}

static int do_test_all(struct round *r)
{
	int status = WEFT_OK;
	bool done = false;

	begin_many(r);
	while (!done)
		status = weft_request_test_all(r->req, MANY, &done, NULL);
	return status == end_many(r) ? status : WEFT_ERR_ARG;
}

static int by_any(struct round *r, bool wait)
{
	int first = WEFT_OK;

	begin_many(r);
	for (int left = MANY, k; left;) {
		int status = (wait ? weft_request_wait_any :
				     weft_request_test_any)(r->req, MANY, &k);

		if (k < 0)
			continue;
		if (k >= 2)
			ok(status, "with itself");
		first = first ? first : status;
		ok(weft_request_free(&r->req[k]), "free");
		left--;
	}
	return first;
}

static int do_wait_any(struct round *r)
{
	return by_any(r, true);
}

static int do_test_any(struct round *r)
{
	return by_any(r, false);
}

static int by_some(struct round *r, bool wait)
{
	int first = WEFT_OK, at[MANY], count;

	begin_many(r);
	for (int left = MANY; left; left -= count) {
		int status = (wait ? weft_request_wait_some :
				     weft_request_test_some)(r->req, MANY, at,
							     &count);

		first = first ? first : status;
		for (int i = 0; i < count; i++)
			ok(weft_request_free(&r->req[at[i]]), "free");
	}
	return first;
}

static int do_wait_some(struct round *r)
{
	return by_some(r, true);
}

static int do_test_some(struct round *r)
{
	return by_some(r, false);
}

static int do_sendrecv(struct round *r)
{
	struct weft_outgoing out = {
		r->out, r->bytes, &weft_type_byte, weft_to(r->victim, 2)
	};
	struct weft_incoming in = {
		r->in, r->bytes, &weft_type_byte, weft_from(r->victim, 2)
	};

	return weft_sendrecv(world, &out, &in, NULL);
}

static int do_replace(struct round *r)
{
	struct weft_incoming data = {
		r->in, r->bytes, &weft_type_byte, weft_from(r->victim, 2)
	};

	return weft_sendrecv_replace(world, &data, weft_to(r->victim, 2),
				     NULL);
}

/* The send is given up: the close of the job ends it. */
static int do_mprobe(struct round *r)
{
	struct weft_message *msg = NULL;
	int status;

	ok(weft_isend(world, r->out, r->bytes, &weft_type_byte,
		      weft_to(r->victim, 2), &r->req[0]), "isend");
	ok(weft_request_free(&r->req[0]), "free");
	status = weft_mprobe(world, weft_from(r->victim, 2), &msg, NULL);
	if (status)
		return status;
	return weft_mrecv(&msg, r->in, r->bytes, &weft_type_byte, NULL);
}

static int do_start(struct round *r)
{
	int status;

	ok(weft_recv_init(world, r->in, r->bytes, &weft_type_byte,
			  weft_from(r->victim, 2), &r->req[0]), "recv_init");
	ok(weft_send_init(world, r->out, r->bytes, &weft_type_byte,
			  weft_to(r->victim, 2), &r->req[1]), "send_init");
	ok(weft_request_start_all(r->req, 2), "start_all");
	status = weft_request_wait_all(r->req, 2, NULL);
	return status == end_many(r) ? status : WEFT_ERR_ARG;
}

static int do_bsend(struct round *r)
{
	size_t bytes = r->bytes + 2 * WEFT_BSEND_OVERHEAD;
	void *buffer = malloc(bytes), *got = NULL;
	int status;

	ok(weft_irecv(world, r->in, r->bytes, &weft_type_byte,
		      weft_from(r->victim, 2), &r->req[0]), "irecv");
	ok(weft_buffer_attach(job, buffer, bytes), "attach");
	status = weft_bsend(world, r->out, r->bytes, &weft_type_byte,
			    weft_to(r->victim, 2));
	check(!status || status == WEFT_ERR_PEER, "bsend", "another status");
	ok(weft_buffer_detach(job, &got, &bytes), "detach");
	check(got == buffer, "detach", "another buffer");
	free(buffer);
	return end_many(r);
}

static const struct {
	const char *name;
	int (*run)(struct round *r);
} calls[] = {
	{ "wait_all", do_wait_all }, { "test_all", do_test_all },
	{ "wait_any", do_wait_any }, { "test_any", do_test_any },
	{ "wait_some", do_wait_some }, { "test_some", do_test_some },
	{ "sendrecv", do_sendrecv }, { "sendrecv_replace", do_replace },
	{ "mprobe", do_mprobe }, { "start_all", do_start },
	{ "bsend, detach", do_bsend }
};

enum {
	CALLS = sizeof(calls) / sizeof(*calls)
};

/* The whole message, and that of the right round. */
static bool has_come(const struct round *r)
{
	char word = (char)('a' + r->victim);

	return r->in[0] == word && r->in[r->bytes - 1] == word;
}

static void outlive(struct round *r, int k)
{
	int status = WEFT_OK;
	char name[24];

	r->victim = LIVING + k;
	snprintf(name, sizeof(name), "rank %d on", r->victim);
	if (me == 0)
		ok(weft_send(world, NULL, 0, &weft_type_byte,
			     weft_to(r->victim, 1)), "turn");
	for (int i = 0; !status; i++) {
		r->bytes = bytes_of(i);
		memset(r->in, 0, r->bytes);
		status = calls[k].run(r);
		check(status || has_come(r), calls[k].name, "content");
		check(status || i <= ROUNDS + 3, calls[k].name, "nobody died");
	}
	check(status == WEFT_ERR_PEER, calls[k].name,
	      weft_status_name(status));
	check(strstr(weft_error_text(job), name), calls[k].name, name);
}

static void outlive_all(char *out, char *in)
{
	struct round r = { .out = out, .in = in, .own = in + MOST };
	int other = !me;
	char at = 0;

	for (int k = 0; k < CALLS; k++)
		outlive(&r, k);
	/* and the others go on */
	ok(weft_send(world, out, 1, &weft_type_byte, weft_to(other, 3)),
	   "send");
	ok(weft_recv(world, &at, 1, &weft_type_byte, weft_from(other, 3),
		     NULL), "recv");
	check(at == 'a' + other, "recv", "content");
}

int main(void)
{
	char *memory = malloc(3 * MOST);
	int status = weft_job_open(NULL, &job);

	if (status || !memory) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	world = weft_job_world(job);
	me = weft_job_rank(job);
	n = weft_job_size(job);
	memset(memory, 'a' + me, MOST);
	if (n != LIVING + CALLS)
		printf("# expected %d ranks\n", LIVING + CALLS);
	else if (me >= LIVING)
		live_and_die(memory, memory + MOST);
	else
		outlive_all(memory, memory + MOST);
	status = weft_job_close(job);
	check(status == WEFT_ERR_PEER, "close", weft_status_name(status));
	free(memory);
	return failures != 0;
}
