/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packed copy of memory of the program whose elements are not packed: what
 * is given is gathered into it before, what was got is scattered from it
 * afterwards, and no gap between elements is written to.  Or what was got is
 * combined with elements of the program (fold.h).  One of middling size
 * in which something is got lies in the arena, if that has room, so that peers
 * write to it; others would cost the arena more than they gain.
 */
#ifndef WEFT_PLAN_STAGED_H
#define WEFT_PLAN_STAGED_H

#include <weft/vec.h>
#include "job/job.h"
#include "plan/fold.h"
#include "type/element.h"
#include "type/type_made.h"

/* Elements side by side. */
struct wf_staged_part {
	const struct weft_type *type;
	char *base;
	uint64_t bytes;			/* packed */
	uint64_t at;			/* in the copy: wf_staged_make() */
};

struct wf_staged {
	struct weft_job *job;
	char *packed;			/* the parts, one behind the other */
	uint64_t offset;		/* of it in the arena, if it is there */
	bool in_arena;
	int per_edge;			/* parts that each edge gets; 0: they
					   are of no edges */
	struct wf_fold *fold;		/* takes what is got; NULL: scattered */
	int given, n;			/* parts: the first ones are given */
	struct wf_staged_part part[];
};

/*
 * Of n parts, of which the first ones are given and the others got, and whose
 * types it holds; WEFT_ERR_NOMEM.
 */
int wf_staged_make(struct weft_job *job, const struct wf_staged_part *part,
		   int given, int n, struct wf_staged **staged_p);

/* Of one part that is given, so many bytes of it, packed. */
int wf_staged_make_one(struct weft_job *job, const struct weft_part *part,
		       uint64_t bytes, struct wf_staged **staged_p);

void wf_staged_free(struct wf_staged *staged);

/* What is given. */
void wf_staged_gather(const struct wf_staged *staged);

/* What was got: all, or by the i-th edge. */
void wf_staged_scatter(const struct wf_staged *staged);
void wf_staged_scatter_edge(const struct wf_staged *staged, int i);

/* The part whose turn it is goes into the fold. */
void wf_staged_fold(const struct wf_staged *staged);

/* Where the copy of what is got begins; that of what is given, at `packed`. */
static inline char *wf_staged_got(const struct wf_staged *staged)
{
	return staged->packed + (staged->given < staged->n ?
				 staged->part[staged->given].at : 0);
}

#endif
