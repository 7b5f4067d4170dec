/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two ranks on shared memory: messages whose elements have gaps at one end or
 * both are packed into the receiver's memory and unpacked from there, by mails,
 * chunks, or straight to where they belong, and no end makes a copy of all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <weft.h>

enum {
	RUN = 24,			/* bytes side by side, */
	STRIDE = 40,			/* and from one to the next */
	CUT = 5 * RUN + 7,		/* that a receive has less room for */
	LONG = 400,			/* runs: beyond what mails carry */
	SHORTEST = 1, SHORT = 70,	/* bytes that a long one is cut to */
	MOST = 1 << 20,			/* runs: 24 MiB */
	KEPT = 0x77,
	KIB_MORE = 8 << 10
};

static struct weft_job *job;
static struct weft_comm *world;
static int me, failures;

/* One end of a message: memory of either kind, with gaps or without. */
struct end {
	unsigned char *at;
	size_t runs;
	bool gaps, arena;
};

static void check(bool good, const char *what, size_t runs)
{
	if (good)
		return;
	printf("# rank %d, %zu runs: %s: %s\n", me, runs, what,
	       weft_error_text(job));
	failures++;
}

static void ok(int status, const char *what)
{
	check(!status, what, 0);
}

/* The byte i of those that are sent. */
static unsigned char content(size_t i)
{
	return (unsigned char)(i * 7 + i / 251);
}

static size_t place(const struct end *e, size_t i)
{
	return e->gaps ? i / RUN * STRIDE + i % RUN : i;
}

static void make(struct end *e, bool fills)
{
	void *at;

	if (e->arena)
		ok(weft_mem_alloc(job, e->runs * STRIDE, &at), "mem_alloc");
	else
		at = malloc(e->runs * STRIDE);
	e->at = memset(at, KEPT, e->runs * STRIDE);
	for (size_t i = 0; fills && i < e->runs * RUN; i++)
		e->at[place(e, i)] = content(i);
}

static void drop(struct end *e)
{
	if (e->arena)
		weft_mem_free(job, e->at);
	else
		free(e->at);
}

/* So many bytes have come, and nothing else was written. */
static void check_got(const struct end *e, size_t bytes, const char *what)
{
	size_t next = 0;

	for (size_t at = 0; at < e->runs * STRIDE; at++) {
		bool given = next < bytes && place(e, next) == at;

		if (e->at[at] == (given ? content(next) : KEPT)) {
			next += given;
			continue;
		}
		printf("# byte %zu\n", at);
		check(false, what, e->runs);
		return;
	}
}

static struct weft_type *make_type(const struct end *e)
{
	struct weft_type *type;

	ok(weft_type_hvector(job, e->runs, RUN, e->gaps ? STRIDE : RUN,
			     &weft_type_byte, &type), "hvector");
	ok(weft_type_commit(type), "commit");
	return type;
}

static void start(struct weft_request *req)
{
	ok(weft_request_start(req), "start");
	ok(weft_request_wait(req), "wait");
}

static void send(struct end *e)
{
	struct weft_type *type = make_type(e);
	struct weft_request *req;

	make(e, true);
	ok(weft_send(world, e->at, 1, type, weft_to(1, 0)), "send");
	ok(weft_isend(world, e->at, 1, type, weft_to(1, 0), &req), "isend");
	ok(weft_request_wait(req), "wait");
	ok(weft_request_free(&req), "free");
	ok(weft_send_init(world, e->at, 1, type, weft_to(1, 0), &req),
	   "send_init");
	ok(weft_type_free(&type), "free");
	start(req);
	start(req);
	ok(weft_request_free(&req), "free");
	drop(e);
}

static void receive(struct end *e)
{
	struct weft_type *type = make_type(e);
	struct weft_request *req;
	int status;

	make(e, false);
	ok(weft_recv(world, e->at, 1, type, weft_from(0, 0), NULL), "recv");
	check_got(e, e->runs * RUN, "recv");
	memset(e->at, KEPT, e->runs * STRIDE);
	/* into packed memory, and less of it */
	status = weft_recv(world, e->at, e->runs * RUN - CUT, &weft_type_byte,
			   weft_from(0, 0), NULL);
	check(status == WEFT_ERR_TRUNCATE, "truncated", e->runs);
	check_got(&(struct end){ e->at, e->runs, false, false },
		  e->runs * RUN - CUT, "truncated");
	ok(weft_recv_init(world, e->at, 1, type, weft_from(0, 0), &req),
	   "recv_init");
	ok(weft_type_free(&type), "free");
	for (int i = 0; i < 2; i++) {
		memset(e->at, KEPT, e->runs * STRIDE);
		start(req);
		check_got(e, e->runs * RUN, "recv_init");
	}
	ok(weft_request_free(&req), "free");
	drop(e);
}

