/* SPDX-License-Identifier: BSD-3-Clause */
/* See rma_program.h.  A part is two words, then a slot of each rank. */
#include "tests/rma/rma_program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

enum {
	WORDS_BYTES = 64,
	REACH = 5,		/* a rank deals with so many behind it */
	NUMBERS = 3		/* of signals */
};

/* What one rank does to another in a round. */
struct deed {
	bool any, signals, request;
	uint32_t number;
	size_t offset, bytes;	/* in its slot there */
};

struct program {
	const struct rma_options *o;
	struct weft_job *job;
	struct weft_comm *world;
	struct weft_region *region;
	int me, n, failures;
	unsigned char *expected;	/* of the own part */
	unsigned char *mirror[REACH];	/* what this rank wrote at others */
	unsigned char *source[REACH], *fetched;
	uint64_t raised[REACH][NUMBERS];	/* by those before it */
	struct weft_signal *signal[REACH][NUMBERS], *all[NUMBERS];
	uint64_t sum;			/* of the counter at this rank */
};

static void fail(struct program *p, const char *format, ...)
{
	char text[600];
	va_list args;
	int n = snprintf(text, sizeof(text), "rma, seed %llu: ",
			 (unsigned long long)p->o->seed);

	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, args);
	va_end(args);
	p->failures++;
	p->o->fail(p->o->arg, text);
}

static void good(struct program *p, int status, const char *what)
{
	if (status)
		fail(p, "%s: %s: %s", what, weft_status_name(status),
		     weft_error_text(p->job));
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
	a ^= a >> 29;
	a *= UINT64_C(0xbf58476d1ce4e5b9);
	return a ^ a >> 32;
}

static int reach(const struct program *p)
{
	return p->n < REACH ? p->n : REACH;
}

static struct deed deed_of(const struct program *p, int round, int from,
			   int to)
{
	uint64_t dice = mix(mix(mix(p->o->seed, (uint64_t)round),
				(uint64_t)from), (uint64_t)to);
	struct deed d = {
		.any = dice % 4 != 0, .signals = dice >> 8 & 1,
		.request = dice >> 9 & 1, .number = (dice >> 10) % NUMBERS
	};

	d.bytes = (dice >> 16) % (p->o->slot + 1) >> (dice >> 12) % 12;
	d.offset = (dice >> 40) % (p->o->slot - d.bytes + 1);
	return d;
}

static unsigned char byte_of(int round, int from, int to, size_t at)
{
	return (unsigned char)mix((uint64_t)round << 40 | (uint64_t)from << 20 |
				  (uint64_t)to, at);
}

/* The bytes of a deed, into a slot or the image of one. */
static void draw(const struct deed *d, int round, int from, int to,
		 unsigned char *slot)
{
	for (size_t i = 0; i < d->bytes; i++)
		slot[d->offset + i] = byte_of(round, from, to, i);
}

static struct weft_target slot_at(const struct program *p, int peer,
				  size_t offset)
{
	return (struct weft_target){ p->region, peer, WORDS_BYTES +
		(size_t)p->me * p->o->slot + offset };
}

/* ---- what a rank does in a round ---- */

static struct weft_request *act(struct program *p, int round, int k)
{
	int to = (p->me + k) % p->n;
	struct deed d = deed_of(p, round, p->me, to);
	struct weft_target at = slot_at(p, to, d.offset);
	struct weft_request *req = NULL, **req_p = d.request ? &req : NULL;
	unsigned char *from = p->source[k] + d.offset;
	int status;

	if (!d.any)
		return NULL;
	draw(&d, round, p->me, to, p->source[k]);
	draw(&d, round, p->me, to, p->mirror[k]);
	if (d.signals)
		status = weft_put_signal(&at, from, d.bytes, d.number, req_p);
	else
		status = weft_put(&at, from, d.bytes, req_p);
	good(p, status, "put");
	return req;
}

static void finish(struct program *p, struct weft_request *req, bool by_test)
{
	int status = WEFT_OK;
	bool done = false;

	while (by_test && !status && !done)
		status = weft_request_test(req, &done);
	if (!by_test)
		status = weft_request_wait(req);
	good(p, status, "request");
	good(p, weft_request_free(&req), "free");
}

/* A flush waits for what requests hold back, too. */
static void flush_first(struct program *p, struct weft_request **req)
{
	bool done;

	good(p, weft_flush(p->region, WEFT_ALL_PEERS, WEFT_FLUSH_REMOTE),
	     "flush before requests");
	for (int k = 0; k < reach(p); k++) {
		done = true;
		if (req[k])
			good(p, weft_request_test(req[k], &done), "test");
		if (!done)
			fail(p, "a request is active behind a flush");
	}
}

static void put_all(struct program *p, int round)
{
	struct weft_request *req[REACH];

	for (int k = 0; k < reach(p); k++)
		req[k] = act(p, round, k);
	if (round % 4 == 0)
		flush_first(p, req);
	for (int k = reach(p) - 1; k >= 0; k--)
		if (req[k])
			finish(p, req[k], (round + k) % 2);
	if (round % 3 == 0)
		good(p, weft_flush(p->region, WEFT_ALL_PEERS,
				   WEFT_FLUSH_LOCAL), "local flush");
}

