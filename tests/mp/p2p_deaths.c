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
	LONG_ROUND = 11,
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

static size_t bytes_of(int round)
{
	static const size_t lengths[] = { 8, 5000, MOST };

	return lengths[round % 3];
}

/* ---- those that wait for it ---- */

/* A round: a message to the victim, one from it, or the error of either. */
struct round {
	int victim, index;
	size_t bytes;
	char *out, *in, *own;
	struct weft_request *req[MANY];
};

/* To it or from it, by a tag of its own: others may have begun already. */
static struct weft_envelope with(const struct round *r)
{
	return weft_to(r->victim, r->victim);
}

/* With it, and one with itself, which arrives. */
static void begin_many(struct round *r)
{
	for (int k = 0; k < MANY; k += 2) {
		int other = k ? me : r->victim;

		ok(weft_irecv(world, k ? r->own : r->in, r->bytes,
			      &weft_type_byte, weft_from(other, r->victim),
			      &r->req[k]), "irecv");
		ok(weft_isend(world, r->out, r->bytes, &weft_type_byte,
			      weft_to(other, r->victim), &r->req[k + 1]),
		   "isend");
	}
}

/* With it alone. */
static void begin_recv(struct round *r)
{
	ok(weft_irecv(world, r->in, r->bytes, &weft_type_byte, with(r),
		      &r->req[0]), "irecv");
}

static void begin_send(struct round *r)
{
	ok(weft_isend(world, r->out, r->bytes, &weft_type_byte, with(r),
		      &r->req[1]), "isend");
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

static int do_wait(struct round *r)
{
	int first, second;

	begin_recv(r);
	begin_send(r);
	first = weft_request_wait(r->req[0]);
	second = weft_request_wait(r->req[1]);
	end_many(r);
	return first ? first : second;
}

static int do_test(struct round *r)
{
	int status[2] = { WEFT_OK, WEFT_OK };

	begin_recv(r);
	begin_send(r);
	for (int k = 0; k < 2; k++)
		for (bool done = false; !done;)
			status[k] = weft_request_test(r->req[k], &done);
	end_many(r);
	return status[0] ? status[0] : status[1];
}

/* The receive is made behind: the send has to be over by itself. */
static int send_by(struct round *r, int (*send)(struct weft_comm *comm,
						const void *data, size_t n,
						const struct weft_type *type,
						struct weft_envelope to))
{
	int status = send(world, r->out, r->bytes, &weft_type_byte, with(r));

	if (status)
		return status;
	check(r->bytes < MOST || r->index < LONG_ROUND, "send",
	      "complete, and nobody receives it");
	return weft_recv(world, r->in, r->bytes, &weft_type_byte, with(r),
			 NULL);
}

static int do_send(struct round *r)
{
	return send_by(r, weft_send);
}

static int do_ssend(struct round *r)
{
	return send_by(r, weft_ssend);
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
							     &count, NULL);

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
		r->out, r->bytes, &weft_type_byte, with(r)
	};
	struct weft_incoming in = {
		r->in, r->bytes, &weft_type_byte, with(r)
	};

	return weft_sendrecv(world, &out, &in, NULL);
}

static int do_replace(struct round *r)
{
	struct weft_incoming data = {
		r->in, r->bytes, &weft_type_byte, with(r)
	};

	return weft_sendrecv_replace(world, &data, with(r), NULL);
}

/* The send is given up: the close of the job ends it. */
static void send_and_forget(struct round *r)
{
	begin_send(r);
	ok(weft_request_free(&r->req[1]), "free");
}

static int do_probe(struct round *r)
{
	int status;

	send_and_forget(r);
	status = weft_probe(world, with(r), NULL);
	if (status)
		return status;
	return weft_recv(world, r->in, r->bytes, &weft_type_byte, with(r),
			 NULL);
}

static int do_mprobe(struct round *r)
{
	struct weft_message *msg = NULL;
	int status;

	send_and_forget(r);
	status = weft_mprobe(world, with(r), &msg, NULL);
	if (status)
		return status;
	return weft_mrecv(&msg, r->in, r->bytes, &weft_type_byte, NULL);
}

