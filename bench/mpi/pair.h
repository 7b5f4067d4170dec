/* SPDX-License-Identifier: BSD-3-Clause */
/* Half of a round trip between the ranks 2k and 2k + 1, as in weft-bench. */
#ifndef WEFT_BENCH_MPI_PAIR_H
#define WEFT_BENCH_MPI_PAIR_H

#include <mpi.h>
#include <stddef.h>

struct pair {
	const char *name;
	/* A message of so many bytes: elements of this type; their count. */
	int (*make)(size_t bytes, MPI_Datatype *type_p);
	size_t span;			/* bytes of memory for each sent */
};

int pair_main(int argc, char **argv, const struct pair *pair);

#endif