/* The counter of one rank grows by the sum of all; one rank wins the other. */
static void change_words(struct program *p, int round)
{
	int at = round % p->n;
	struct weft_target counter = { p->region, at, 0 };
	struct weft_target won = { p->region, at, 8 };
	struct weft_request *req;
	uint64_t before = UINT64_MAX, winner = UINT64_MAX;

	good(p, weft_fetch_add(&counter, (uint64_t)p->me + 1, NULL, NULL),
	     "add");
	good(p, weft_fetch_add(&counter, 0, &before, NULL), "read");
	good(p, weft_cas(&won, 0, (uint64_t)p->me + 1, &winner, &req), "cas");
	finish(p, req, round % 2);
	good(p, weft_flush(p->region, at, WEFT_FLUSH_LOCAL), "flush of words");
	if (before == UINT64_MAX || winner > (uint64_t)p->n)
		fail(p, "atomics brought %llu and %llu",
		     (unsigned long long)before, (unsigned long long)winner);
}

/* The bytes of a put are there when its signal is. */
static void check_deed(struct program *p, int round, int from,
		       const struct deed *d)
{
	const unsigned char *at = weft_region_base(p->region);

	at += WORDS_BYTES + (size_t)from * p->o->slot + d->offset;
	for (size_t i = 0; i < d->bytes; i++)
		if (at[i] != byte_of(round, from, p->me, i)) {
			fail(p, "round %d: byte %zu of %zu from rank %d is "
			     "not there when the signal is", round, i,
			     d->bytes, from);
			return;
		}
}

static void hear(struct program *p, int round)
{
	uint64_t sum[NUMBERS] = { 0 };

	for (int k = 0; k < reach(p); k++) {
		int from = (p->me + p->n - k) % p->n;
		struct deed d = deed_of(p, round, from, p->me);

		if (d.any && d.signals)
			p->raised[k][d.number]++;
		for (int s = 0; s < NUMBERS; s++) {
			good(p, weft_signal_wait(p->signal[k][s],
						 p->raised[k][s]), "signal");
			sum[s] += p->raised[k][s];
		}
		if (d.any && d.signals)
			check_deed(p, round, from, &d);
	}
	for (int s = 0; s < NUMBERS; s++) {
		bool reached = false;
		int status = WEFT_OK;

		while (!status && !reached)
			status = weft_signal_test(p->all[s], sum[s], &reached);
		good(p, status, "signal of all");
		if (weft_signal_count(p->all[s]) != sum[s])
			fail(p, "signal %d was raised %llu times instead of "
			     "%llu", s, (unsigned long long)
			     weft_signal_count(p->all[s]),
			     (unsigned long long)sum[s]);
	}
}

/* ---- what must be there then ---- */

static void check_words(struct program *p, int round)
{
	uint64_t *words = weft_region_base(p->region);
	struct weft_target won = { p->region, p->me, 8 };
	uint64_t old = 0;

	if (round % p->n != p->me)
		return;
	p->sum += (uint64_t)p->n * ((uint64_t)p->n + 1) / 2;
	if (words[0] != p->sum)
		fail(p, "the counter is %llu instead of %llu",
		     (unsigned long long)words[0], (unsigned long long)p->sum);
	if (words[1] < 1 || words[1] > (uint64_t)p->n)
		fail(p, "%llu has won", (unsigned long long)words[1]);
	good(p, weft_cas(&won, words[1], 0, &old, NULL), "cas back");
	good(p, weft_flush(p->region, p->me, WEFT_FLUSH_REMOTE), "flush");
}

static void check_part(struct program *p, int round)
{
	const unsigned char *part = weft_region_base(p->region);
	size_t slots = (size_t)p->n * p->o->slot;

	for (int k = 0; k < reach(p); k++) {
		int from = (p->me + p->n - k) % p->n;
		struct deed d = deed_of(p, round, from, p->me);

		if (d.any)
			draw(&d, round, from, p->me,
			     p->expected + (size_t)from * p->o->slot);
	}
	for (size_t i = 0; i < slots; i++)
		if (part[WORDS_BYTES + i] != p->expected[i]) {
			fail(p, "round %d: byte %zu of the slot of rank %zu "
			     "is wrong", round, i % p->o->slot,
			     i / p->o->slot);
			return;
		}
}

static void fetch_back(struct program *p, int round)
{
	int k = round % reach(p);
	struct weft_target from = slot_at(p, (p->me + k) % p->n, 0);
	struct weft_request *req = NULL;

	memset(p->fetched, 0x5a, p->o->slot);
	good(p, weft_get(&from, p->fetched, p->o->slot,
			 round % 2 ? &req : NULL), "get");
	if (req)
		finish(p, req, false);
	else
		good(p, weft_flush(p->region, from.peer, WEFT_FLUSH_LOCAL),
		     "flush of a get");
	if (memcmp(p->fetched, p->mirror[k], p->o->slot))
		fail(p, "round %d: what was fetched from rank %d is wrong",
		     round, from.peer);
}