static int do_mprobe_any(struct round *r)
{
	struct weft_message *msg = NULL;
	int status;

	send_and_forget(r);
	status = weft_mprobe(world, weft_from(WEFT_ANY_SOURCE, r->victim),
			     &msg, NULL);
	if (status)
		return status;
	ok(weft_imrecv(&msg, r->in, r->bytes, &weft_type_byte, &r->req[0]),
	   "imrecv");
	status = weft_request_wait(r->req[0]);
	end_many(r);
	return status;
}

static int do_start(struct round *r)
{
	int status;

	ok(weft_recv_init(world, r->in, r->bytes, &weft_type_byte,
			  with(r), &r->req[0]), "recv_init");
	ok(weft_send_init(world, r->out, r->bytes, &weft_type_byte,
			  with(r), &r->req[1]), "send_init");
	ok(weft_request_start_all(r->req, 2), "start_all");
	status = weft_request_wait_all(r->req, 2, NULL);
	return status == end_many(r) ? status : WEFT_ERR_ARG;
}

static int do_bsend(struct round *r)
{
	size_t bytes = r->bytes + 2 * WEFT_BSEND_OVERHEAD;
	void *buffer = malloc(bytes), *got = NULL;
	int status;

	begin_recv(r);
	ok(weft_buffer_attach(job, buffer, bytes), "attach");
	status = weft_bsend(world, r->out, r->bytes, &weft_type_byte,
			    with(r));
	check(!status || status == WEFT_ERR_PEER, "bsend", "another status");
	ok(weft_buffer_detach(job, &got, &bytes), "detach");
	check(got == buffer, "detach", "another buffer");
	free(buffer);
	return end_many(r);
}

/*
 * Of anybody comes first: the next one of them fails at once.  Deaf: who dies
 * has no receive for the last message, which is a long one.
 */
static const struct {
	const char *name;
	int (*run)(struct round *r);
	bool deaf;
} calls[] = {
	{ "mprobe of anybody, imrecv", do_mprobe_any, false },
	{ "wait", do_wait, false }, { "test", do_test, false },
	{ "send", do_send, true }, { "ssend", do_ssend, true },
	{ "wait_all", do_wait_all, false }, { "test_all", do_test_all, false },
	{ "wait_any", do_wait_any, false }, { "test_any", do_test_any, false },
	{ "wait_some", do_wait_some, false },
	{ "test_some", do_test_some, false },
	{ "sendrecv", do_sendrecv, false },
	{ "sendrecv_replace", do_replace, false },
	{ "probe", do_probe, false }, { "mprobe", do_mprobe, false },
	{ "start_all", do_start, false }, { "bsend, detach", do_bsend, false }
};

enum {
	CALLS = sizeof(calls) / sizeof(*calls)
};

/* ---- one that will die ---- */

/* A message from each of the living, and one to each, until it is enough. */
static void live_and_die(char *out, char *in)
{
	struct weft_request *req[MANY];
	bool deaf = calls[me - LIVING].deaf;
	int rounds = deaf ? LONG_ROUND : ROUNDS + me % 3;

	ok(weft_recv(world, NULL, 0, &weft_type_byte, weft_from(0, 1), NULL),
	   "its turn");
	for (int i = 0;; i++) {
		bool last = i == rounds;
		size_t bytes = bytes_of(i);

		for (int r = 0; r < LIVING; r++) {
			if (!last || !deaf)
				ok(weft_irecv(world, in + (size_t)r * MOST,
					      bytes, &weft_type_byte,
					      weft_from(r, me), &req[r]),
				   "irecv");
			/* whoever is second gets nothing in the last round */
			if (last && r != me % 2)
				continue;
			ok(weft_isend(world, out, bytes, &weft_type_byte,
				      weft_to(r, me), &req[LIVING + r]),
			   "isend");
		}
		if (last)
			kill(getpid(), SIGKILL);
		ok(weft_request_wait_all(req, MANY, NULL), "wait_all");
		for (int k = 0; k < MANY; k++)
			ok(weft_request_free(&req[k]), "free");
	}
}

/* ---- and all others ---- */

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
		r->index = i;
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
	ok(weft_send(world, out, 1, &weft_type_byte, weft_to(other, 0)),
	   "send");
	ok(weft_recv(world, &at, 1, &weft_type_byte, weft_from(other, 0),
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