static void all_ways(size_t runs)
{
	for (int way = 0; way < 8; way++) {
		struct end e = {
			.runs = runs, .gaps = way & (me ? 2 : 1),
			.arena = me && way & 4
		};

		if (me)
			receive(&e);
		else
			send(&e);
	}
}

/*
 * Made before its ranks have met, which its first start sees; what it sends is
 * read anew by each.
 */
static void before_contact(void)
{
	struct end e = { .runs = LONG, .gaps = true };
	struct weft_type *type = make_type(&e);
	struct weft_request *req;

	make(&e, false);
	if (!me)
		ok(weft_send_init(world, e.at, 1, type, weft_to(1, 0), &req),
		   "send_init");
	for (int i = 0; i < 3; i++) {
		memset(e.at, 10 + i + me, e.runs * STRIDE);
		if (!me) {
			start(req);
			continue;
		}
		ok(weft_recv(world, e.at, 1, type, weft_from(0, 0), NULL),
		   "before contact");
		for (size_t at = 0; at < e.runs * STRIDE; at++)
			check(e.at[at] == 10 + i + (at % STRIDE >= RUN),
			      "before contact", at);
	}
	if (!me)
		ok(weft_request_free(&req), "free");
	ok(weft_type_free(&type), "free");
	drop(&e);
}

/* A long one with less room than any line or slot takes, and gaps in it. */
static void cut_short(void)
{
	struct end e = { .runs = LONG, .gaps = true };
	struct weft_type *type = make_type(&e);
	struct weft_type *bytes;
	int status;

	make(&e, !me);
	for (size_t n = SHORTEST; n <= SHORT; n++) {
		if (!me) {
			ok(weft_send(world, e.at, 1, type, weft_to(1, 0)),
			   "send");
			continue;
		}
		memset(e.at, KEPT, e.runs * STRIDE);
		ok(weft_type_hvector(job, n, 1, 2, &weft_type_byte, &bytes),
		   "every other byte");
		ok(weft_type_commit(bytes), "commit");
		status = weft_recv(world, e.at, 1, bytes, weft_from(0, 0),
				   NULL);
		check(status == WEFT_ERR_TRUNCATE, "cut short", n);
		for (size_t i = 0; i <= 2 * n; i++)
			check(e.at[i] == (i % 2 || i == 2 * n ? KEPT :
							content(i / 2)),
			      "cut short", n);
		ok(weft_type_free(&bytes), "free");
	}
	ok(weft_type_free(&type), "free");
	drop(&e);
}

static void to_oneself(void)
{
	struct end from = { .runs = LONG, .gaps = true }, to = from;
	struct weft_type *type = make_type(&from);
	struct weft_request *req;

	make(&from, true);
	make(&to, false);
	for (int i = 0; i < 2; i++) {
		ok(weft_isend(world, from.at, 1, type, weft_to(me, 0), &req),
		   "to oneself");
		ok(weft_recv(world, to.at, 1, type, weft_from(me, 0), NULL),
		   "from oneself");
		ok(weft_request_wait(req), "wait");
		ok(weft_request_free(&req), "free");
		check_got(&to, to.runs * RUN, "to oneself");
		memset(to.at, KEPT, to.runs * STRIDE);
	}
	ok(weft_type_free(&type), "free");
	drop(&from);
	drop(&to);
}

static long peak_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* The first one connects; nothing before the second needs as much memory. */
static void without_copy(void)
{
	struct end e = { .runs = MOST, .gaps = true };
	struct weft_type *type = make_type(&e);
	unsigned char byte = 0;
	long before;

	make(&e, !me);
	ok(me ? weft_recv(world, &byte, 1, &weft_type_byte, weft_from(0, 0),
			  NULL) :
		weft_send(world, &byte, 1, &weft_type_byte, weft_to(1, 0)),
	   "the first");
	before = peak_kib();
	ok(me ? weft_recv(world, e.at, 1, type, weft_from(0, 0), NULL) :
		weft_send(world, e.at, 1, type, weft_to(1, 0)), "the second");
	if (peak_kib() - before > KIB_MORE)
		printf("# %ld KiB more\n", peak_kib() - before);
	check(peak_kib() - before <= KIB_MORE, "memory", MOST);
	if (me)
		check_got(&e, MOST * (size_t)RUN, "the second");
	ok(weft_type_free(&type), "free");
	drop(&e);
}

int main(void)
{
	static const size_t runs[] = {
		6, 40, 200, 341, 400, 2731, 2731 * 3, 43691
	};

	if (weft_job_open(NULL, &job))
		return 1;
	world = weft_job_world(job);
	me = weft_job_rank(job);
	before_contact();
	without_copy();
	cut_short();
	to_oneself();
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		all_ways(runs[i]);
	ok(weft_job_close(job), "close");
	return failures > 0;
}
