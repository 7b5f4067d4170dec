/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of jobs that send matched messages; p2p.t starts them.
 *
 *     p2p_rank random SEED ROUNDS   any messages among all, each round in a new
 *                                   communicator that is used at once
 *     p2p_rank flood                many that are received last, and a barrier
 *     p2p_rank ring                 each to the next one, by every call
 *     p2p_rank death                the last rank is killed while the others
 *                                   wait for messages of it
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <weft.h>
#include "tests/mp/last_rank.h"

enum {
	EACH = 6,			/* messages of a pair, a round */
	TAGS = 2,
	MANY = 2000
};

static struct weft_job *job;
static struct weft_comm *world;
static int me, n, failures;

static void check(bool good, const char *what)
{
	if (good)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

static void ok(int status, const char *what)
{
	check(status == WEFT_OK, what);
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % below;
}

/* ---- random messages ---- */

struct message {
	size_t bytes;
	int tag;
	unsigned char first;		/* of its content */
};

/* What one rank sends another in a round, the same at both. */
static void plan(struct message *m, uint64_t seed, int from, int to)
{
	static const uint32_t most[] = { 1, 60, 900, 9000, 70000, 1000000 };
	uint64_t state = seed * 1000003 + (uint64_t)from * 1009 + (uint64_t)to;

	draw(&state, 2);
	for (int i = 0; i < EACH; i++) {
		m[i].bytes = draw(&state, most[draw(&state, 6)]);
		m[i].tag = (int)draw(&state, TAGS);
		m[i].first = (unsigned char)draw(&state, 256);
	}
}

static void fill(unsigned char *at, const struct message *m)
{
	for (size_t i = 0; i < m->bytes; i++)
		at[i] = (unsigned char)(m->first + i * 7);
}

static bool is_filled(const unsigned char *at, const struct message *m)
{
	for (size_t i = 0; i < m->bytes; i++)
		if (at[i] != (unsigned char)(m->first + i * 7))
			return false;
	return true;
}

struct round {
	struct weft_comm *comm;
	uint64_t seed;
	struct weft_request **req;
	unsigned char **content;
	int sent;
};

static void send_all(struct round *r)
{
	for (int i = 0; i < EACH; i++)
		for (int to = 0; to < n; to++) {
			struct message m[EACH];

			plan(m, r->seed, me, to);
			r->content[r->sent] = malloc(m[i].bytes + 1);
			fill(r->content[r->sent], &m[i]);
			ok(weft_isend(r->comm, r->content[r->sent], m[i].bytes,
				      &weft_type_byte, weft_to(to, m[i].tag),
				      &r->req[r->sent]), "isend");
			r->sent++;
		}
}

/* In the order of their senders, whoever is first. */
static void receive_all(struct round *r)
{
	unsigned char *at = malloc(1000000);
	int *next = calloc((size_t)n, sizeof(*next));

	for (int i = 0; i < EACH * n; i++) {
		struct weft_message_status got = { .source = -5 };
		struct message m[EACH];
		int k;

		ok(weft_recv(r->comm, at, 1000000, &weft_type_byte,
			     weft_from(r->seed % 2 ? WEFT_ANY_SOURCE : i % n,
				       WEFT_ANY_TAG), &got), "recv");
		if (got.source < 0 || got.source >= n)
			break;
		plan(m, r->seed, got.source, me);
		k = next[got.source]++;
		check(k < EACH && got.bytes == m[k].bytes &&
		      got.tag == m[k].tag && is_filled(at, &m[k]),
		      "not the message that is next");
	}
	free(next);
	free(at);
}

static void pause_at_times(uint32_t dice)
{
	const struct timespec ms = { 0, 2000000 };

	if (dice == (uint32_t)me)
		nanosleep(&ms, NULL);
}

static void random_messages(char **argv)
{
	struct round r = { .seed = strtoull(argv[2], NULL, 10) * 1000 };
	size_t most = (size_t)(EACH * n);

	r.req = calloc(most, sizeof(*r.req));
	r.content = calloc(most, sizeof(*r.content));
	for (int k = atoi(argv[3]); k > 0; k--) {
		uint64_t dice = ++r.seed;

		pause_at_times(draw(&dice, (uint32_t)n + 1));
		ok(weft_comm_dup(world, &r.comm), "dup");
		send_all(&r);
		receive_all(&r);
		while (r.sent) {
			r.sent--;
			ok(weft_request_wait(r.req[r.sent]), "wait");
			ok(weft_request_free(&r.req[r.sent]), "free");
			free(r.content[r.sent]);
		}
		ok(weft_comm_free(&r.comm), "free");
	}
	free(r.req);
	free(r.content);
}

/* ---- flow control ---- */

/* Rank 0 sends all others more than they hold; the last one is taken first. */
static void flood(char **argv)
{
	struct weft_request **req = calloc(MANY, sizeof(*req));
	uint64_t number;

	(void)argv;
	for (int to = 1; me == 0 && to < n; to++) {
		for (uint64_t i = 0; i < MANY; i++)
			ok(weft_isend(world, "12345678", 8, &weft_type_byte,
				      weft_to(to, i + 1 == MANY), &req[i]),
			   "isend");
		ok(weft_barrier(world), "barrier");
		for (int i = 0; i < MANY; i++) {
			ok(weft_request_wait(req[i]), "wait");
			ok(weft_request_free(&req[i]), "free");
		}
	}
	for (int to = 1; me && to < n; to++) {
		ok(weft_barrier(world), "barrier");
		if (to != me)
			continue;
		ok(weft_recv(world, &number, 8, &weft_type_byte,
			     weft_from(WEFT_ANY_SOURCE, 1), NULL), "recv");
		for (int i = 1; i < MANY; i++)
			ok(weft_recv(world, &number, 8, &weft_type_byte,
				     weft_from(0, 0), NULL), "recv");
	}
	free(req);
}

/* ---- a ring ---- */

enum {
	LONGEST = 300000
};

struct ring {
	int right, left;
	size_t bytes;
	unsigned char *out, *in;
	unsigned char word;		/* of the content, and the next one */
	struct weft_request *req[2];
};

static void refill(struct ring *r)
{
	memset(r->out, ++r->word + me, r->bytes);
	memset(r->in, 0, r->bytes);
}

static void expect_left(const struct ring *r, const char *what)
{
	unsigned char word = (unsigned char)(r->word + r->left);

	check(!r->bytes || (r->in[0] == word && r->in[r->bytes - 1] == word),
	      what);
}

static void exchange(struct ring *r)
{
	struct weft_outgoing out = {
		r->out, r->bytes, &weft_type_byte, weft_to(r->right, 1)
	};
	struct weft_incoming in = {
		r->in, r->bytes, &weft_type_byte, weft_from(r->left, 1)
	};

	refill(r);
	ok(weft_sendrecv(world, &out, &in, NULL), "sendrecv");
	expect_left(r, "sendrecv");
	refill(r);
	memcpy(r->in, r->out, r->bytes);
	ok(weft_sendrecv_replace(world, &in, out.to, NULL), "replace");
	expect_left(r, "sendrecv_replace");
}

/* Out of the buffer, into what was taken. */
static void take(struct ring *r)
{
	struct weft_message_status got = { .bytes = 0 };
	struct weft_message *msg = NULL;

	refill(r);
	ok(weft_bsend(world, r->out, r->bytes, &weft_type_byte,
		      weft_to(r->right, 2)), "bsend");
	memset(r->out, 0, r->bytes);
	ok(weft_mprobe(world, weft_from(WEFT_ANY_SOURCE, 2), &msg, &got),
	   "mprobe");
	check(got.source == r->left && got.bytes == r->bytes, "mprobe");
	ok(weft_mrecv(&msg, r->in, r->bytes, &weft_type_byte, NULL), "mrecv");
	expect_left(r, "mrecv");
}

static void repeat(struct ring *r)
{
	ok(weft_send_init(world, r->out, r->bytes, &weft_type_byte,
			  weft_to(r->right, 3), &r->req[0]), "send_init");
	ok(weft_recv_init(world, r->in, r->bytes, &weft_type_byte,
			  weft_from(WEFT_ANY_SOURCE, 3), &r->req[1]),
	   "recv_init");
	for (int i = 0; i < 20; i++) {
		refill(r);
		ok(weft_request_start_all(r->req, 2), "start_all");
		ok(weft_request_wait_all(r->req, 2, NULL), "wait_all");
		expect_left(r, "recv_init");
	}
	refill(r);
	ok(weft_request_start_all(r->req, 2), "start_all");
	/* given up, and then that is all of it */
	ok(weft_request_free(&r->req[0]), "free");
	ok(weft_request_wait(r->req[1]), "wait");
	expect_left(r, "recv_init");
	ok(weft_request_free(&r->req[1]), "free");
}

static void ring(char **argv)
{
	static const size_t lengths[] = { 0, 8, 5000, LONGEST };
	size_t bytes = 4 * (LONGEST + WEFT_BSEND_OVERHEAD);
	struct ring r = { .right = (me + 1) % n, .left = (me + n - 1) % n };
	void *buffer = malloc(bytes), *got = NULL;

	(void)argv;
	r.out = malloc(LONGEST);
	r.in = malloc(LONGEST);
	ok(weft_buffer_attach(job, buffer, bytes), "attach");
	for (int i = 0; i < 16; i++) {
		r.bytes = lengths[i % 4];
		exchange(&r);
		take(&r);
		repeat(&r);
		/* the last send has left when all have received */
		ok(weft_barrier(world), "barrier");
	}
	ok(weft_buffer_detach(job, &got, &bytes), "detach");
	check(got == buffer, "another buffer");
	free(buffer);
	free(r.out);
	free(r.in);
}

/* ---- a death ---- */

static void expect_dead(int status, const char *what)
{
	char name[24];

	snprintf(name, sizeof(name), "rank %d ", n - 1);
	check(status == WEFT_ERR_PEER && strstr(weft_error_text(job), name),
	      what);
}

/* Sends that nobody receives, to a survivor and to itself: the close ends. */
static void give_up(struct weft_comm **comm_p)
{
	static const char content[LONGEST];
	const int to[] = { (me + 1) % (n - 1), me };

	for (int k = 0; k < 2; k++) {
		struct weft_request *req = NULL;

		ok(weft_isend(*comm_p, content, LONGEST, &weft_type_byte,
			      weft_to(to[k], 2), &req), "isend");
		ok(weft_request_free(&req), "free a send");
	}
	ok(weft_comm_free(comm_p), "free");
}

static void death(char **argv)
{
	int last = n - 1, left = (me + n - 2) % (n - 1);
	struct weft_comm *dup = NULL;
	char at = 0;

	(void)argv;
	ok(weft_comm_dup(world, &dup), "dup");
	ok(weft_barrier(world), "barrier");
	ok(let_last_die(world), "what lets the last one die");
	expect_dead(weft_recv(world, &at, 1, &weft_type_byte,
			      weft_from(last, 0), NULL), "recv");
	expect_dead(weft_recv(world, &at, 1, &weft_type_byte,
			      weft_from(WEFT_ANY_SOURCE, 0), NULL), "any");
	expect_dead(weft_probe(world, weft_from(last, 0), NULL), "probe");
	expect_dead(weft_ssend(world, &at, 1, &weft_type_byte,
			       weft_to(last, 0)), "ssend");
	/* and the others go on */
	ok(weft_send(world, &at, 1, &weft_type_byte,
		     weft_to((me + 1) % (n - 1), 1)), "send");
	ok(weft_recv(world, &at, 1, &weft_type_byte, weft_from(left, 1),
		     NULL), "recv");
	give_up(&dup);
}

int main(int argc, char **argv)
{
	void (*program)(char **argv) = NULL;
	int status;

	if (argc == 4 && !strcmp(argv[1], "random"))
		program = random_messages;
	else if (argc == 2 && !strcmp(argv[1], "flood"))
		program = flood;
	else if (argc == 2 && !strcmp(argv[1], "ring"))
		program = ring;
	else if (argc == 2 && !strcmp(argv[1], "death"))
		program = death;
	if (!program) {
		fprintf(stderr, "usage: p2p_rank random SEED ROUNDS | flood | "
			"ring | death\n");
		return 2;
	}
	status = weft_job_open(NULL, &job);
	if (status) {
		printf("# open: %s\n", weft_status_name(status));
		return 1;
	}
	world = weft_job_world(job);
	me = weft_job_rank(job);
	n = weft_job_size(job);
	program(argv);
	status = weft_job_close(job);
	if (program != death)
		check(!status, "close");
	return failures != 0;
}
