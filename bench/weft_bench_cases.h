/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cases of weft-bench: one table, which the command line, the report and
 * main() read.
 */
#ifndef WEFT_BENCH_CASES_H
#define WEFT_BENCH_CASES_H

#include <stdbool.h>

struct bench_run;

enum bench_command {
	BENCH_PUT,
	BENCH_EXCHANGE,
	BENCH_NEIGHBOR_ALLTOALL,
	BENCH_NEIGHBOR_ALLTOALLW,
	BENCH_NEIGHBOR_ALLGATHER,
	BENCH_BATCH,
	BENCH_DIST,
	BENCH_STREAM,
	BENCH_SIGNAL,
	BENCH_PINGPONG,
	BENCH_STRIDED,
	BENCH_RATE,
	BENCH_ALLREDUCE,
	BENCH_REDUCE,
	BENCH_SCAN,
	BENCH_EXSCAN,
	BENCH_REDUCE_SCATTER,
	BENCH_REDUCE_SCATTER_BLOCK,
	BENCH_BCAST,
	BENCH_ALLGATHER,
	BENCH_ALLGATHERV,
	BENCH_GATHER,
	BENCH_GATHERV,
	BENCH_SCATTER,
	BENCH_SCATTERV,
	BENCH_ALLTOALL,
	BENCH_ALLTOALLV,
	BENCH_BARRIER,
	BENCH_DUP,
	BENCH_SPLIT,
	BENCH_ENTRY
};

enum bench_trait {
	BENCH_SIZES = 1u << 0,		/* it moves bytes, as --sizes says */
	BENCH_MEMORY = 1u << 1,		/* its buffers are of --memory */
	BENCH_RAW = 1u << 2,		/* there is a raw loop of it */
	BENCH_WAY = 1u << 3,		/* an exchange: -p, or -b */
	BENCH_COLL = 1u << 4,		/* a collective: -b, -n or -p */
	BENCH_OF_TWO = 1u << 5,		/* for 2 ranks alone */
	BENCH_OF_MORE = 1u << 6,	/* not for 1 rank */
	BENCH_REDUCES = 1u << 7,	/* elements, not bytes */
	BENCH_THREADS = 1u << 8,	/* several, and each call is timed */
	BENCH_PIECES = 1u << 9,		/* of BENCH_PIECE bytes */
	BENCH_WORDS = 1u << 10,		/* doubles, and as many between them */
	BENCH_PREPARED = 1u << 11,	/* an exchange, -p alone */
	BENCH_PACKETS = 1u << 12	/* of --width doubles each */
};

enum {
	BENCH_PIECE = 64		/* bytes, and between two of them */
};

struct bench_case {
	const char *name;
	const char *sizes;	/* usual ones */
	unsigned traits;
	int (*run)(struct bench_run *run);
};

const struct bench_case *bench_case_of(enum bench_command command);

/* One of these traits at least. */
static inline bool bench_case_has(enum bench_command command, unsigned traits)
{
	return bench_case_of(command)->traits & traits;
}

/* The case of this name; false: there is none. */
bool bench_case_find(const char *name, enum bench_command *command_p);

#endif
