/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbour reductions drawn from a seed, and what a serial left fold makes of
 * them: graphs with duplicate and self edges and ranks without any, all kinds
 * of elements, indices drawn, in runs, or NULL.  Messages follow from their
 * edge, trial and start.  For the sim and the mp floor; public interface only.
 */
#ifndef WEFT_TESTS_COLL_FOLD_PLAY_H
#define WEFT_TESTS_COLL_FOLD_PLAY_H

#include <stdbool.h>
#include "tests/coll/fold_element.h"

enum {
	FOLD_RANKS = 9,
	FOLD_EDGES = 5 * FOLD_RANKS	/* of the whole graph */
};

enum fold_form { FOLD_BLOCKING, FOLD_NONBLOCKING, FOLD_PERSISTENT, FOLD_FORMS };

/* A rank and its graph; edges by their number in the list of all. */
struct fold_play {
	uint64_t seed;
	int me, size;
	struct weft_job *job;
	struct weft_comm *graph;
	struct fold_elements elements;
	int nall, from[FOLD_EDGES], to[FOLD_EDGES];
	int nout, out[FOLD_EDGES];
	int nin, in[FOLD_EDGES];
};

/* Statuses of the library. */
int fold_play_begin(struct fold_play *p, struct weft_job *job, uint64_t seed);
int fold_play_end(struct fold_play *p);

/* A reduction, and what this rank gives to it and expects of it. */
struct fold_trial {
	const struct fold_play *play;
	uint64_t number;
	enum fold_kind kind;
	enum fold_form form;
	uint64_t start;			/* of a persistent one */
	size_t sent[FOLD_EDGES], got[FOLD_EDGES];	/* elements by edge */
	ptrdiff_t sent_at[FOLD_EDGES];
	char *given;
	size_t given_bytes;
	uint32_t *at;			/* NULL: none is given */
	size_t n;
	char *base, *want;		/* n elements, and a guard */
	size_t bytes;
	struct weft_vec send;
	struct weft_fold recv;
	const struct weft_op *op;
};

/* All ranks draw the same kind, form and numbers of elements. */
struct fold_trial *fold_trial_make(const struct fold_play *p, uint64_t number);
void fold_trial_free(struct fold_trial *t);

/* Write what is sent, and where the first start begins, and wanted as well. */
void fold_trial_fill(struct fold_trial *t);

/* In what is wanted, combine what so many in-edges bring, the first ones. */
void fold_trial_expect(struct fold_trial *t, int edges);

/*
 * By its form, from arrays that are gone then; req_p is not used by one that
 * blocks.
 */
int fold_trial_call(const struct fold_trial *t, struct weft_request **req_p);

/* Each element is as wanted, and so are gaps; false: they differ. */
bool fold_trial_check(const struct fold_trial *t);

#endif
