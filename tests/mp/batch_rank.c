/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of batches between processes: an edge to each rank and two to
 * itself, fields with gaps and without, lengths of all ways; batch.t starts it.
 *
 *     batch_rank SEED ROUNDS
 *
 * Exit code 1 if anything was wrong at this rank.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#include "tests/drawn.h"

enum {
	RANKS = 8,			/* at most */
	EDGES = RANKS + 1,
	FIELDS = 4,
	STARTS = 3,
	UNIT = 8,			/* bytes of an element, gaps included */
	KEPT = 0x77
};

/* Of one direction. */
struct field {
	bool gaps;
	size_t counts[EDGES], all;
	ptrdiff_t displs[EDGES];
	unsigned char *base;
};

static struct weft_job *job;
static int me, n, failures;

static void ok(int status, const char *what)
{
	if (!status)
		return;
	printf("# rank %d: %s: %s\n", me, what, weft_error_text(job));
	fflush(stdout);
	failures++;
}

/* The edge of a rank that leads as many ranks on as its number says. */
static uint64_t name_of(int sender, int edge)
{
	return (uint64_t)(sender * EDGES + edge);
}

static int sender_of(int edge)
{
	return (me - edge % n + n) % n;
}

/* Two bytes and four, with a gap behind the two; or eight. */
static void put(unsigned char *at, bool gaps, uint64_t x)
{
	if (gaps) {
		memcpy(at, &x, 2);
		memcpy(at + 4, (char *)&x + 4, 4);
	} else {
		memcpy(at, &x, UNIT);
	}
}

/* Its parts in the order of edges, with an element between two of them. */
static void field_init(struct field *f, uint64_t key, bool sends)
{
	/* the last one makes copies that are too large for the arena */
	static const size_t counts[] = { 0, 1, 2, 20, 150, 3000, 60000 };
	uint64_t lengths = n <= 3 ? 7 : 6;

	f->gaps = drawn_mix(key, 0, 0) % 2;
	f->all = 1;
	for (int e = 0; e <= n; e++) {
		uint64_t name = name_of(sends ? me : sender_of(e), e);

		f->counts[e] = counts[drawn_mix(key, name, 1) % lengths];
		f->displs[e] = (ptrdiff_t)f->all;
		f->all += f->counts[e] + 1;
	}
	f->base = malloc(f->all * UNIT);
	if (!f->base)
		abort();
}

/* What it has when each edge has its values, and the rest was left alone. */
static void paint(const struct field *f, unsigned char *base, uint64_t key,
		  bool sends)
{
	memset(base, KEPT, f->all * UNIT);
	for (int e = 0; e <= n; e++) {
		uint64_t name = name_of(sends ? me : sender_of(e), e);
		unsigned char *at = base + f->displs[e] * UNIT;

		for (size_t i = 0; i < f->counts[e]; i++)
			put(at + i * UNIT, f->gaps, drawn_mix(key, name, i));
	}
}

static struct weft_vec vec_of(const struct field *f)
{
	return (struct weft_vec){
		.base = f->base, .counts = f->counts, .displs = f->displs,
		.type = f->gaps ? &weft_type_short_int : &weft_type_int64
	};
}

static void check(const struct field *f, uint64_t key, int number)
{
	unsigned char *want = malloc(f->all * UNIT);

	if (!want)
		abort();
	paint(f, want, key, false);
	if (memcmp(want, f->base, f->all * UNIT)) {
		printf("# rank %d: field %d differs\n", me, number);
		fflush(stdout);
		failures++;
	}
	free(want);
}

struct batch {
	uint64_t key;
	int nfields;
	struct field out[FIELDS], in[FIELDS];
	struct weft_request *req;
};

static void batch_init(struct batch *b, struct weft_comm *graph, uint64_t key)
{
	const struct weft_vec *sends[FIELDS], *recvs[FIELDS];
	struct weft_vec send[FIELDS], recv[FIELDS];

	b->key = key;
	b->nfields = (int)(key % (FIELDS + 1));
	b->req = NULL;
	for (int f = 0; f < b->nfields; f++) {
		field_init(&b->out[f], key + (uint64_t)f, true);
		field_init(&b->in[f], key + (uint64_t)f, false);
		send[f] = vec_of(&b->out[f]);
		recv[f] = vec_of(&b->in[f]);
		sends[f] = &send[f];
		recvs[f] = &recv[f];
	}
	ok(weft_exchange_batch_init(graph, b->nfields, sends, recvs, &b->req),
	   "init");
}

static void batch_run(struct batch *b, uint64_t start)
{
	for (int f = 0; f < b->nfields; f++) {
		paint(&b->out[f], b->out[f].base,
		      drawn_mix(b->key, start, (uint64_t)f), true);
		memset(b->in[f].base, KEPT, b->in[f].all * UNIT);
	}
	ok(weft_request_start(b->req), "start");
	ok(weft_request_wait(b->req), "wait");
	for (int f = 0; f < b->nfields; f++)
		check(&b->in[f], drawn_mix(b->key, start, (uint64_t)f), f);
}

static void batch_fini(struct batch *b)
{
	ok(weft_request_free(&b->req), "free");
	for (int f = 0; f < b->nfields; f++) {
		free(b->out[f].base);
		free(b->in[f].base);
	}
}

static struct weft_comm *make_graph(void)
{
	int from[EDGES], to[EDGES];
	struct weft_edges in = { n + 1, from, NULL }, out = { n + 1, to, NULL };
	struct weft_comm *graph = NULL;

	for (int e = 0; e <= n; e++) {
		to[e] = (me + e) % n;
		from[e] = sender_of(e);
	}
	ok(weft_graph_create_adjacent(weft_job_world(job), &in, &out, NULL,
				      false, &graph), "graph");
	return graph;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct weft_comm *graph;
	struct batch b;

	if (weft_job_open(NULL, &job))
		return 1;
	me = weft_job_rank(job);
	n = weft_job_size(job);
	if (n > RANKS)
		return 1;
	graph = make_graph();
	for (uint64_t i = 0; graph && i < rounds; i++) {
		batch_init(&b, graph, seed * 1000 + i);
		for (uint64_t k = 0; b.req && k < STARTS; k++)
			batch_run(&b, k);
		batch_fini(&b);
	}
	ok(weft_comm_free(&graph), "free");
	ok(weft_job_close(job), "close");
	return failures > 0;
}
