/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs whose edges any rank gives, and a serial model of them: each rank has
 * its edges, each as often as it was given, in the order of neighbour, weight,
 * giver and position there; what goes along an edge comes by that edge.
 *
 * The same over simulated ranks and processes; public interface only.
 */
#ifndef WEFT_TESTS_GIVEN_GRAPH_H
#define WEFT_TESTS_GIVEN_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_comm;
struct weft_info;

/* What a graph is drawn from. */
struct given_rule {
	int ranks;
	int nodes;		/* one rank gives edges of so many at most, */
	int degree;		/* and so many of each at a time */
	size_t most_bytes;	/* of an edge, in exchanges */
	uint64_t seed;
};

struct given_edge {
	int from, to, weight, giver, position;
};

/*
 * All edges, giver by giver.  What a rank gives lies in the arrays from its
 * first node, and its first edge, to those of the next rank.
 */
struct given_model {
	struct given_rule rule;
	bool weighted;
	int n;			/* edges */
	struct given_edge *edge;
	int *destinations, *weights;
	int *sources, *degrees;
	int *first_node, *first_edge;	/* of each rank, and the end */
};

/* ---- given_model.c ---- */

/* Few ranks and few weights, so that much is equal; given_fini() it. */
void given_init(struct given_model *m, const struct given_rule *rule);
void given_fini(struct given_model *m);

/* The edges that leave a rank, or reach it, in the order that it must see. */
struct given_side {
	int n;
	const struct given_edge **edge;		/* to be freed */
};

struct given_side given_side_of(const struct given_model *m, int me, bool out);

/* ---- given_play.c ---- */

/* A rank of the communicator that the graph is made of, then of the graph. */
struct given_rank {
	const struct given_model *model;
	struct weft_comm *comm;
	int me;
	bool agrees;		/* $WEFT_CHECK is not 0 */
	const struct weft_info *info;	/* with it ranks are reordered */
	/* Looks at the graph, too, where ranks may have moved; NULL: no. */
	void (*look)(const struct given_rank *r, struct weft_comm *graph);
	struct given_side in, out;
	/* Something is wrong; one line. */
	void (*fail)(void *arg, const char *text);
	void *arg;
};

void given_fail(const struct given_rank *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* False: it has failed, and it was told. */
bool given_ok(const struct given_rank *r, int status, const char *call);

/*
 * Collective: the graph, all that is known of its edges, an exchange of their
 * numbers, a drawn exchange, and its end.
 */
void given_play(struct given_rank *r);

/* ---- given_call.c ---- */

/* Collective: one of the exchanges in one of its forms, both drawn. */
void given_call(const struct given_rank *r, struct weft_comm *graph);

#endif
