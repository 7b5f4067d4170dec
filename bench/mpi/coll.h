/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What collectives have in common, over loop.h, in the three forms of
 * weft-bench(1); -n and -p in front of the bytes choose another one than
 * blocking:
 *
 *     mpicc -O2 -o reduce reduce.c coll.c loop.c
 *     mpiexec -n 2 ./reduce -n 8 65536
 *
 * Where there is a root, each rank is it in turn.
 */
#ifndef WEFT_BENCH_MPI_COLL_H
#define WEFT_BENCH_MPI_COLL_H

#include "loop.h"

struct coll_turn {
	void *out;		/* given */
	void *in;		/* got */
	int count;		/* elements of one rank */
	int *counts, *displs;	/* the same for each, one behind the other */
	int root;
};

enum coll_shape {
	COLL_ROOTED = 1u << 0,
	COLL_GIVES_ALL = 1u << 1,	/* out has room for all ranks */
	COLL_GETS_ALL = 1u << 2		/* in has */
};

struct coll {
	const char *name;
	unsigned shape;
	size_t unit;		/* bytes of an element */
	void (*call)(const struct coll_turn *t);
	void (*start)(const struct coll_turn *t, MPI_Request *request);
	/* Not before MPI 4. */
	void (*prepare)(const struct coll_turn *t, MPI_Request *request);
};

int coll_main(int argc, char **argv, const struct coll *coll);

#endif
