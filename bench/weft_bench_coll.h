/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft_bench_coll.c needs of a collective to time and check it. The
 * families have a table of these: weft_bench_reduce.c of what combines,
 * weft_bench_moves.c of what moves bytes.
 */
#ifndef WEFT_BENCH_COLL_H
#define WEFT_BENCH_COLL_H

#include "bench/weft_bench_run.h"

/* The collective of one line. */
struct bench_vectors {
	struct bench_run *run;
	const struct bench_coll *coll;
	void *in;		/* what this rank gives */
	void *out;		/* what it gets */
	size_t bytes;		/* of one rank */
	size_t count;		/* of elements, in these */
	int root;		/* of the next one; 0 where there are none */
	int roots;		/* all ranks, or 1 */
	size_t *counts;		/* the same for each rank, */
	ptrdiff_t *displs;	/* one behind the other */
	struct weft_request **request;	/* one for each root; NULL: blocking */
	long rounds;		/* of computation, before a wait */
};

enum bench_shape {
	BENCH_ROOTED = 1u << 0,		/* each rank is the root, in turn */
	BENCH_GIVES_ALL = 1u << 1,	/* in has room for all ranks */
	BENCH_GETS_ALL = 1u << 2	/* out has */
};

struct bench_coll {
	const char *title;
	unsigned shape;
	int (*call)(const struct bench_vectors *v);
	int (*start)(const struct bench_vectors *v,
		     struct weft_request **req_p);
	int (*init)(const struct bench_vectors *v, struct weft_request **req_p);
	/* Content of the next one, and none of it in out; NULL: no bytes. */
	void (*fill)(const struct bench_vectors *v, long round);
	/* Wrong bytes after the one of this round and root. */
	size_t (*wrong)(const struct bench_vectors *v, long round);
	enum bench_bound (*bound)(const struct bench_vectors *v);
	const struct weft_type *type;	/* of elements; NULL: bytes */
	const struct weft_op *op;	/* NULL: nothing is combined */
};

/* Vectors of all ranks, told one by one. */
struct weft_vec bench_vec(const struct bench_vectors *v, void *base);

/* A table with a line for each size. Returns a status. */
int bench_run_coll(struct bench_run *run, const struct bench_coll *coll);

/* The limit of a line whose bytes are copied out of a slot. */
enum bench_bound bench_bound_loop(const struct bench_vectors *v);

#endif
