/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of Scotch 7 that a reorder calls, found at run time: nothing of
 * Scotch is needed to build the library.  Its integer, SCOTCH_Num, has 4 or 8
 * bytes, as it was built, so arrays are void * and what takes one by value has
 * two types.
 */
#ifndef WEFT_TOPO_REORDER_SCOTCH_H
#define WEFT_TOPO_REORDER_SCOTCH_H

#include <stdbool.h>
#include <stdint.h>

/* graph; base, vertices, beginnings, ends, loads, labels; arcs, ends, loads */
typedef int wf_scotch_build4(void *, int32_t, int32_t, const void *,
			     const void *, const void *, const void *, int32_t,
			     const void *, const void *);
typedef int wf_scotch_build8(void *, int64_t, int64_t, const void *,
			     const void *, const void *, const void *, int64_t,
			     const void *, const void *);
/* architecture; parts, their sizes */
typedef int wf_scotch_arch4(void *, int32_t, const void *);
typedef int wf_scotch_arch8(void *, int64_t, const void *);
/* strategy; flags, parts, imbalance allowed */
typedef int wf_scotch_strat4(void *, int32_t, int32_t, double);
typedef int wf_scotch_strat8(void *, int64_t, int64_t, double);

/* A kind of object of Scotch. */
struct wf_scotch_kind {
	void *(*alloc)(void);
	int (*init)(void *);
	void (*exit)(void *);
};

struct wf_scotch {
	void *handle;
	int num_bytes;                  /* of a SCOTCH_Num */
	struct wf_scotch_kind context, graph, arch, strat;
	void (*free)(void *);           /* what alloc gave */
	/* a context: random numbers of its own, from their start; threads */
	int (*random_clone)(void *);
	void (*random_reset)(void *);
	int (*spawn)(void *, int, const int *);
	int (*bind)(void *, const void *, void *);
	union {
		void *any;
		wf_scotch_build4 *by4;
		wf_scotch_build8 *by8;
	} build;
	union {
		void *any;
		wf_scotch_arch4 *by4;
		wf_scotch_arch8 *by8;
	} weighted;
	union {
		void *any;
		wf_scotch_strat4 *by4;
		wf_scotch_strat8 *by8;
	} strategy;
	/* graph, architecture, strategy; the part of each vertex */
	int (*map)(void *, const void *, void *, void *);
};

/* False: there is none, or it lacks something. */
bool wf_scotch_open(struct wf_scotch *lib);
void wf_scotch_close(struct wf_scotch *lib);

#endif
