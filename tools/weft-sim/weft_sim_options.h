/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What weft-sim was asked for.
 */
#ifndef WEFT_SIM_OPTIONS_H
#define WEFT_SIM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/weft-sim/weft_sim_faults.h"
#include "transport/sim/sim_net.h"

enum {
	WSIM_LIST_MAX = 40,
	WSIM_RADICES_MAX = 4,
	WSIM_PHASES = 7,	/* of a Dist: weft_sim_dist.h */
	WSIM_RANKS_MAX = 1 << 20
};

enum wsim_command {
	WSIM_ALLGATHER,
	WSIM_ALLREDUCE,
	WSIM_ALLTOALL,
	WSIM_ALLTOALLV,
	WSIM_BARRIER,
	WSIM_BCAST,
	WSIM_GATHER,
	WSIM_GATHERV,
	WSIM_REDUCE,
	WSIM_SCAN,
	WSIM_SCATTER,
	WSIM_SCATTERV,
	WSIM_EXCHANGE,
	WSIM_P2P,
	WSIM_DIST,
	WSIM_DUP,
	WSIM_CREATE,
	WSIM_CREATE_GROUP,
	WSIM_GRAPH,
	WSIM_GRAPH_ANY,
	WSIM_REORDER,
	WSIM_SPLIT,
	WSIM_VALIDATE
};

/* Which ranks get a communicator together: n in a row, each n-th, by chance. */
enum wsim_coloring { WSIM_BLOCKS, WSIM_TURNS, WSIM_CHANCE, WSIM_COLORINGS };

struct wsim_colors {
	enum wsim_coloring kind;
	long n;			/* 0: not given */
};

struct wsim_options {
	enum wsim_command command;
	size_t ranks[WSIM_LIST_MAX];
	int nranks;		/* 0: as many as the graph has vertices */
	size_t bytes[WSIM_LIST_MAX];
	int nbytes;
	int radix[WSIM_RADICES_MAX];	/* of the algorithm */
	int nradices;
	long ppn;		/* 0: all on one node */
	uint64_t seed;		/* the first of */
	long seeds;
	/*
	 * The first operations of a communicator go by mail, then build its
	 * channels; they start at random times. The later ones start at once
	 * and are timed.
	 */
	long warmup;		/* -1: not given */
	uint32_t mailed_epochs;	/* of those; 0: as many as usual */
	long iterations;
	const char *graph;
	long items;		/* of an edge of a Dist; 0: not given */
	const char *method;	/* of a reorder; NULL: not given */
	struct wsim_colors colors;
	long root;		/* -1: not given */
	struct wf_sim_net net;		/* no name: random delays */
	struct wf_sim_net node_net;	/* inside a node; no name: shm */
	enum wf_sim_shape shape;
	bool shaped;		/* it was given */
	struct wsim_faults faults;
	const char *trace;	/* file; NULL: none */
	const char *svg;	/* file; NULL: none */
	bool shrink;
	bool table;
	bool json;
};

enum wsim_todo { WSIM_TODO_RUN, WSIM_TODO_NOTHING, WSIM_TODO_FAIL };

/* Says what is wrong, or what was asked for. */
enum wsim_todo wsim_options_parse(int argc, char **argv,
				  struct wsim_options *options_p);

const char *wsim_command_name(enum wsim_command command);

/* Does it take --graph, --bytes, --algorithm, --colors? */
bool wsim_has_graph(const struct wsim_options *options);
/* Does a message go along each edge? */
bool wsim_has_messages(const struct wsim_options *options);
/* Is it a collective that moves something, of the communicator of all? */
bool wsim_has_vectors(const struct wsim_options *options);
bool wsim_has_bytes(const struct wsim_options *options);
bool wsim_has_doubles(const struct wsim_options *o);
bool wsim_has_root(const struct wsim_options *o);
bool wsim_has_radix(const struct wsim_options *options);
bool wsim_has_colors(const struct wsim_options *options);
bool wsim_has_method(const struct wsim_options *options);
bool wsim_has_items(const struct wsim_options *options);

/* Operations that follow each other and are told each by itself. */
int wsim_phases(const struct wsim_options *options);

#endif
