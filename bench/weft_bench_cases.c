/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of cases of weft-bench. A new one is a line here, and one of the
 * help.
 */
#include "bench/weft_bench_cases.h"
#include "bench/weft_bench_run.h"

#include <string.h>

enum {
	BUFFERS = BENCH_SIZES | BENCH_MEMORY,
	NEIGHBOR = BUFFERS | BENCH_WAY | BENCH_OF_MORE,
	EXCHANGE = NEIGHBOR | BENCH_RAW,
	REGION = BENCH_SIZES | BENCH_RAW | BENCH_OF_TWO,
	MESSAGE = BUFFERS | BENCH_OF_MORE,
	COLL = BUFFERS | BENCH_COLL,
	REDUCTION = COLL | BENCH_REDUCES
};

#define USUAL "8,64,1k,4k,16k,64k,256k,1m"

static const struct bench_case cases[] = {
	[BENCH_PUT] = { "put", USUAL, EXCHANGE, bench_run_edges },
	[BENCH_EXCHANGE] = { "exchange", USUAL, EXCHANGE, bench_run_edges },
	[BENCH_NEIGHBOR_ALLTOALL] = { "neighbor_alltoall", USUAL, NEIGHBOR,
				      bench_run_edges },
	[BENCH_NEIGHBOR_ALLTOALLW] = { "neighbor_alltoallw", USUAL,
				       NEIGHBOR | BENCH_WORDS,
				       bench_run_edges },
	[BENCH_NEIGHBOR_ALLGATHER] = { "neighbor_allgather", USUAL, NEIGHBOR,
				       bench_run_edges },
	[BENCH_BATCH] = { "batch", USUAL,
			  BUFFERS | BENCH_PREPARED | BENCH_OF_MORE,
			  bench_run_batch },
	[BENCH_DIST] = { "dist", "64,192,4k,12k,64k,192k,1m,3m",
			 MESSAGE | BENCH_PACKETS, bench_run_dist },
	[BENCH_STREAM] = { "stream", USUAL, REGION, bench_run_region },
	[BENCH_SIGNAL] = { "signal", USUAL, REGION, bench_run_region },
	[BENCH_PINGPONG] = { "pingpong", USUAL, MESSAGE, bench_run_pingpong },
	[BENCH_STRIDED] = { "strided", "64,1k,4k,16k,64k,256k,1m",
			    MESSAGE | BENCH_PIECES, bench_run_strided },
	[BENCH_RATE] = { "rate", "8", MESSAGE, bench_run_rate },
	[BENCH_ALLREDUCE] = { "allreduce", USUAL, REDUCTION | BENCH_RAW,
			      bench_run_reduction },
	[BENCH_REDUCE] = { "reduce", USUAL, REDUCTION, bench_run_reduction },
	[BENCH_SCAN] = { "scan", USUAL, REDUCTION, bench_run_reduction },
	[BENCH_EXSCAN] = { "exscan", USUAL, REDUCTION, bench_run_reduction },
	[BENCH_REDUCE_SCATTER] = { "reduce_scatter", USUAL, REDUCTION,
				   bench_run_reduction },
	[BENCH_REDUCE_SCATTER_BLOCK] = { "reduce_scatter_block", USUAL,
					 REDUCTION, bench_run_reduction },
	[BENCH_BCAST] = { "bcast", USUAL, COLL, bench_run_moves },
	[BENCH_ALLGATHER] = { "allgather", USUAL, COLL, bench_run_moves },
	[BENCH_ALLGATHERV] = { "allgatherv", USUAL, COLL, bench_run_moves },
	[BENCH_GATHER] = { "gather", USUAL, COLL, bench_run_moves },
	[BENCH_GATHERV] = { "gatherv", USUAL, COLL, bench_run_moves },
	[BENCH_SCATTER] = { "scatter", USUAL, COLL, bench_run_moves },
	[BENCH_SCATTERV] = { "scatterv", USUAL, COLL, bench_run_moves },
	[BENCH_ALLTOALL] = { "alltoall", USUAL, COLL, bench_run_moves },
	[BENCH_ALLTOALLV] = { "alltoallv", USUAL, COLL, bench_run_moves },
	[BENCH_BARRIER] = { "barrier", "0", BENCH_COLL, bench_run_moves },
	[BENCH_DUP] = { "dup", "0", 0, bench_run_dup },
	[BENCH_SPLIT] = { "split", "0", 0, bench_run_split },
	[BENCH_ENTRY] = { "entry", "0", BENCH_THREADS, bench_run_entry },
};

const struct bench_case *bench_case_of(enum bench_command command)
{
	return &cases[command];
}

bool bench_case_find(const char *name, enum bench_command *command_p)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (!strcmp(name, cases[i].name)) {
			*command_p = (enum bench_command)i;
			return true;
		}
	}
	return false;
}
