/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the cases have in common that time calls of MPI, on one node, to set
 * them beside weft-bench(1).  Not part of the build: bench/compare compiles
 * them, or
 *
 *     mpicc -O2 -o exchange exchange.c loop.c
 *     mpiexec -n 2 ./exchange 8 65536 1048576
 */
#ifndef WEFT_BENCH_MPI_LOOP_H
#define WEFT_BENCH_MPI_LOOP_H

#include <mpi.h>
#include <stddef.h>

struct loop {
	const char *name;
	void (*set_up)(size_t bytes);	/* NULL: nothing to do */
	void (*one)(void);		/* what is timed */
	void (*take_down)(void);
	int operations;			/* in one; 0: one */
};

/*
 * A line for each number of bytes in the arguments: loops of a sample, least,
 * median and most microseconds of one operation, from the first rank's start to
 * the last one's end.
 */
int loop_main(int argc, char **argv, const struct loop *loop);

/*
 * Memory on a cache line of its own, and touched: from the heap, or, where the
 * environment has LOOP_MEMORY=mpi, from MPI_Alloc_mem().
 */
void *loop_memory(size_t bytes);
void loop_memory_free(void *memory);

#endif
