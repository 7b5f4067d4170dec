/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pattern of weft-bench dist as a program without a Dist has it, over
 * loop.h: as many packets from each rank to each other one, in random order,
 * each with the number of the root that it is for.  -w in front of the bytes
 * gives the doubles of a packet, which are 1 else:
 *
 *     mpicc -O2 -o dist dist.c packets.c loop.c
 *     mpiexec -n 2 ./dist -w 8 64 65536
 */
#ifndef WEFT_BENCH_MPI_PACKETS_H
#define WEFT_BENCH_MPI_PACKETS_H

#include "loop.h"

struct packets {
	int width;			/* doubles of a packet */
	int rank, ranks;
	int nroots;			/* of a rank: packets of a message */
	int nitems;			/* of a rank, in and out */
	int *items2ranks, *items2roots;
};

/* What is found at set-up. */
struct plan {
	MPI_Comm graph;
	int *peers;			/* ascending */
	int *counts, *displs;		/* of packets, for each of them */
	int *items2content;		/* by peer, then item */
	int *ritems2content;		/* by root, then peer */
};

/* Takes -w out of the arguments. */
void packets_init(struct packets *p, int *argc, char ***argv);

void packets_draw(struct packets *p, size_t bytes);
void packets_free(struct packets *p);

/* By two exchanges and a graph; collective. */
void plan_make(struct plan *plan, const struct packets *p);
void plan_free(struct plan *plan);

#endif
