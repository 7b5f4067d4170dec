/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random neighbour exchanges over the public interface, every byte checked.
 *
 * A program is drawn from a seed, the same on all ranks: graphs with duplicate
 * and self edges, exchanges of all classes of length on them, blocking,
 * nonblocking and persistent, in batches that each rank starts and completes
 * in an order of its own. Now and then there is a barrier or an allreduce on
 * the world or on a graph, a graph is replaced, one rank pauses, or the two
 * ends of one edge disagree on its length, which must end in the right error
 * and nowhere else.
 *
 * The same source runs over simulated ranks, threads and processes: those
 * that call it differ in the hooks only.
 */
#ifndef WEFT_TESTS_EXCHANGE_PROGRAM_H
#define WEFT_TESTS_EXCHANGE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_comm;
struct weft_job;

enum {
	EXCHANGE_WORLD_MOST = 30	/* elements of the world's sums */
};

/* One in 0 means never. */
struct exchange_options {
	uint64_t seed;
	long exchanges;			/* at least so many */
	size_t max_bytes;		/* of an edge, log-uniform */
	int max_degree;			/* most out-edges of a rank */
	int graphs;			/* that exist at a time, 1 to 4 */
	unsigned int mismatch_one_in;	/* exchanges with a wrong length */
	unsigned int pause_one_in;	/* in which one rank pauses */
	unsigned int replace_one_in;	/* rounds that replace a graph */
	unsigned int collective_one_in;	/* rounds that are a collective */
	bool deaths;			/* WEFT_ERR_PEER ends the program, */
	bool leaves;			/* so does WEFT_ERR_GRAPH, of one that
					   has, and gave its graphs up first, */
	bool faults;			/* and so does WEFT_ERR_DEVICE */
	bool cut_off;			/* it does by a death, too */
	bool abandons;			/* in the end it frees no graph, which
					   others may use, but the job does */
	bool every_call;		/* of the five; else alltoallv alone */
	bool no_requests;		/* that are persistent, everywhere */
	void (*pause)(void *arg);
	/* Before a barrier and after it; the next three may be NULL. */
	void (*meets)(void *arg, bool after);
	/* Does the sentence of what ends the program blame who is to blame? */
	bool (*names)(void *arg, const char *text);
	/* No exchange of the graph is under way here, and it will be freed. */
	void (*rests)(void *arg, struct weft_comm *graph);
	/* Something is wrong; one line. */
	void (*fail)(void *arg, const char *text);
	void *arg;
};

struct exchange_result {
	long exchanges;
	long mismatches;
	long failures;
	bool bereaved;			/* it ended by another's trouble */
	uint64_t bytes;			/* received and checked here */
};

/*
 * By every rank of the job. Ends early where a call fails that may not; the
 * other ranks then cannot end, and a time limit has to end them.
 */
void exchange_run(struct weft_job *job, const struct exchange_options *options,
		  struct exchange_result *result_p);

#endif
