/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What neighbour exchanges have in common, over loop.h: one message along each
 * edge of a ring, in both directions; 2 ranks have two edges to each other.
 * Persistent where MPI is 4 or later, if -b does not ask for the blocking call:
 *
 *     mpicc -O2 -o exchange exchange.c neighbor.c loop.c
 *     mpiexec -n 2 ./exchange -b 8 65536
 */
#ifndef WEFT_BENCH_MPI_NEIGHBOR_H
#define WEFT_BENCH_MPI_NEIGHBOR_H

#include "loop.h"

enum { NEIGHBOR_EDGES = 2 };

struct neighbor_edges {
	MPI_Comm graph;
	void *out, *in;
	int bytes;		/* of a message, without gaps */
	int counts[NEIGHBOR_EDGES], displs[NEIGHBOR_EDGES];	/* in bytes */
	/* Of every second double: a message of each edge. */
	MPI_Datatype types[NEIGHBOR_EDGES];
	int ones[NEIGHBOR_EDGES];
	MPI_Aint apart[NEIGHBOR_EDGES];
};

struct neighbor {
	const char *name;
	void (*call)(const struct neighbor_edges *e);
	/* Not before MPI 4. */
	void (*prepare)(const struct neighbor_edges *e, MPI_Request *request);
};

int neighbor_main(int argc, char **argv, const struct neighbor *neighbor);

#endif