static void play_round(struct program *p, int round)
{
	put_all(p, round);
	change_words(p, round);
	hear(p, round);
	good(p, weft_flush(p->region, WEFT_ALL_PEERS, WEFT_FLUSH_REMOTE),
	     "remote flush");
	good(p, weft_barrier(p->world), "barrier");
	check_part(p, round);
	check_words(p, round);
	fetch_back(p, round);
	good(p, weft_barrier(p->world), "second barrier");
}

/* ---- a region of one rank, whose key is put into the next one's part ---- */

enum { HERE = 7, HELLO = 12 };

static struct weft_region *expose(struct program *p)
{
	int next = (p->me + 1) % p->n;
	struct weft_target at = { p->region, next, WORDS_BYTES };
	struct weft_region *mine = NULL;
	struct weft_region_key key;
	int status = weft_region_expose(p->world, NULL, 256, &mine);

	good(p, status, "expose");
	good(p, weft_region_key(mine, &key), "key");
	good(p, weft_put_signal(&at, &key, sizeof(key), HERE, NULL),
	     "put of a key");
	good(p, weft_flush(p->region, next, WEFT_FLUSH_LOCAL), "flush");
	return mine;
}

static struct weft_region *attach(struct program *p)
{
	int before = (p->me + p->n - 1) % p->n;
	struct weft_region *other = NULL;
	struct weft_signal *signal;
	struct weft_region_key key;

	good(p, weft_signal_create(p->region, before, HERE, &signal),
	     "create a signal");
	good(p, weft_signal_wait(signal, 1), "wait for a key");
	weft_signal_free(&signal);
	memcpy(&key, (char *)weft_region_base(p->region) + WORDS_BYTES,
	       sizeof(key));
	good(p, weft_region_attach(p->world, &key, &other), "attach");
	return other;
}

static void use_attached(struct program *p, struct weft_region *mine,
			 struct weft_region *other)
{
	int before = (p->me + p->n - 1) % p->n, next = (p->me + 1) % p->n;
	struct weft_target at = { other, before, 200 };
	struct weft_signal *signal;

	good(p, weft_put_signal(&at, "hello, part", HELLO, HERE, NULL),
	     "put to an exposed region");
	good(p, weft_signal_create(mine, next, HERE, &signal), "signal");
	good(p, weft_signal_wait(signal, 1), "wait at an exposed region");
	if (memcmp((char *)weft_region_base(mine) + 200, "hello, part", HELLO))
		fail(p, "the exposed region holds something else");
	good(p, weft_region_free(&mine), "destroy an exposed region");
	good(p, weft_barrier(p->world), "barrier");
	if (weft_put(&at, "late", 4, NULL) != WEFT_ERR_RANGE)
		fail(p, "a put into a destroyed region works");
	good(p, weft_region_free(&other), "detach");
}

/* ---- beginning and end ---- */

static void prepare(struct program *p)
{
	size_t slot = p->o->slot;

	p->expected = calloc((size_t)p->n, slot);
	p->fetched = malloc(slot);
	for (int k = 0; k < reach(p); k++) {
		int from = (p->me + p->n - k) % p->n;

		p->mirror[k] = calloc(1, slot);
		p->source[k] = calloc(1, slot);
		for (int s = 0; s < NUMBERS; s++)
			good(p, weft_signal_create(p->region, from,
						   (uint32_t)s,
						   &p->signal[k][s]),
			     "signal");
	}
	for (int s = 0; s < NUMBERS; s++)
		good(p, weft_signal_create(p->region, WEFT_ALL_PEERS,
					   (uint32_t)s, &p->all[s]),
		     "signal of all");
}

static void clean_up(struct program *p)
{
	for (int k = 0; k < reach(p); k++) {
		free(p->mirror[k]);
		free(p->source[k]);
	}
	free(p->expected);
	free(p->fetched);
}

int rma_run(struct weft_job *job, const struct rma_options *options)
{
	struct program p = {
		.o = options, .job = job, .world = weft_job_world(job),
		.me = weft_job_rank(job), .n = weft_job_size(job)
	};
	struct weft_region *mine;
	int status = weft_region_create(p.world, NULL, WORDS_BYTES +
					(size_t)p.n * options->slot,
					&p.region);

	good(&p, status, "create");
	if (status)
		return p.failures;
	if (options->made)
		options->made(options->arg, p.region);
	prepare(&p);
	for (int round = 0; round < options->rounds && !p.failures; round++)
		play_round(&p, round);
	if (!p.failures) {
		mine = expose(&p);
		use_attached(&p, mine, attach(&p));
	}
	good(&p, weft_region_free(&p.region), "destroy");
	clean_up(&p);
	return p.failures;
}
